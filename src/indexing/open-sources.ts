import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bundledPartOf, bundledParts, isBundledLocation, pathOfPart } from '../catalog/bundled-parts.ts'
import type { Problem, SourceDocument } from '../catalog/ports.ts'
import { DocumentError, openDocument } from '../catalog/source-document.ts'
import { isFolder } from '../domain/paths.ts'
import { gatherSources } from './gather-sources.ts'
import type { OpenedLocation, SourceSurroundings, Unread } from './open-source.ts'
import { walkFolder } from './walk-folder.ts'

/** Files and characters that one folder may give: many times what agents and tools fill. */
const mostFiles = 100_000
const mostCharacters = 8 * 1024 ** 3

/**
 * Finds the sources at a location: a file, a folder (walked), a URL, `config#server`, or a part of the bundled catalog.
 * Nothing is harvested yet.
 * What cannot be read is a problem, and the rest is found.
 */
export async function openSources(
  location: string,
  surroundings: SourceSurroundings,
  signal: AbortSignal,
): Promise<OpenedLocation> {
  if (/^https?:\/\//i.test(location)) {
    const page = await documentOr(location, () => surroundings.fetchDocument(location, signal))
    return gatherSources(location, [page], { surroundings, manner: 'lone', signal })
  }
  if (isBundledLocation(location)) return openBundled(location, surroundings, signal)
  const [path, server] = splitServer(location)
  const absolute = resolve(path)
  const label = surroundings.label(absolute)
  if (!isFolder(absolute)) {
    const file = await documentOr(absolute, () => openDocument(absolute, label))
    const opened = await gatherSources(absolute, [file], { surroundings, manner: 'lone', signal })
    return server === undefined ? opened : onlyServer(opened, { config: absolute, label, server })
  }
  const { files, unread, outside } = await walkFolder(absolute, signal, surroundings.followLinks)
  if (files.length > mostFiles)
    return tooMuch(
      absolute,
      label,
      `holds ${files.length} files that could be read; the limit is ${mostFiles}`,
    )
  let characters = 0
  async function* documents(): AsyncGenerator<SourceDocument | Unread> {
    for (const one of unread) yield unlisted(one, surroundings)
    for (const file of files) {
      await setImmediate()
      signal.throwIfAborted()
      const document = await documentOr(file, () => openDocument(file, surroundings.label(file)))
      if ('text' in document) characters += document.text.length
      if (characters > mostCharacters) return
      yield document
    }
  }
  const opened = await gatherSources(absolute, documents(), { surroundings, manner: 'walked', signal })
  if (characters > mostCharacters)
    return tooMuch(absolute, label, 'holds more than 8 GB of text in files that could be read')
  return { ...opened, problems: [...opened.problems, ...outside.map((one) => leadsOut(one, surroundings))] }
}

/** A part of the bundled catalog, whose sources are named by it and not by where it lies. */
async function openBundled(
  location: string,
  surroundings: SourceSurroundings,
  signal: AbortSignal,
): Promise<OpenedLocation> {
  const { bundledFolder } = surroundings
  const part = bundledPartOf(location)
  if (part === undefined || bundledFolder === undefined) {
    const message = 'is no part of the catalog that ships with Audition'
    const remedy = `Name one of these: ${bundledParts.join(', ')}.`
    return unreadWhole(location, { severity: 'error', file: location, message, remedy })
  }
  const path = pathOfPart(part, bundledFolder)
  const opened = await openSources(path + location.slice(part.length), surroundings, signal)
  const named = (place: string): string => (place.startsWith(path) ? part + place.slice(path.length) : place)
  return {
    ...opened,
    location,
    sources: opened.sources.map((source) => ({
      ...source,
      location: named(source.location),
      identity: named(source.location),
    })),
    configs: opened.configs.map(named),
    walked: opened.walked.map(named),
  }
}

const unlisted = (
  { path, reason }: { readonly path: string; readonly reason: string },
  { label }: SourceSurroundings,
): Unread => ({
  path,
  problem: {
    severity: 'error',
    file: label(path),
    message: `cannot be read: ${reason}`,
    remedy: 'Check its permissions, and where it leads when it is a link.',
  },
})

const leadsOut = (
  { path, target }: { readonly path: string; readonly target: string },
  { label }: SourceSurroundings,
): Problem => ({
  severity: 'warning',
  file: label(path),
  message: `is a link that leads out of the folder, to ${target}, and was not followed`,
  remedy: `Index ${target} itself, or name it in "followLinks" of settings.yaml.`,
})

const tooMuch = (location: string, file: string, message: string): OpenedLocation =>
  unreadWhole(location, {
    severity: 'error',
    file,
    message,
    remedy: 'Name the folders or files in it that hold agents and tools.',
  })

/** A location of which nothing can be read, for this reason. */
export const unreadWhole = (location: string, problem: Problem): OpenedLocation => ({
  location,
  sources: [],
  problems: [],
  unread: [{ path: location, problem }],
  configs: [],
  walked: [],
})

/** One server of what a configuration names. */
function onlyServer(
  opened: OpenedLocation,
  { config, label, server }: { readonly config: string; readonly label: string; readonly server: string },
): OpenedLocation {
  const sources = opened.sources.filter(({ location }) => location === `${config}#${server}`)
  const own = opened.problems.filter(({ field }) => field === undefined || field.split('.').includes(server))
  const missing: Problem = {
    severity: 'error',
    file: label,
    field: server,
    message: `has no server "${server}" that can be asked`,
    remedy: `Name one of these: ${opened.sources.map(({ wantedId }) => wantedId).join(', ') || 'there is none'}.`,
  }
  const isExplained = sources.length + own.length + opened.unread.length > 0
  return { ...opened, sources, problems: isExplained ? own : [missing], configs: [] }
}

/** `config#server`, unless a file of that very name exists. */
function splitServer(location: string): [path: string, server?: string] {
  const at = location.lastIndexOf('#')
  return at < 0 || existsSync(location) ? [location] : [location.slice(0, at), location.slice(at + 1)]
}

async function documentOr(
  path: string,
  open: () => SourceDocument | Promise<SourceDocument>,
): Promise<SourceDocument | Unread> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof DocumentError) return { path, problem: error.problem }
    throw error
  }
}
