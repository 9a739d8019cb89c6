import type { Fault, JudgedPart, Shop } from './shop.ts'
import { dot } from './texts.ts'

/**
 * How near the reader must see a piece of the whole to a part, -1..1. Of 12 requests merged by hand from the bundled catalog's tasks it lets
 * 26 of 27 parts pass, and 0.3% of the tasks that are no part.
 */
export const leastNear = 0.65

/** Shorter clauses ask for nothing by themselves. */
const leastWords = 4

/** How the reader and the language model judged parts. */
export type EntailmentReport = {
  /** Who decided: the language model where there is one, else the reader. */
  readonly by: string
  readonly reader: string
  readonly threshold: number
  /** Parts that were judged, those that the reader and those that the model found entailed. */
  readonly pairs: number
  readonly byReader: number
  readonly byModel: number | null
  /** Share of parts on which both say the same, and Cohen's kappa of them; null where the reader judged alone. */
  readonly agreement: number | null
  readonly kappa: number | null
}

/** @returns null when the whole entails each part, else what is missing */
export async function entailment(whole: string, parts: readonly string[], shop: Shop): Promise<Fault | null> {
  const { readings } = shop.ground
  const pieces = piecesOf(whole)
  const vectors = await readings.of([...parts, ...pieces])
  const read = vectors.slice(parts.length)
  let missing: Fault | null = null
  for (const [place, part] of parts.entries()) {
    const near = Math.max(...read.map((vector) => dot(vectors[place]!, vector)))
    const reader = near >= leastNear
    const verdict = shop.isByRule ? null : await shop.ask('entails', { task: whole, part })
    const model = verdict?.isEntailed ?? null
    shop.judged.push({ reader, model })
    if (shop.isByRule ? reader : model === true) continue
    const reason = shop.isByRule || model !== null ? 'not-entailed' : 'no-verdict'
    missing ??= { reason, why: reason === 'no-verdict' ? part : `it does not ask for: ${part}` }
  }
  return missing
}

/** The whole, its sentences, two of them in a row, and clauses: any of these may be what a part became. */
function piecesOf(whole: string): readonly string[] {
  const sentences = whole.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== '')
  const pairs = sentences.slice(1).map((sentence, at) => `${sentences[at]} ${sentence}`)
  const clauses = sentences
    .flatMap((sentence) => sentence.split(/[,;:]\s+|\s(?:and|while)\s/u))
    .filter((clause) => clause.split(' ').length >= leastWords)
  return [...new Set([whole, ...sentences, ...pairs, ...clauses])]
}

/** Sums up what was judged; undefined when nothing was. */
export function entailmentReport(
  judged: readonly JudgedPart[],
  by: { readonly writer: string; readonly reader: string; readonly isByRule: boolean },
): EntailmentReport | undefined {
  if (judged.length === 0) return undefined
  const both = judged.filter(({ model }) => model !== null)
  const same = both.filter(({ reader, model }) => reader === model).length
  const share = (of: (one: JudgedPart) => boolean | null) =>
    both.filter((one) => of(one) === true).length / Math.max(1, both.length)
  const [ofReader, ofModel] = [share(({ reader }) => reader), share(({ model }) => model)]
  const chance = ofReader * ofModel + (1 - ofReader) * (1 - ofModel)
  const agreement = both.length === 0 ? null : same / both.length
  return {
    by: by.isByRule ? by.reader : by.writer,
    reader: by.reader,
    threshold: leastNear,
    pairs: judged.length,
    byReader: judged.filter(({ reader }) => reader).length,
    byModel: by.isByRule ? null : judged.filter(({ model }) => model === true).length,
    agreement,
    kappa: agreement === null || chance === 1 ? null : (agreement - chance) / (1 - chance),
  }
}
