import type { QueryOutcome } from '../../runs/evaluation-run.ts'
import { fullCandidates, relevantKept } from './detail-level.ts'

/** A relevant candidate with its ranks, from 1, in the run and in the baseline; 0 where it was not retrieved. */
export type RankedRelevant = {
  readonly id: string
  readonly grade: number
  readonly rank: number
  readonly before: number
}

/** A query of a run beside the same query of the baseline. */
export type RankedQuery = {
  readonly outcome: QueryOutcome
  readonly baseline: QueryOutcome | undefined
  /** Ranks in the baseline of the first candidates, from 1; 0 where it was not retrieved. */
  readonly before: readonly number[]
  /** The most relevant first, then by id. */
  readonly relevant: readonly RankedRelevant[]
}

/** Ranks from 1, by id; an id that was not retrieved has none. */
const ranksOf = (outcome: QueryOutcome | undefined): ReadonlyMap<string, number> =>
  new Map(outcome?.candidates.map(({ id }, at) => [id, at + 1]))

/** Looks ranks up once: a report is packed at several levels of detail. */
export function rankedQuery(outcome: QueryOutcome, baseline: QueryOutcome | undefined): RankedQuery {
  const ranks = ranksOf(outcome)
  const ranksBefore = ranksOf(baseline)
  const before = outcome.candidates.slice(0, fullCandidates).map(({ id }) => ranksBefore.get(id) ?? 0)
  const relevant = Object.entries(outcome.relevant)
    .sort(([a, gradeOfA], [b, gradeOfB]) => gradeOfB - gradeOfA || (a < b ? -1 : 1))
    .slice(0, relevantKept)
    .map(([id, grade]) => ({ id, grade, rank: ranks.get(id) ?? 0, before: ranksBefore.get(id) ?? 0 }))
  return { outcome, baseline, before, relevant }
}
