import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { contains, realPath } from '../../domain/paths.ts'

/** Bytes of a script whose content counts: what is longer is no text that somebody wrote. */
const longestScript = 1_000_000
/** Bytes of an index that is looked through; in a greater one every file counts as kept. */
const longestIndex = 64_000_000

/**
 * Of the files that a command line names, those that a change of somebody else's may bring here (`git pull`): they lie in the same git
 * work tree as the file that says the command line, and git keeps them. What was built or written here and is not in git is nobody else's.
 *
 * @param said - absolute path of the file that says the command line
 * @param paths - absolute
 * @returns of each its path from the top of the work tree, and its text; of one file once
 */
export function scriptsOf(said: string, paths: readonly string[]): readonly (readonly [string, string])[] {
  const top = workTreeOf(dirname(realPath(said)))
  if (top === undefined) return []
  const files = [...new Set(paths.map(realPath))].filter(
    (path) => contains({ folder: top, path }) && isScript(path) && isKept(path),
  )
  return files.map((path) => [slashed(relative(top, path)), textOf(readFileSync(path))] as const)
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
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= longestScript
}

/** The nearest folder at or above this one that is the top of a work tree. */
function workTreeOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : workTreeOf(above)
}

/** Whether git's index of the nearest work tree has a file: the submodule, where it lies in one. */
function isKept(path: string): boolean {
  const top = workTreeOf(dirname(path))
  if (top === undefined) return false
  const folder = gitFolderOf(join(top, '.git'))
  const index = statSync(join(folder, 'index'), { throwIfNoEntry: false })
  if (index?.isFile() !== true) return false
  if (index.size > longestIndex) return true
  const bytes = readFileSync(join(folder, 'index'))
  if (!isPlain(bytes) || readdirSync(folder).some((name) => name.startsWith('sharedindex.'))) return true
  return bytes.includes(`${slashed(relative(top, path))}\0`)
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
