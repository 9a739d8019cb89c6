import { deflateRawSync } from 'node:zlib'

/** Packed columns by name: raw deflate, written in base64. The page inflates a column when it needs it. */
export type PackedColumns = { readonly [name: string]: string }

/**
 * Integers of 0..2^32-1 as planes: how many planes there are, then the lowest byte of every number, the next byte of
 * every number, and so on, as many as the largest needs. Equal high bytes lie side by side, which deflate likes.
 */
export function planes(values: readonly number[]): Uint8Array {
  let largest = 0
  for (const value of values) if (value > largest) largest = value
  const width = largest < 2 ** 8 ? 1 : largest < 2 ** 16 ? 2 : largest < 2 ** 24 ? 3 : 4
  const bytes = new Uint8Array(1 + values.length * width)
  bytes[0] = width
  for (let plane = 0; plane < width; plane++) {
    const from = 1 + plane * values.length
    for (let at = 0; at < values.length; at++) bytes[from + at] = (values[at] ?? 0) >>> (8 * plane)
  }
  return bytes
}

/** A whole number of either sign as one that is not negative: 0, -1, 1, -2 become 0, 1, 2, 3. */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

/** Not in the middle of a surrogate pair: both halves would be lost. */
const sharedLength = (before: string, text: string): number => {
  const most = Math.min(before.length, text.length)
  let length = 0
  while (length < most && before.charCodeAt(length) === text.charCodeAt(length)) length++
  const last = text.charCodeAt(length - 1)
  return length > 0 && last >= 0xd800 && last < 0xdc00 ? length - 1 : length
}

/**
 * Texts as three columns: how many letters (UTF-16 code units) each shares with the start of the one before, how many
 * follow, and those that follow, joined. Lone surrogates become U+FFFD.
 */
export function textColumns(
  name: string,
  texts: readonly string[],
): { readonly [column: string]: Uint8Array } {
  const shared: number[] = []
  const lengths: number[] = []
  const letters: string[] = []
  let before = ''
  for (const raw of texts) {
    const text = raw.toWellFormed()
    const common = sharedLength(before, text)
    shared.push(common)
    lengths.push(text.length - common)
    letters.push(text.slice(common))
    before = text
  }
  return {
    [`${name}.shared`]: planes(shared),
    [`${name}.lengths`]: planes(lengths),
    [`${name}.letters`]: new TextEncoder().encode(letters.join('')),
  }
}

/** A column as it stands in the page. Numbers gain next to nothing from deflate's slowest level, and cost it much. */
export const packed = (bytes: Uint8Array): string =>
  deflateRawSync(bytes, { level: 6, memLevel: 9 }).toString('base64')
