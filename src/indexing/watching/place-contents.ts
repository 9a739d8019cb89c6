import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { glob } from 'tinyglobby'
import { isFolder } from '../../domain/paths.ts'
import { realPath } from '../../domain/paths.ts'
import { neverRead, walkFolder } from '../walk-folder.ts'

/** Folders whose entries tell what happens at a place. */
export type PlaceFolders = {
  readonly kind: 'file' | 'folder' | 'missing'
  /**
   * Of a file the one it lies in; of a folder itself, those below, and those where files lie that links lead to; of what is not there the
   * nearest that is.
   */
  readonly folders: readonly string[]
}

/** @param linksTo - absolute folders that links may lead to */
export async function foldersOf(
  place: string,
  signal: AbortSignal,
  linksTo: readonly string[] = [],
): Promise<PlaceFolders> {
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) return { kind: 'missing', folders: [nearestFolder(place)] }
  if (!found.isDirectory()) return { kind: 'file', folders: each([dirname(place), dirname(realPath(place))]) }
  const below = await glob('**', {
    cwd: place,
    dot: true,
    ignore: neverRead,
    absolute: true,
    onlyDirectories: true,
    followSymbolicLinks: false,
    signal,
  })
  const own = [place, ...below.map((one) => one.replace(/(?<=.)\/$/, ''))]
  return { kind: 'folder', folders: each([...own, ...(await linkedFolders(place, signal, linksTo))]) }
}

/** Folders of the files that links lead to: what happens to those shows where they lie. */
async function linkedFolders(
  place: string,
  signal: AbortSignal,
  linksTo: readonly string[],
): Promise<readonly string[]> {
  const { files } = await walkFolder(place, signal, linksTo)
  return files.flatMap((file) => foldersBetween(file, realPath(file), place))
}

/** Folders from where a file lies in the end up to the one that the link on its way leads to: more files may come to be in each. */
function foldersBetween(file: string, target: string, place: string): readonly string[] {
  if (file === target || file === place) return []
  const [above, targetAbove] = [dirname(file), dirname(target)]
  const isSame = basename(file) === basename(target) && above !== place
  return [targetAbove, ...(isSame ? foldersBetween(above, targetAbove, place) : [])]
}

const each = (folders: readonly string[]): readonly string[] => [...new Set(folders)]

function nearestFolder(path: string): string {
  const above = dirname(path)
  const isThere = statSync(above, { throwIfNoEntry: false })?.isDirectory() === true
  return isThere || above === path ? above : nearestFolder(above)
}

const signatureOf = (lines: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** What tells without reading whether something changed at a place: its files, with their sizes and times. */
export async function looksOf(
  place: string,
  signal: AbortSignal,
  linksTo: readonly string[] = [],
): Promise<{ readonly signature: string; readonly newestMs: number }> {
  const inFolder = isFolder(place)
  const files = inFolder ? (await walkFolder(place, signal, linksTo)).files : [place]
  const { folders } = inFolder ? await foldersOf(place, signal, linksTo) : { folders: [] }
  const looks = [...files, ...folders].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path, size: found.isFile() ? found.size : 0, time: found.mtimeMs }]
  })
  return {
    signature: signatureOf(looks.map(({ path, size, time }) => `${path} ${size} ${time}`)),
    newestMs: looks.reduce((newest, { time }) => Math.max(newest, time), 0),
  }
}
