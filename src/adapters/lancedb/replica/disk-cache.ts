import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Files on this machine's disk that can be had again from object storage: each carries the SHA-256 of its bytes, and all have a bound. */
export type DiskCache = {
  readonly folder: string
  /**
   * Reads a file from its start to its end, and compares its digest.
   *
   * @param begin - told the size; what it gives takes the pieces, in order, with the place of their first byte
   * @returns the digest, in hex; null when there is no such file, or it is not what was written: then it is removed
   */
  read(name: string, begin: (size: number) => (piece: Uint8Array, at: number) => void): Promise<string | null>
  /** Some bytes of a file that was read before. @throws Error when it is gone, or shorter */
  part(name: string, start: number, end: number): Promise<Uint8Array>
  /** Writes a file, which is there whole or not at all. @returns its digest; null when the disk does not take it */
  write(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string | null>
  /** Keeps files from being taken for unused, and removes those that were unused for longest, while all are larger than the bound. */
  tidy(used: readonly string[]): Promise<void>
}

const digestBytes = 32
const pieceBytes = 4 * 1024 * 1024
/** A file that was used a moment ago may be of another process. */
const usedMs = 5 * 60_000

/** @param mostBytes - of all files; those in use may take more */
export function diskCache(folder: string, mostBytes = 4 * 1024 ** 3): DiskCache {
  const pathOf = (name: string): string => join(folder, name)
  return {
    folder,
    async read(name, begin) {
      const digest = await opened(pathOf(name), (file) => readWhole(file, begin)).catch(() => undefined)
      if (typeof digest === 'string')
        await utimes(pathOf(name), new Date(), new Date()).catch(() => undefined)
      else if (digest === null) await rm(pathOf(name), { force: true }).catch(() => undefined)
      return digest ?? null
    },
    part: (name, start, end) =>
      opened(pathOf(name), async (file) => {
        const bytes = new Uint8Array(end - start)
        const { bytesRead } = await file.read(bytes, 0, bytes.length, digestBytes + start)
        if (bytesRead < bytes.length) throw new Error(`${pathOf(name)} is shorter than it was`)
        return bytes
      }),
    async write(name, pieces) {
      const draft = pathOf(`${name}.${randomUUID()}.draft`)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const digest = await writeWhole(draft, pieces)
        await rename(draft, pathOf(name))
        return digest
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        if (error instanceof Error && 'code' in error && 'syscall' in error) return null
        throw error // of what gives the pieces
      }
    },
    async tidy(used) {
      for (const name of used) await utimes(pathOf(name), new Date(), new Date()).catch(() => undefined)
      await removeUnused(folder, mostBytes).catch(() => undefined)
    },
  }
}

async function opened<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** @returns its digest; null when it is not the one that was written */
async function readWhole(file: FileHandle, begin: Parameters<DiskCache['read']>[1]): Promise<string | null> {
  const size = (await file.stat()).size - digestBytes
  const written = Buffer.alloc(digestBytes)
  await file.read(written, 0, digestBytes, 0)
  const take = begin(Math.max(0, size))
  const hash = createHash('sha256')
  const buffer = new Uint8Array(Math.min(pieceBytes, Math.max(1, size)))
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, digestBytes + at)
    if (bytesRead === 0) return null
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    take(piece, at)
    at += bytesRead
  }
  const digest = hash.digest()
  return digest.equals(written) ? digest.toString('hex') : null
}

async function writeWhole(path: string, pieces: Parameters<DiskCache['write']>[1]): Promise<string> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    await file.writeFile(new Uint8Array(digestBytes))
    for await (const piece of pieces) {
      hash.update(piece)
      await file.writeFile(piece)
    }
    const digest = hash.digest()
    await file.write(digest, 0, digestBytes, 0)
    return digest.toString('hex')
  } finally {
    await file.close()
  }
}

async function removeUnused(folder: string, mostBytes: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path)
      return { path, size, mtimeMs }
    }),
  )
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, mtimeMs } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (bytes <= mostBytes || Date.now() - mtimeMs < usedMs) return
    await rm(path, { force: true })
    bytes -= size
  }
}
