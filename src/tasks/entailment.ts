import type { JudgedPart, Shop } from './shop.ts'
import { dot } from './texts.ts'

/**
 * How near the reader must see a sentence of the whole to a part, -1..1. Over the bundled catalog's tasks, merged by hand and by rule,
 * parts lie above it and other tasks below: see docs/tasks.md.
 */
export const leastNear = 0.7

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
export async function entailment(
  whole: string,
  parts: readonly string[],
  shop: Shop,
): Promise<string | null> {
  const { readings } = shop.ground
  const pieces = piecesOf(whole)
  const vectors = await readings.of([...parts, ...pieces])
  const read = vectors.slice(parts.length)
  let missing: string | null = null
  for (const [place, part] of parts.entries()) {
    const near = Math.max(...read.map((vector) => dot(vectors[place]!, vector)))
    const reader = near >= leastNear
    const verdict = shop.isByRule ? null : await shop.ask('entails', { task: whole, part })
    const model = verdict?.isEntailed ?? null
    shop.judged.push({ reader, model })
    if (!(shop.isByRule ? reader : model === true)) missing ??= `it does not ask for: ${part}`
  }
  return missing
}

/** The whole, its sentences, and two sentences in a row, which one part may fill. */
function piecesOf(whole: string): readonly string[] {
  const sentences = whole.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== '')
  const pairs = sentences.slice(1).map((sentence, at) => `${sentences[at]} ${sentence}`)
  return [...new Set([whole, ...sentences, ...pairs])]
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
