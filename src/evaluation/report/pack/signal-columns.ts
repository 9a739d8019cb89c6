import type { Signals } from '../../../retrieval/answer.ts'
import { planes } from './columns.ts'
import type { Dictionary } from './dictionary.ts'
import { candidatesOf, type KeptQuery } from './kept-queries.ts'

/** Bits of a set of small numbers: words of a query, or its facets. */
const mostBits = 32

/** Steps of the lexical score. */
const lexicalSteps = 4095

/** The signals that are kept of a query, one entry per candidate shown; empty when it is not kept in full. */
export const shownSignals = (query: KeptQuery): readonly (Signals | undefined)[] => {
  if (!query.full) return []
  const signals = candidatesOf(query).map((candidate) => candidate.signals)
  return signals.some((one) => one !== undefined) ? signals : []
}

/**
 * The words any candidate of a query matched: first those that head a candidate's list, then the second ones, and so on.
 * Of more than there are bits for, the least informative are lost.
 */
export function wordsOf(signals: readonly (Signals | undefined)[]): readonly string[] {
  const places = new Map<string, number>()
  for (const signal of signals) {
    for (const [place, word] of signal?.matched.entries() ?? [])
      places.set(word, Math.min(place, places.get(word) ?? place))
  }
  return [...places.keys()].sort((a, b) => places.get(a)! - places.get(b)!).slice(0, mostBits)
}

/** The largest lexical score: the end of its scale. */
export const highestLexical = (kept: readonly KeptQuery[]): number => {
  const scores = kept.flatMap((query) => shownSignals(query).map((one) => one?.lexical ?? 0))
  return scores.reduce((highest, score) => (Number.isFinite(score) ? Math.max(highest, score) : highest), 0)
}

const bits = (numbers: readonly number[]): number =>
  numbers
    .filter((number) => number >= 0 && number < mostBits)
    .reduce((set, number) => (set | (1 << number)) >>> 0, 0)

const clamped = (value: number, low: number, high: number): number =>
  Number.isNaN(value) ? low : Math.max(low, Math.min(high, value))

/** A share of 0..1, in hundredths. */
const hundredths = (share: number): number => Math.round(clamped(share, 0, 1) * 100)

/** A relevance of the cross-encoder, a probability or a logit, in thousandths from the lowest that is kept. */
const thousandths = (relevance: number): number => Math.round((clamped(relevance, -1000, 1000) + 1000) * 1000)

/**
 * Why candidates stand where they do. Numbers that may be absent are 0 when they are, else one more than their step. A
 * candidate's words are bits over the words of its query.
 */
export function signalColumns(
  kept: readonly KeptQuery[],
  ids: Dictionary,
  words: Dictionary,
  highest: number,
) {
  const perQuery = kept.map(shownSignals)
  const vocabularies = perQuery.map(wordsOf)
  const each = perQuery.flatMap((signals, query) =>
    signals.map((signal) => ({ signal, vocabulary: vocabularies[query] ?? [] })),
  )
  const column = (value: (signal: Signals, vocabulary: readonly string[]) => number): Uint8Array =>
    planes(each.map(({ signal, vocabulary }) => (signal === undefined ? 0 : value(signal, vocabulary))))
  const step = (lexical: number): number =>
    highest > 0 ? Math.round((clamped(lexical, 0, highest) / highest) * lexicalSteps) : 0
  return {
    signals: planes(perQuery.map(({ length }) => length)),
    words: planes(vocabularies.map(({ length }) => length)),
    word: planes(vocabularies.flatMap((vocabulary) => vocabulary.map(words.numberOf))),
    matched: column(({ matched }, vocabulary) => bits(matched.map((word) => vocabulary.indexOf(word)))),
    coverage: column(({ coverage }) => hundredths(coverage) + 1),
    lexical: column(({ lexical }) => (lexical === undefined ? 0 : step(lexical) + 1)),
    dense: column(({ dense }) => (dense === undefined ? 0 : Math.round(clamped(dense, -1, 1) * 1000) + 1001)),
    crossEncoder: column(({ crossEncoder }) =>
      crossEncoder === undefined ? 0 : thousandths(crossEncoder) + 1,
    ),
    lifter: column(({ lift }) => (lift === undefined ? 0 : ids.numberOf(lift.from) + 1)),
    lifted: column(({ lift }) => (lift === undefined ? 0 : hundredths(lift.share))),
    facets: column(({ facets }) => bits(facets)),
    duplicates: column(({ duplicates }) => duplicates.length),
    duplicate: planes(each.flatMap(({ signal }) => signal?.duplicates.map(ids.numberOf) ?? [])),
  }
}
