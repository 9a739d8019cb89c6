import type { QueryOutcome } from '../../evaluation-run.ts'
import { planes, zigzag } from './columns.ts'
import type { Dictionary } from './dictionary.ts'
import type { KeptQuery } from './kept-queries.ts'

/** The range of a run's scores. */
export type ScoreRange = { readonly low: number; readonly high: number; readonly steps: number }

/** Ranks from 1, by id; an id that was not retrieved has none. */
function ranksOf(outcome: QueryOutcome | undefined): ReadonlyMap<string, number> {
  return new Map(outcome?.candidates.map(({ id }, at) => [id, at + 1]))
}

/** The range of the scores that are shown. */
export function scoreRange(kept: readonly KeptQuery[], steps: number): ScoreRange {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const query of kept) {
    for (const { score } of query.candidates) {
      if (!Number.isFinite(score)) continue
      low = Math.min(low, score)
      high = Math.max(high, score)
    }
  }
  return low > high ? { low: 0, high: 0, steps } : { low, high, steps }
}

/** The step a score falls on; a score that is no number falls on the lowest. */
const stepOf = (score: number, { low, high, steps }: ScoreRange): number =>
  Number.isFinite(score) && high > low ? Math.round(((score - low) / (high - low)) * steps) : 0

/**
 * Candidates and relevant candidates of all queries, one after the other. A score stands as its step below the candidate
 * before it. A rank of 0 means not retrieved.
 */
export function candidateColumns(kept: readonly KeptQuery[], ids: Dictionary, range: ScoreRange) {
  const candidate: number[] = []
  const fall: number[] = []
  const grade: number[] = []
  const before: number[] = []
  const needed: number[] = []
  const relevantGrade: number[] = []
  const relevantRank: number[] = []
  const relevantBefore: number[] = []
  for (const query of kept) {
    const ranks = ranksOf(query.outcome)
    const ranksBefore = ranksOf(query.baseline)
    let last = range.steps
    for (const { id, score } of query.candidates) {
      const step = stepOf(score, range)
      candidate.push(ids.numberOf(id))
      fall.push(zigzag(last - step))
      grade.push(query.outcome.relevant[id] ?? 0)
      before.push(ranksBefore.get(id) ?? 0)
      last = step
    }
    for (const [id, given] of query.relevant) {
      needed.push(ids.numberOf(id))
      relevantGrade.push(given)
      relevantRank.push(ranks.get(id) ?? 0)
      relevantBefore.push(ranksBefore.get(id) ?? 0)
    }
  }
  return {
    candidates: planes(kept.map(({ candidates }) => candidates.length)),
    candidate: planes(candidate),
    fall: planes(fall),
    grade: planes(grade),
    before: planes(before),
    relevants: planes(kept.map(({ relevant }) => relevant.length)),
    relevant: planes(needed),
    'relevant.grade': planes(relevantGrade),
    'relevant.rank': planes(relevantRank),
    'relevant.before': planes(relevantBefore),
  }
}
