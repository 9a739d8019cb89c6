import type { fieldNames } from '../text/card-texts.ts'

/** One field's part in the score. */
type FieldSetting = {
  /** Weight of the field's term frequency, >= 0. */
  readonly weight: number
  /** Length normalisation: 0 none, 1 full. */
  readonly b: number
}

/**
 * BM25F over the card's fields: term frequencies are normalised by field length, weighted, added, and saturated once.
 * Weights were chosen by coordinate search on the train sets of ToolRet's format and checked on the dev sets; the
 * optimum is flat (docs/decisions/0002-lexical-index.md).
 *
 * @see Robertson, Zaragoza & Taylor, CIKM 2004; Zaragoza et al., TREC 2004. Idf is Lucene's, never negative.
 */
export const bm25f = {
  /** Saturation: how fast repeats of a term stop counting. > 0. */
  k1: 2,
  fields: {
    name: { weight: 1.5, b: 0.7 },
    description: { weight: 1, b: 0.6 },
    parameters: { weight: 0.4, b: 0.5 },
    examples: { weight: 0.4, b: 0.7 },
    body: { weight: 0.4, b: 0.7 },
  },
} as const satisfies {
  readonly k1: number
  readonly fields: { readonly [field in (typeof fieldNames)[number]]: FieldSetting }
}

/** Inverse document frequency, >= 0. */
export const inverseDocumentFrequency = (documents: number, documentFrequency: number): number =>
  Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5))

/** Saturated term frequency, 0..k1+1. */
export const saturate = (weightedFrequency: number): number =>
  (weightedFrequency * (bm25f.k1 + 1)) / (bm25f.k1 + weightedFrequency)
