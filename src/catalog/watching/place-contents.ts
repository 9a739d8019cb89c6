import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { glob } from 'tinyglobby'
import { neverRead, walkFolder } from '../walk-folder.ts'

/** Folders whose entries tell what happens at a place. */
export type PlaceFolders = {
  readonly kind: 'file' | 'folder' | 'missing'
  /** Of a file the one it lies in; of a folder itself and those below; of what is not there the nearest that is. */
  readonly folders: readonly string[]
}

export async function foldersOf(place: string, signal: AbortSignal): Promise<PlaceFolders> {
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) return { kind: 'missing', folders: [nearestFolder(place)] }
  if (!found.isDirectory()) return { kind: 'file', folders: [dirname(place)] }
  const below = await glob('**', {
    cwd: place,
    dot: true,
    ignore: neverRead,
    absolute: true,
    onlyDirectories: true,
    signal,
  })
  return {
    kind: 'folder',
    folders: [...new Set([place, ...below.map((one) => one.replace(/(?<=.)\/$/, ''))])],
  }
}

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
): Promise<{ readonly signature: string; readonly newestMs: number }> {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  const files = isFolder ? (await walkFolder(place, signal)).files : [place]
  const { folders } = isFolder ? await foldersOf(place, signal) : { folders: [] }
  const looks = [...files, ...folders].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path, size: found.isFile() ? found.size : 0, time: found.mtimeMs }]
  })
  return {
    signature: signatureOf(looks.map(({ path, size, time }) => `${path} ${size} ${time}`)),
    newestMs: looks.reduce((newest, { time }) => Math.max(newest, time), 0),
  }
}
