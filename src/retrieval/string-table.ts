/** Strings in ascending order of their UTF-16 code units, stored as UTF-8 with offsets; decoded one by one when asked. */
export type StringTable = {
  readonly size: number
  at(index: number): string
  /** Index of a string, or -1. */
  indexOf(text: string): number
  /** Index of the first string that is not before `text`. */
  lowerBound(text: string): number
}

/** @param sorted - ascending by code units, without repeats */
export function packStrings(sorted: readonly string[]): {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
} {
  const offsets = new Uint32Array(sorted.length + 1)
  const encoded = sorted.map((text) => Buffer.from(text, 'utf8'))
  encoded.forEach((text, index) => {
    offsets[index + 1] = offsets[index]! + text.length
  })
  return { bytes: new Uint8Array(Buffer.concat(encoded)), offsets }
}

/** Opens what {@link packStrings} made. */
export function stringTable(bytes: Uint8Array, offsets: Uint32Array): StringTable {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = offsets.length - 1
  const at = (index: number): string => buffer.toString('utf8', offsets[index], offsets[index + 1])
  const lowerBound = (text: string): number => {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at(middle) < text) low = middle + 1
      else high = middle
    }
    return low
  }
  const indexOf = (text: string): number => {
    const index = lowerBound(text)
    return index < size && at(index) === text ? index : -1
  }
  return { size, at, lowerBound, indexOf }
}
