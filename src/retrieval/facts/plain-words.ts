import { seedOf } from '../../domain/random.ts'
import { spacelessScripts } from '../../domain/text/word-rules.ts'

/** Words as written, lower-cased, function words and numbers among them; each character of a script without spaces. */
export const plainWords = (text: string): readonly string[] => text.toLowerCase().match(word) ?? []

const word = new RegExp(String.raw`[${spacelessScripts}]|[[\p{L}\p{M}\p{N}]--[${spacelessScripts}]]+`, 'gv')

/** A byte for each of the first {@link plainWords}: read one after the other, so that no list of a long text's words is held. */
export function wordBytes(text: string, most: number): Uint8Array {
  const lower = text.toLowerCase()
  const bytes = new Uint8Array(Math.min(most, lower.length))
  let count = 0
  word.lastIndex = 0
  for (let found = word.exec(lower); found !== null && count < bytes.length; found = word.exec(lower))
    bytes[count++] = wordByte(found[0])
  return bytes.subarray(0, count)
}

/** FNV-1a folded to 1..255. */
function wordByte(text: string): number {
  const value = seedOf(text)
  return (((value ^ (value >>> 16)) >>> 0) % 255) + 1
}
