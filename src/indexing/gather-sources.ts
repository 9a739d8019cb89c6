import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { maskSecrets } from '../domain/text/secrets.ts'
import { isPluginList } from '../hosts/known/claude-plugins.ts'
import { readHostServers } from '../catalog/readers/host-config.ts'
import { cardVersion } from '../catalog/identity.ts'
import type { Found, Opened, OpenSource, SourceContents, Surroundings, Unread } from './open-source.ts'
import { fileStem } from '../catalog/path-names.ts'
import { pluginSources } from './plugin-sources.ts'
import type { Problem, Reader, ReadResult, SourceDocument } from '../catalog/ports.ts'
import { recognise, unknownFormat } from '../catalog/readers.ts'
import { serverSources } from './server-sources.ts'

/**
 * The sources that documents of one location make: its files of one card each together, every catalog file, every server of a host's
 * configuration.
 */
export async function gatherSources(
  location: string,
  documents: readonly (SourceDocument | Unread)[],
  {
    surroundings,
    manner,
    signal,
  }: {
    readonly surroundings: Surroundings
    readonly manner: 'lone' | 'walked'
    readonly signal: AbortSignal
  },
): Promise<Opened> {
  const sources: OpenSource[] = []
  const problems: Problem[] = []
  const unread: Unread[] = []
  const configs: string[] = []
  let catalogs = 0
  const cards: { readonly document: SourceDocument; readonly reader: Reader }[] = []
  for (const document of documents) {
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
      cards.push({ document, reader })
      continue
    }
    const { user } = surroundings
    const catalog =
      user !== undefined && isPluginList(document.path, user)
        ? await pluginSources(document, user, { surroundings, makeSource: folderSource, signal })
        : openCatalogFile(document, reader, surroundings)
    sources.push(...catalog.sources)
    problems.push(...catalog.problems)
    configs.push(...catalog.configs)
    if (catalog.isEmpty !== true) catalogs += 1
  }
  if (cards.length > 0) sources.unshift(folderSource(location, cards, unread))
  const isWhole = manner === 'walked' && documents.every((document) => 'text' in document)
  const opened = { location, sources, problems, unread, configs, walked: isWhole ? [location] : [] }
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

function folderSource(
  location: string,
  documents: readonly { readonly document: SourceDocument; readonly reader: Reader }[],
  unread: readonly Unread[],
): OpenSource {
  const names = [...new Set(documents.map(({ reader }) => reader.name))]
  return {
    wantedId: folderName(location),
    location,
    identity: location,
    ...addressOf(location),
    reader: names.length === 1 ? names[0]! : 'mixed',
    fingerprint: fingerprintOf(
      documents.map(({ document }) => document),
      unread,
    ),
    isLive: false,
    unread,
    read: async () =>
      contentsOf(
        documents.map(({ document, reader }) => ({ document, reader, result: reader.read(document) })),
      ),
  }
}

const addressOf = (location: string): Pick<OpenSource, 'launch'> =>
  /^https?:/i.test(location) ? { launch: maskSecrets(location) } : {}

function openCatalogFile(document: SourceDocument, reader: Reader, surroundings: Surroundings): Found {
  // A host configuration is read at once, since its servers are the sources; other catalogs only when they changed.
  if (reader.name === 'host-config')
    return serverSources(document, readHostServers(document, surroundings.user), surroundings)
  let result: ReadResult | undefined
  const read = (): ReadResult => {
    result ??= reader.read(document)
    return result
  }
  return {
    sources: [
      {
        get wantedId() {
          return read().sourceName ?? fileStem(document.path)
        },
        location: document.path,
        identity: document.path,
        ...addressOf(document.path),
        reader: reader.name,
        fingerprint: fingerprintOf([document]),
        isLive: false,
        read: async () => contentsOf([{ document, reader, result: read() }]),
      },
    ],
    problems: [],
    configs: [],
  }
}

function contentsOf(
  parts: readonly {
    readonly document: SourceDocument
    readonly reader: Reader
    readonly result: ReadResult
  }[],
): SourceContents {
  // Such a file is a source of its own.
  const models = parts[0]?.result.models
  return {
    drafts: parts.flatMap(({ document, reader, result }) =>
      result.cards.map((draft) => ({ draft, origin: { reader: reader.name, location: document.path } })),
    ),
    problems: parts.flatMap(({ result }) => result.problems),
    ...(models === undefined ? {} : { models }),
  }
}

function fingerprintOf(documents: readonly SourceDocument[], unread: readonly Unread[] = []): string {
  const hash = createHash('sha256').update(`${cardVersion}\n`)
  for (const { path, text } of documents) hash.update(`${path}\n${text.length}\n`).update(text)
  for (const { path, problem } of unread) hash.update(`unread ${path}\n${problem.message}\n`)
  return hash.digest('hex').slice(0, 32)
}
