import { createHash } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { bytesOfRounded, type RoundedVector, roundedOfBytes } from './rounded-vector.ts'

/** What a model made of texts before. Whatever is wrong with its file: the texts are read again. */
export type VectorCache = {
  /** What is known of each, in order. */
  find(texts: readonly string[]): readonly (RoundedVector | undefined)[]
  /** Keeps what was read, for every process that comes later. */
  add(read: readonly { readonly text: string; readonly vector: RoundedVector }[]): void
}

type CacheOptions = {
  readonly file: string
  /** Values of a vector. */
  readonly dimensions: number
  /** What besides a text tells what is read of it. */
  readonly salt: string
  /** Bytes from which on the file is begun anew: some 600,000 cards. @defaultValue 256 MiB */
  readonly mostBytes?: number
}

/** What is known of the file: to where it was read, and where each text's record lies. */
type Known = { readonly inode: number; end: number; readonly places: Map<string, number> }

const chunkBytes = 1 << 22

/**
 * A file of records that are only ever added, each in one piece, so that several processes may write it at once and one that is killed
 * leaves at most a torn record behind.
 */
export function vectorCache({ file, dimensions, salt, mostBytes = 1 << 28 }: CacheOptions): VectorCache {
  const size = recordSize(dimensions)
  let known: Known | undefined

  const keyOf = (text: string): string =>
    createHash('sha256').update(`${salt}\n${text}`).digest().subarray(0, keyBytes).toString('latin1')

  /** Reads what was added since the last time; all of it where another file stands in its place. */
  const catchUp = (handle: number): Known => {
    const { ino: inode, size: length } = fstatSync(handle)
    if (known?.inode !== inode || length < known.end) known = { inode, end: 0, places: new Map() }
    const { places } = known
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, length - known.end)))
    while (known.end < length) {
      const read = readSync(handle, chunk, 0, chunk.length, known.end)
      const { records, passed } = recordsIn(chunk.subarray(0, read), size)
      for (const { key, at } of records) places.set(key, known.end + at)
      if (passed === 0) break
      known.end += passed
    }
    return known
  }

  const vectorAt = (handle: number, place: number): RoundedVector => {
    const record = Buffer.allocUnsafe(size)
    readSync(handle, record, 0, size, place)
    const [found] = recordsIn(record, size).records
    return roundedOfBytes(found!.vector, [dimensions])
  }

  return {
    find: (texts) =>
      trying(
        texts.map(() => undefined),
        () =>
          withFile(openSync(file, 'r'), (handle) => {
            const { places } = catchUp(handle)
            return texts.map((text) => {
              const place = places.get(keyOf(text))
              return place === undefined ? undefined : vectorAt(handle, place)
            })
          }),
      ),
    add: (read) =>
      trying(undefined, () => {
        const records = Buffer.concat(
          read.map(({ text, vector }) =>
            recordOf(Buffer.from(keyOf(text), 'latin1'), bytesOfRounded(vector)),
          ),
        )
        mkdirSync(dirname(file), { recursive: true })
        const length = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        if (length + records.length > mostBytes) rmSync(file)
        withFile(openSync(file, 'a'), (handle) => writeSync(handle, records))
      }),
  }
}

/** A cache that is not there, or cannot be used, is no error. */
function trying<T>(otherwise: T, use: () => T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}

function withFile<T>(handle: number, use: (handle: number) => T): T {
  try {
    return use(handle)
  } finally {
    closeSync(handle)
  }
}

/** What each record begins with: where one is torn, the next is found by it. */
const mark = Buffer.from([0xa7, 0x52, 0xd1, 0x0d])
/** Bytes of a text's hash. */
const keyBytes = 16
const checkBytes = 4
const headBytes = mark.length + keyBytes

/** Bytes of the record of a vector of so many values: mark, key, largest value, values, checksum. */
export const recordSize = (dimensions: number): number => headBytes + 4 + dimensions + checkBytes

/** @param vector - as `bytesOfRounded` gives it */
function recordOf(key: Uint8Array, vector: Uint8Array): Buffer {
  const record = Buffer.concat([mark, key, vector, Buffer.alloc(checkBytes)])
  const end = record.length - checkBytes
  record.writeUInt32LE(checkOf(record.subarray(0, end)), end)
  return record
}

type FoundRecord = {
  /** As text of one letter a byte. */
  readonly key: string
  /** Its first byte. */
  readonly at: number
  readonly vector: Uint8Array
}

/**
 * The whole records among some bytes. Those that are torn or damaged are passed over.
 *
 * @returns also how many bytes were passed: what follows may be the beginning of a record
 */
function recordsIn(
  bytes: Buffer,
  size: number,
): { readonly records: readonly FoundRecord[]; readonly passed: number } {
  const records: FoundRecord[] = []
  let at = 0
  for (;;) {
    const found = bytes.indexOf(mark, at)
    // The last bytes may be the beginning of a mark.
    if (found < 0) return { records, passed: Math.max(at, bytes.length - mark.length + 1) }
    at = found
    if (at + size > bytes.length) return { records, passed: at }
    const end = at + size - checkBytes
    if (checkOf(bytes.subarray(at, end)) === bytes.readUInt32LE(end)) {
      const key = bytes.toString('latin1', at + mark.length, at + headBytes)
      records.push({ key, at, vector: bytes.subarray(at + headBytes, end) })
      at += size
    } else at += 1
  }
}

/** FNV-1a: tells damage, not intent. */
function checkOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash >>> 0
}
