import { createHash } from 'node:crypto'

/** Share of the queries that are held out. */
const heldOutShare = 0.2
/** A part with so many queries has at least one of them held out. */
const fewest = 5

/** A query with the part it belongs to. */
export type SplitQuery = { readonly part: string; readonly text: string }

/**
 * Texts whose queries are held out for validation: about a fifth. Every query of one normalised text falls on the same
 * side, in whichever part it stands: all queries of Part III repeat one of Part I or II, and a split by id would leak.
 *
 * @returns normalised texts; the same for the same queries and seed, in any order
 */
export function validationTexts(queries: readonly SplitQuery[], seed: string): ReadonlySet<string> {
  const places = new Map(queries.map(({ text }) => [text, placeOf(normalisedText(text), seed)]))
  const chosen = new Set(
    [...places].filter(([, place]) => place < heldOutShare).map(([text]) => normalisedText(text)),
  )
  const parts = new Map<string, string[]>()
  for (const { part, text } of queries) parts.set(part, [...(parts.get(part) ?? []), text])
  for (const texts of parts.values()) {
    if (texts.length < fewest || texts.some((text) => chosen.has(normalisedText(text)))) continue
    const [first] = texts.map(normalisedText).sort((a, b) => placeOf(a, seed) - placeOf(b, seed))
    chosen.add(first!)
  }
  return chosen
}

/** A text without case, punctuation and the width of spaces; the text itself when nothing else is in it. */
export function normalisedText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase()
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? plain.replace(/\s+/g, ' ').trim() : words
}

/** A number of 0..1 that only the text and the seed determine. */
const placeOf = (text: string, seed: string): number =>
  createHash('sha256').update(`${seed}\n${text}`).digest().readUIntBE(0, 6) / 2 ** 48
