import type { Signals } from '../../retrieval/answer.ts'
import type { QueryOutcome } from '../evaluation-run.ts'

/** A query as the page shows it: texts are printable, numbers rounded. Ranks are from 1; 0 for not retrieved. */
export type ReportQuery = Pick<QueryOutcome, 'id' | 'part' | 'text' | 'match' | 'tokens'> & {
  readonly group?: string | undefined
  readonly measures: { readonly [measure: string]: number | undefined }
  /** Of the headline measure against the baseline. */
  readonly change?: number | undefined
  readonly candidates: readonly ReportCandidate[]
  /** The most relevant first. */
  readonly relevant: readonly ReportRelevant[]
}

/** `before` is the rank in the baseline. */
type ReportStanding = { readonly id: string; readonly grade: number; readonly before: number }

type ReportRelevant = ReportStanding & { readonly rank: number }

export type ReportCandidate = ReportStanding & {
  readonly score?: number | undefined
  /** Why it stands where it does, where that is kept. */
  readonly signals?: ReportSignals | undefined
}

export type ReportSignals = Pick<Signals, 'coverage' | 'matched' | 'facets' | 'duplicates'> & {
  readonly [name in 'lexical' | 'dense' | 'reading' | 'crossEncoder' | 'lift']?: Signals[name] | undefined
}

/** What a page must know of its queries before it unpacks them. */
export type QueryFacts = {
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

/** Of queries kept in full: letters of the text, candidates, and (of every query) relevant candidates. */
export const fullText = 4000
export const fullCandidates = 10
export const relevantKept = 20
