import { basename, dirname } from 'node:path'
import { fileStem } from '../catalog/path-names.ts'
import type { Problem, Reader, ReadResult, SourceDocument } from '../catalog/ports.ts'
import { readHostServers } from '../catalog/readers/host-config.ts'
import { recognise, unknownFormat } from '../catalog/readers.ts'
import { once } from '../domain/once.ts'
import { maskSecrets } from '../domain/text/secrets.ts'
import { isPluginList } from '../hosts/claude-plugins.ts'
import type {
  DocumentSources,
  OpenedLocation,
  OpenSource,
  SourceContents,
  SourceSurroundings,
  Unread,
} from './open-source.ts'
import { type MakeSource, pluginSources } from './plugin-sources.ts'
import { serverSources } from './server-sources.ts'
import { type FileKeeper, fileKeeper, fingerprinting, namesOfDrafts, type SourceFile } from './source-file.ts'

/**
 * The sources that documents of one location make: its files of one card each together, every catalog file, every server of a host's
 * configuration.
 */
export async function gatherSources(
  location: string,
  documents: Iterable<SourceDocument | Unread> | AsyncIterable<SourceDocument | Unread>,
  {
    surroundings,
    manner,
    signal,
  }: {
    readonly surroundings: SourceSurroundings
    readonly manner: 'lone' | 'walked'
    readonly signal: AbortSignal
  },
): Promise<OpenedLocation> {
  const sources: OpenSource[] = []
  const problems: Problem[] = []
  const unread: Unread[] = []
  const configs: string[] = []
  let catalogs = 0
  const { user, keepFile = fileKeeper() } = surroundings
  const cards = cardFiles(keepFile)
  for await (const document of documents) {
    if (!('text' in document)) {
      unread.push(document)
      continue
    }
    const reader = recognise(document)
    if (reader === undefined) {
      const problem = unknownFormat(document)
      // A broken file says as little of its cards as one that cannot be opened.
      if (problem.field !== undefined) unread.push({ path: document.path, problem })
      // A folder holds notes and configuration of other programs; there, only a broken file is worth a word.
      else if (manner === 'lone') problems.push(problem)
      continue
    }
    if (reader.grain === 'card') {
      cards.add(document, reader)
      continue
    }
    const catalog =
      user !== undefined && isPluginList(document.path, user)
        ? await pluginSources(document, user, { surroundings, makeSource: pluginSource(keepFile), signal })
        : openCatalogFile(document, reader, { ...surroundings, keepFile })
    sources.push(...catalog.sources)
    problems.push(...catalog.problems)
    configs.push(...catalog.configs)
    if (catalog.isEmpty !== true) catalogs += 1
  }
  if (cards.files.length > 0) sources.unshift(folderSource(location, cards, unread))
  const opened = {
    location,
    sources,
    problems,
    unread,
    configs,
    walked: manner === 'walked' ? [location] : [],
  }
  const isBare = sources.length + problems.length + unread.length + catalogs === 0
  return isBare ? { ...opened, nothing: nothingIn(surroundings.label(location)) } : opened
}

const nothingIn = (file: string): Problem => ({
  severity: 'warning',
  file,
  message: 'holds no agent, tool or MCP server in a format that is known',
  remedy: 'Name the file or folder that does.',
})

/** Folder names that say nothing of whose they are. */
const genericFolders = /^\.?(agents|skills|profiles|tools|cards|commands|plugins|catalog|src|data)$/i

const folderName = (location: string): string => {
  if (/^https?:/i.test(location)) return new URL(location).hostname
  const name = basename(location)
  const parent = basename(dirname(location)).replace(/^\./, '')
  return genericFolders.test(name) && parent !== ''
    ? `${parent}-${name.replace(/^\./, '')}`
    : fileStem(name) || name
}

/** Files of one card each, as they come. */
function cardFiles(keepFile: FileKeeper) {
  const files: SourceFile[] = []
  const { add, digest } = fingerprinting()
  return {
    files,
    add(document: SourceDocument, reader: Reader): void {
      files.push(keepFile(document, reader))
      add(document)
    },
    digest,
  }
}

function folderSource(
  location: string,
  { files, digest }: ReturnType<typeof cardFiles>,
  unread: readonly Unread[],
): OpenSource {
  const names = [...new Set(files.map(({ reader }) => reader.name))]
  return {
    wantedId: folderName(location),
    location,
    identity: location,
    ...addressOf(location),
    reader: names.length === 1 ? names[0]! : 'mixed',
    fingerprint: digest(unread),
    isLive: false,
    unread,
    ...readingOf(files),
  }
}

const pluginSource =
  (keepFile: FileKeeper): MakeSource =>
  (location, documents, unread) => {
    const cards = cardFiles(keepFile)
    for (const { document, reader } of documents) cards.add(document, reader)
    return folderSource(location, cards, unread)
  }

const addressOf = (location: string): Pick<OpenSource, 'launch'> =>
  /^https?:/i.test(location) ? { launch: maskSecrets(location) } : {}

function openCatalogFile(
  document: SourceDocument,
  reader: Reader,
  surroundings: SourceSurroundings & { readonly keepFile: FileKeeper },
): DocumentSources {
  // A host configuration is read at once, since its servers are the sources; other catalogs only when they changed.
  if (reader.name === 'host-config')
    return serverSources(document, readHostServers(document, surroundings.user), surroundings)
  const { path } = document
  const file = surroundings.keepFile(document, reader)
  const { add, digest } = fingerprinting()
  add(document)
  const looked = once(() => {
    const result = file.read()
    return {
      wantedId: result.sourceName ?? fileStem(path),
      names: file.isKept ? undefined : namesOfDrafts(draftsOf(file, result)),
    }
  })
  return {
    sources: [
      {
        get wantedId() {
          return looked().wantedId
        },
        location: path,
        identity: path,
        ...addressOf(path),
        reader: reader.name,
        fingerprint: digest(),
        isLive: false,
        names: () => looked().names,
        ...readingOf([file]),
      },
    ],
    problems: [],
    configs: [],
  }
}

const readingOf = (files: readonly SourceFile[]): Pick<OpenSource, 'read' | 'release'> => ({
  read: async () => contentsOf(files),
  release() {
    for (const file of files) file.release()
  },
})

const draftsOf = ({ path, reader }: SourceFile, { cards }: ReadResult): SourceContents['drafts'] =>
  cards.map((draft) => ({ draft, origin: { reader: reader.name, location: path } }))

function contentsOf(files: readonly SourceFile[]): SourceContents {
  const parts = files.map((file) => ({ ...file, result: file.read() }))
  // Such a file is a source of its own.
  const models = parts[0]?.result.models
  return {
    drafts: parts.flatMap((part) => draftsOf(part, part.result)),
    problems: parts.flatMap(({ result }) => result.problems),
    ...(models === undefined ? {} : { models }),
  }
}
