import { lstatSync, type PathLike, readdir, realpath, stat } from 'node:fs'
import { join } from 'node:path'
import { type FileSystemAdapter, glob } from 'tinyglobby'
import { contains, isFolder, realPath } from '../domain/paths.ts'

/** What walking a folder gives. */
type Walk = {
  /** Files that readers may know, in order, each once whatever links lead to it. */
  readonly files: readonly string[]
  /** Folders that could not be listed, and links that could not be followed, as they were walked. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[]
  /** Links that lead out of the folder, and where: what lies there was not looked at. */
  readonly outside: readonly { readonly path: string; readonly target: string }[]
}

const readableEnds = ['json', 'jsonc', 'jsonl', 'ndjson', 'gz', 'yaml', 'yml', 'md']
const readableFiles = [`**/*.{${readableEnds.join(',')}}`, '**/.codex/config.toml']
const readablePath = new RegExp(`\\.(?:${readableEnds.join('|')})$|[\\\\/]\\.codex[\\\\/]config\\.toml$`)

/** Whether a walk of the folder comes to a file of that path, where no link on the way leads out. */
export const isWalked = ({ folder, path }: { readonly folder: string; readonly path: string }): boolean =>
  contains({ folder, path }) &&
  readablePath.test(path) &&
  !/[\\/](?:node_modules|\.git)[\\/]/.test(path.slice(folder.length))

/** Folders that are passed over. */
export const neverRead = ['**/node_modules/**', '**/.git/**']

/**
 * Lists the files of a folder and of those in it. What cannot be listed is told, so that it does not look empty, and so is a link that
 * leads out of it: whoever fills the folder would choose what else of the machine is read.
 *
 * @param linksTo - absolute folders that links may lead to all the same
 * @throws the signal's reason when it is aborted
 */
export async function walkFolder(
  folder: string,
  signal: AbortSignal,
  linksTo: readonly string[] = [],
): Promise<Walk> {
  const unread = new Map<string, string>()
  const outside = new Map<string, string>()
  const places = [folder, ...linksTo].map(realPath)
  const found = await glob(readableFiles, {
    cwd: folder,
    dot: true,
    ignore: neverRead,
    absolute: true,
    signal,
    fs: listening(
      (path, { message }) => {
        if (contains({ folder, path })) unread.set(path, message)
      },
      (path, target) => {
        if (places.some((place) => contains({ folder: place, path: target }))) return true
        if (hasReadableEnd(path) || isFolder(target)) outside.set(path, target)
        return false
      },
    ),
  })
  // A walk that was stopped gives what it has, which would look as if the rest were gone.
  signal.throwIfAborted()
  return {
    files: eachOnce(withoutSwapped(folder, found)),
    unread: inOrder(unread).map(([path, reason]) => ({ path, reason })),
    outside: inOrder(outside).map(([path, target]) => ({ path, target })),
  }
}

/** Whether readers may know a file of that name, in letters of any case. */
export const hasReadableEnd = (path: string): boolean =>
  [...readableEnds, 'toml'].some((end) => path.toLowerCase().endsWith(`.${end}`))

const inOrder = (entries: ReadonlyMap<string, string>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * The file system for the walk, which goes on past errors and keeps them to itself.
 *
 * @param isFollowed - whether what a link leads to is looked at
 */
function listening(
  onError: (path: string, error: NodeJS.ErrnoException) => void,
  isFollowed: (path: string, target: string) => boolean,
): FileSystemAdapter {
  /** Links by the folder they lead to, under whose own path it is listed. */
  const links = new Map<string, string[]>()
  const tell = (path: PathLike, error: NodeJS.ErrnoException | null): void => {
    if (error === null) return
    const place = String(path).replace(/(?<=.)\/$/, '')
    for (const one of [place, ...(links.get(place) ?? [])]) onError(one, error)
  }
  // A link that leads nowhere is like a file that is not there.
  const tellLink = (path: PathLike, error: NodeJS.ErrnoException | null): void =>
    error?.code === 'ENOENT' ? undefined : tell(path, error)
  const calls = {
    readdir: (path: string, options: { withFileTypes: true }, done: Done) =>
      readdir(path, options, (error, entries) => {
        tell(path, error)
        done(error, entries)
      }),
    realpath: (path: string, done: Done) =>
      realpath(path, (error, resolved) => {
        tellLink(path, error)
        if (error !== null || !isFollowed(path, resolved)) return done(error ?? notFollowed, resolved)
        links.set(resolved, [...(links.get(resolved) ?? []), path])
        done(null, resolved)
      }),
    stat: (path: string, done: Done) =>
      stat(path, (error, stats) => {
        tellLink(path, error)
        done(error, stats)
      }),
  }
  return calls as unknown as FileSystemAdapter
}

const notFollowed: NodeJS.ErrnoException = new Error('The link is not followed.')

type Done = (error: NodeJS.ErrnoException | null, result: unknown) => void

/** Files in order, one that is reached over links too only once: under its own path where that is among them. */
function eachOnce(paths: readonly string[]): readonly string[] {
  const chosen = new Map<string, string>()
  for (const path of paths.toSorted((a, b) => (a < b ? -1 : 1))) {
    const own = realPath(path)
    if (path === own || !chosen.has(own)) chosen.set(own, path)
  }
  return [...chosen.values()].sort((a, b) => (a < b ? -1 : 1))
}

/**
 * Without the folders that Kubernetes swaps when what it mounts changes: `a.json -> ..data/a.json`, `..data -> ..2026_11_28`. Their files
 * are known by the links that stay.
 */
function withoutSwapped(folder: string, paths: readonly string[]): readonly string[] {
  const isMount = new Map<string, boolean>()
  return paths.filter((path) => {
    const at = path.slice(folder.length).search(/[\\/]\.\.[^\\/]/)
    if (at < 0) return true
    const above = path.slice(0, folder.length + at)
    if (!isMount.has(above)) isMount.set(above, isLink(join(above, '..data')))
    return !isMount.get(above)
  })
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
