import { createHash } from 'node:crypto'
import { normalisedText } from '../../../../src/evaluation/equivalence.ts'

/** Share of the queries that are held out. */
export const heldOutShare = 0.2
/** A part with so many queries has at least one of them held out. */
const fewest = 5

/** A query with the part it belongs to. */
type SplitQuery = { readonly part: string; readonly text: string }

/**
 * Texts whose queries are held out for validation: about a fifth. Every query of one normalised text falls on the same
 * side, in whichever part it stands: all queries of Part III repeat one of Part I or II, and a split by id would leak.
 *
 * @returns normalised texts; the same for the same queries and seed, in any order
 */
export function validationTexts(queries: readonly SplitQuery[], seed: string): ReadonlySet<string> {
  const places = new Map<string, number>()
  const textsOf = new Map<string, string[]>()
  for (const query of queries) {
    const text = normalisedText(query.text)
    if (!places.has(text)) places.set(text, placeOf(text, seed))
    const ofPart = textsOf.get(query.part)
    if (ofPart === undefined) textsOf.set(query.part, [text])
    else ofPart.push(text)
  }
  const chosen = new Set([...places].filter(([, place]) => place < heldOutShare).map(([text]) => text))
  for (const texts of textsOf.values()) {
    if (texts.length < fewest || texts.some((text) => chosen.has(text))) continue
    const [first] = texts.sort((a, b) => places.get(a)! - places.get(b)!)
    chosen.add(first!)
  }
  return chosen
}

/** A number of 0..1 that only the text and the seed determine. */
export const placeOf = (text: string, seed: string): number =>
  createHash('sha256').update(`${seed}\n${text}`).digest().readUIntBE(0, 6) / 2 ** 48
