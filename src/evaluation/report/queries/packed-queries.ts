import type { QueryOutcome } from '../../runs/evaluation-run.ts'

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
