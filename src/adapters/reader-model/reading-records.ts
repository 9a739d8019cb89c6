/** What each record begins with: where one is torn, the next is found by it. */
const mark = Buffer.from([0xa7, 0x52, 0xd1, 0x0d])
/** Bytes of a text's hash. */
export const keyBytes = 16
const checkBytes = 4
const headBytes = mark.length + keyBytes

/** Bytes of the record of a vector of so many values: mark, key, largest value, values, checksum. */
export const recordSize = (dimensions: number): number => headBytes + 4 + dimensions + checkBytes

/** @param vector - as `bytesOfRounded` gives it */
export function recordOf(key: Uint8Array, vector: Uint8Array): Buffer {
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
export function recordsIn(
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
