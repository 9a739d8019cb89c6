import { successGrade } from '../../domain/outcome.ts'
import { perCent } from '../per-cent.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'
import { byEstimate, type Placed, type RecordRanker } from './record-rankings.ts'
import { tiedNdcg } from './tied-ndcg.ts'

/** A measure that averages over all orders of candidates with equal scores. */
export type TiedMeasure = { readonly name: string; of(placed: Placed): number }

const solved = (grade: number): number => (grade >= successGrade ? 1 : 0)
const points = (grade: number): number => grade - 1

const measure = (name: string, k: number, gainOf: (grade: number) => number): TiedMeasure => ({
  name: `${name}@${k}`,
  of: (placed) =>
    tiedNdcg(
      placed.map(({ score, grade }) => ({ score, gain: gainOf(grade) })),
      k,
    ),
})

/** Relevant is who solved the task (grade 4 or 5); graded, the gain is the grade less one. */
export const tiedMeasures: readonly TiedMeasure[] = [
  measure('ndcg', 5, solved),
  measure('ndcg', 20, solved),
  measure('graded-ndcg', 5, points),
  measure('graded-ndcg', 20, points),
]

/** The means of rankers side by side, the first measure with its interval. */
export function baselineNotes(placed: ReadonlyMap<RecordRanker, readonly Placed[]>): readonly string[] {
  const figures = (tasks: readonly Placed[]): string =>
    tiedMeasures
      .map(({ name, of }, place) => {
        const { mean, low, high } = bootstrapMean(tasks.map(of))
        const interval = place === 0 ? ` [${perCent(low)}, ${perCent(high)}]` : ''
        return `${name} ${perCent(mean)}${interval}`
      })
      .join(', ')
  return [...placed]
    .filter(([ranker]) => ranker !== byEstimate)
    .map(([{ name }, tasks]) => `For comparison, ${name}: ${figures(tasks)}.`)
}
