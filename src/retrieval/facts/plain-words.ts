/** Words as written, lower-cased, function words and numbers among them; each character of a script without spaces. */
export const plainWords = (text: string): readonly string[] => text.toLowerCase().match(word) ?? []

const spaceless = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`
const word = new RegExp(String.raw`[${spaceless}]|[[\p{L}\p{M}\p{N}]--[${spaceless}]]+`, 'gv')

/** FNV-1a folded to 1..255. */
export function wordByte(text: string): number {
  let value = 2166136261
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619) >>> 0
  return (((value ^ (value >>> 16)) >>> 0) % 255) + 1
}
