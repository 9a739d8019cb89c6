import { planes, zigzag } from './columns.ts'
import type { Dictionary } from './dictionary.ts'
import { candidatesOf, type KeptQuery } from './kept-queries.ts'

/** The range of a run's scores. */
export type ScoreRange = { readonly low: number; readonly high: number; readonly steps: number }

/** The range of the scores that are shown. */
export function scoreRange(kept: readonly KeptQuery[], steps: number): ScoreRange {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const query of kept) {
    for (const { score } of candidatesOf(query)) {
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
  for (const query of kept) {
    let last = range.steps
    for (const [at, { id, score }] of candidatesOf(query).entries()) {
      const step = stepOf(score, range)
      candidate.push(ids.numberOf(id))
      fall.push(zigzag(last - step))
      grade.push(query.outcome.relevant[id] ?? 0)
      before.push(query.before[at] ?? 0)
      last = step
    }
  }
  const relevant = kept.flatMap((query) => query.relevant)
  return {
    candidates: planes(kept.map(({ shown }) => shown)),
    candidate: planes(candidate),
    fall: planes(fall),
    grade: planes(grade),
    before: planes(before),
    relevants: planes(kept.map((query) => query.relevant.length)),
    relevant: planes(relevant.map(({ id }) => ids.numberOf(id))),
    'relevant.grade': planes(relevant.map((one) => one.grade)),
    'relevant.rank': planes(relevant.map((one) => one.rank)),
    'relevant.before': planes(relevant.map((one) => one.before)),
  }
}
