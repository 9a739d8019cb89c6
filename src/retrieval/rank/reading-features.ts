import { readingShares, type ScoreList } from './fusion.ts'

/** What a ranker knows of a candidate beside `featureNames` where cards were read. Missing values are NaN. */
export const readingFeatureNames = [
  'reading', // cosine of the readings of request and card
  'reading-gap', // to the best reading of the query, <= 0
  'reading-scaled', // min-max among the retrieved
  'reading-rank', // 1 / (60 + rank) times 61, among the retrieved; 0 when not retrieved
  'reading-head', // less the mean reading of the retrieved
  // The same for all candidates of a query:
  'query-reading', // best reading
  'query-reading-spread', // best reading less the hundredth, or the last there is
] as const

/** Those of them whose growth never speaks against a candidate. */
export const risingReadingFeatures: readonly (typeof readingFeatureNames)[number][] = [
  ...(['reading', 'reading-gap', 'reading-scaled', 'reading-rank'] as const),
]

/** What a reader found for one text. */
export type TextReading = {
  /** Cosines of the cards that it found, best first; empty where no card was read. */
  readonly list: ScoreList
  /** Of a card that it did not find; NaN of one that was not read. */
  readonly of: (document: number) => number
}

type ReadingFeatures = {
  /** Values of {@link readingFeatureNames} for a candidate, in their order. */
  of(document: number): readonly number[]
  /** What `fused` is of a candidate: the scaled scores of all three retrievers by their shares. */
  fused(document: number, scaled: { readonly lexical: number; readonly dense: number }): number
}

/** Features of what was read, over the candidates of one text. */
export function readingFeatures({ list, of }: TextReading): ReadingFeatures {
  const values = [...list.values()]
  const best = values[0] ?? Number.NaN
  const least = values.at(-1) ?? Number.NaN
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const ranks = new Map([...list.keys()].map((document, rank) => [document, rank]))
  const readingOf = (document: number): number => list.get(document) ?? of(document)
  const scaledOf = (reading: number): number =>
    reading >= best ? 1 : reading > least ? (reading - least) / (best - least) : 0
  return {
    of(document) {
      const reading = readingOf(document)
      const rank = ranks.get(document)
      return [
        reading,
        reading - best,
        scaledOf(reading),
        rank === undefined ? 0 : 61 / (61 + rank),
        reading - mean,
        best,
        best - least,
      ]
    },
    fused: (document, { lexical, dense }) =>
      readingShares.lexical * lexical +
      readingShares.dense * dense +
      readingShares.reading * scaledOf(readingOf(document)),
  }
}
