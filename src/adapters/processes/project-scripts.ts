import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { contains, realPath } from '../../domain/paths.ts'
import { loadedFiles } from './loaded-files.ts'

/** Bytes of a script whose content counts: what is longer is no text that somebody wrote. */
const longestScript = 1_000_000
/** Bytes of an index that is looked through; in a greater one every file counts as kept. */
const longestIndex = 64_000_000

/** A file of the project that a launch runs: its path from the top of the work tree, and what stands in it. */
type ProjectFile = readonly [path: string, text: string]

/** What the files of a command line are. */
export type ProjectScripts = {
  /** Those that it names, or that a name in it leads to. */
  readonly scripts: readonly ProjectFile[]
  /** Those that these load, and what those load. */
  readonly loaded: readonly ProjectFile[]
}

/**
 * Of the files that a command line names, and of those that they load, the ones that a change of somebody else's may bring here (`git pull`): they lie in the same git
 * work tree as the file that says the command line, and git keeps them. What was built or written here and is not in git is nobody else's.
 *
 * @param said - absolute path of the file that says the command line
 * @param named - absolute paths of the files, and the folders in which programs look for what they load
 * @returns of one file once
 */
export function scriptsOf(
  said: string,
  { paths, folders }: { readonly paths: readonly string[]; readonly folders: readonly string[] },
): ProjectScripts {
  const top = workTreeOf(dirname(realPath(said)))
  if (top === undefined) return { scripts: [], loaded: [] }
  const isKept = keptBy()
  const texts = new Map<string, string | undefined>()
  const textAt = (path: string): string | undefined => {
    if (!texts.has(path)) {
      const counts = contains({ folder: top, path }) && isScript(path) && isKept(path)
      texts.set(path, counts ? textOf(readFileSync(path)) : undefined)
    }
    return texts.get(path)
  }
  const named = [...new Set(paths.map(realPath))].filter((path) => textAt(path) !== undefined)
  const shown = (path: string): ProjectFile => [slashed(relative(top, path)), textAt(path)!]
  return {
    scripts: named.map(shown),
    loaded: loadedFiles(named, { textOf: textAt, top, folders }).map(shown),
  }
}

/** Of bytes that are no UTF-8 each is a character, so that none is lost. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

function isScript(path: string): boolean {
  if (!existsSync(path)) return false
  const found = statSync(path)
  return found.isFile() && found.size <= longestScript
}

/** The nearest folder at or above this one that is the top of a work tree. */
function workTreeOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : workTreeOf(above)
}

/** Whether git's index of the nearest work tree has a file: the submodule, where it lies in one. Each index is read once. */
function keptBy(): (path: string) => boolean {
  const indexes = new Map<string, Buffer | 'none' | 'not read'>()
  return (path) => {
    const top = workTreeOf(dirname(path))
    if (top === undefined) return false
    if (!indexes.has(top)) indexes.set(top, indexOf(top))
    const index = indexes.get(top)!
    if (typeof index === 'string') return index === 'not read'
    return index.includes(`${slashed(relative(top, path))}\0`)
  }
}

/** Where the index cannot be looked through, every file counts as kept. */
function indexOf(top: string): Buffer | 'none' | 'not read' {
  const folder = gitFolderOf(join(top, '.git'))
  const index = statSync(join(folder, 'index'), { throwIfNoEntry: false })
  if (index?.isFile() !== true) return 'none'
  if (index.size > longestIndex) return 'not read'
  const bytes = readFileSync(join(folder, 'index'))
  const isSplit = readdirSync(folder).some((name) => name.startsWith('sharedindex.'))
  return isPlain(bytes) && !isSplit ? bytes : 'not read'
}

/** Of worktrees and submodules `.git` is a file that names the folder. */
function gitFolderOf(place: string): string {
  if (!statSync(place).isFile()) return place
  const [, named = ''] = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8')) ?? []
  return resolve(dirname(place), named.trim())
}

/**
 * Versions 2 and 3 of the index write each path whole and end it with a NUL; others shorten them.
 *
 * @see https://git-scm.com/docs/index-format
 */
const isPlain = (index: Buffer): boolean =>
  index.subarray(0, 4).toString('latin1') === 'DIRC' && [2, 3].includes(index.readUInt32BE(4))

const slashed = (path: string): string => path.split(sep).join('/')
