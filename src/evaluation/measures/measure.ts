import type { Grades, Ranking } from '../../domain/ranking.ts'

/** What is known of the right answers to one query. */
export type Judgements = {
  readonly grades: Grades
  /** One list per thing that is needed, any member of which serves; absent: every relevant candidate is needed. */
  readonly needs?: readonly (readonly string[])[]
}

/** One way to put a number on a ranking. Higher is better. */
export type Measure = {
  /** As in JSON and on the command line, without its cutoff: `ndcg`. */
  readonly name: string
  /** As in reports, without its cutoff: `nDCG`. */
  readonly title: string
  /** What it says of a ranking, in one sentence. */
  readonly explanation: string
  /** Whether `name@k` may carry a cutoff; without one, the whole ranking counts. */
  readonly cutoff: 'optional' | 'none'
  /**
   * @param k - candidates looked at, from the first; integer >= 1, or Infinity for all
   * @returns never NaN; 0 for an empty ranking
   */
  at(ranking: Ranking, judgements: Judgements, k: number): number
  /**
   * Whether the query can tell good rankings from bad ones by this measure. A query it does not apply to belongs in no
   * mean: leave it out and say how many there were. Absent: it applies to every query, as in trec_eval.
   */
  appliesTo?(judgements: Judgements): boolean
}

/** The grade as gain: 0 for candidates that are unjudged or judged not relevant. */
export const gainOf = (grades: Grades, id: string): number => Math.max(grades.get(id) ?? 0, 0)

/** Candidates judged relevant, retrieved or not. */
export function relevantOf(grades: Grades): number {
  let count = 0
  for (const grade of grades.values()) if (grade > 0) count += 1
  return count
}

/** Relevant candidates among the first k. */
export function relevantWithin(ranking: Ranking, grades: Grades, k: number): number {
  const end = Math.min(k, ranking.length)
  let count = 0
  for (let index = 0; index < end; index += 1) if (gainOf(grades, ranking[index]!.id) > 0) count += 1
  return count
}
