import type { Grades, Ranking } from '../../domain/ranking.ts'
import type { Judgements } from './measure.ts'

/** Score and grade of every judged candidate, side by side. */
type JudgedOrder = { readonly scores: readonly number[]; readonly grades: readonly number[] }

/**
 * The judged candidates as two orders over one set. Unjudged candidates are passed over; judged ones that the ranking
 * lacks are tied with each other, below all that it has.
 */
export function judgedOrder(ranking: Ranking, known: Grades): JudgedOrder {
  const scores: number[] = []
  const grades: number[] = []
  for (const { id, score } of ranking) {
    const grade = known.get(id)
    if (grade === undefined) continue
    // A finite stand-in keeps the worst of scores above those that are missing.
    scores.push(Math.max(score, -Number.MAX_VALUE))
    grades.push(grade)
  }
  const ranked = scores.length === known.size ? undefined : new Set(ranking.map(({ id }) => id))
  for (const [id, grade] of known) {
    if (ranked === undefined || ranked.has(id)) continue
    scores.push(Number.NEGATIVE_INFINITY)
    grades.push(grade)
  }
  return { scores, grades }
}

/** Orders can agree or not only where the judges saw a difference. */
export const hasSeveralGrades = ({ grades }: Judgements): boolean => new Set(grades.values()).size > 1
