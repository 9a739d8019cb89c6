import type { QueryOutcome } from '../runs/evaluation-run.ts'

/** What a page must know of its queries before it unpacks them. */
export type QueryFacts = {
  readonly parts: readonly string[]
  readonly groups: readonly string[]
  /** Measures kept per query, the headline first. */
  readonly measures: readonly string[]
  /** Queries in the page, and in the run. */
  readonly queries: number
  readonly ofQueries: number
  /** Queries kept in full. */
  readonly full: number
  /** Letters and candidates kept of the others. */
  readonly letters: number
  readonly candidates: number
  readonly hasBaseline: boolean
}

/** The list of queries as columns: one entry per query in each. */
export type PackedList = {
  readonly texts: readonly string[]
  readonly ids: readonly string[]
  /** Numbers of parts and groups; -1 for no group. */
  readonly part: readonly number[]
  readonly group: readonly number[]
  readonly match: readonly QueryOutcome['match'][]
  readonly tokens: readonly number[]
  /** 1 where it is kept why the candidates are there. */
  readonly explained: readonly (0 | 1)[]
  /** The headline measure in the baseline; null for none. */
  readonly baseline: readonly (number | null)[]
  /** By measure, then by query. */
  readonly measures: readonly (readonly (number | null)[])[]
}

/** What of a candidate's signals is seldom there. */
export type RareSignals = {
  readonly lift?: { readonly from: string; readonly share: number }
  /** Numbers from 0. */
  readonly facets?: readonly number[]
  readonly duplicates?: readonly string[]
}

/** Why the candidates of a query stand where they do: one entry per candidate in each column, null for none. */
export type PackedSignals = {
  readonly words: readonly string[]
  /** Numbers of `words`. */
  readonly matched: readonly (readonly number[] | null)[]
  /** Of a hundred; null for a candidate without signals. */
  readonly coverage: readonly (number | null)[]
  readonly lexical: readonly (number | null)[]
  /** In hundredths. */
  readonly dense: readonly (number | null)[]
  readonly crossEncoder: readonly (number | null)[]
  readonly extras: readonly (RareSignals | 0)[]
}

/** Rankings: one entry per query in each column. Candidates are numbers of `ids`; ranks are from 1, 0 for not retrieved. */
export type PackedDetails = {
  readonly ids: readonly string[]
  readonly candidates: readonly (readonly number[])[]
  readonly scores: readonly (readonly (number | null)[])[]
  readonly grades: readonly (readonly number[])[]
  /** Ranks in the baseline. */
  readonly before: readonly (readonly number[])[]
  readonly relevant: readonly (readonly (readonly [
    id: number,
    grade: number,
    rank: number,
    before: number,
  ])[])[]
  /** 0 where none are kept. */
  readonly signals: readonly (PackedSignals | 0)[]
}

/** How much of each query a report keeps. What is left out stands in the run's own file. */
export type DetailLevel = {
  /** Queries listed at all, the telling ones first. */
  readonly queries: number
  /** Queries kept in full: whole text, ten candidates and why each is there. The telling ones first. */
  readonly full: number
  /** Letters kept of the other queries' texts. */
  readonly letters: number
  /** Candidates kept of the other queries. */
  readonly candidates: number
  /** Measures kept per query, the headline first. */
  readonly measures: number
}

/** Of queries kept in full: letters of the text, candidates, and (of every query) relevant candidates. */
export const fullText = 4000
export const fullCandidates = 10
export const relevantKept = 20

const all = Number.MAX_SAFE_INTEGER

/**
 * Levels from the most to the least, tried in this order until a report fits. First the reasons of unremarkable queries
 * go, then the tails of texts, then candidates, at last queries.
 */
export const detailLevels: readonly DetailLevel[] = [
  { queries: all, full: all, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 8000, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 4000, letters: fullText, candidates: 10, measures: 6 },
  { queries: all, full: 2000, letters: 1000, candidates: 10, measures: 3 },
  { queries: all, full: 2000, letters: 300, candidates: 10, measures: 2 },
  { queries: all, full: 1000, letters: 150, candidates: 10, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 7, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: all, full: 1000, letters: 80, candidates: 3, measures: 1 },
  { queries: all, full: 1000, letters: 60, candidates: 1, measures: 1 },
  { queries: 30_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 10_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 1000, full: 200, letters: 100, candidates: 5, measures: 1 },
  { queries: 100, full: 0, letters: 100, candidates: 1, measures: 1 },
]
