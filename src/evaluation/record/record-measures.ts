import { successGrade } from '../../domain/outcome.ts'
import { perCent } from '../per-cent.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'
import { randomisationTest } from '../statistics/randomisation-test.ts'
import type { Placed, RecordRanker } from './record-rankings.ts'
import { tiedNdcg } from './tied-ndcg.ts'

/** A measure that averages over all orders of candidates with equal scores. */
type TiedMeasure = { readonly name: string; of(placed: Placed): number }

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

/**
 * The means of rankers side by side, the first measure with its interval, and how far the one that was chosen is above each: by that
 * measure, task by task, with the p-value of a paired randomisation test.
 */
export function baselineNotes(
  placed: ReadonlyMap<RecordRanker, readonly Placed[]>,
  chosen: RecordRanker,
): readonly string[] {
  const [headline] = tiedMeasures
  const figures = (tasks: readonly Placed[]): string =>
    tiedMeasures
      .map(({ name, of }, place) => {
        const { mean, low, high } = bootstrapMean(tasks.map(of))
        const interval = place === 0 ? ` [${perCent(low)}, ${perCent(high)}]` : ''
        return `${name} ${perCent(mean)}${interval}`
      })
      .join(', ')
  const own = placed.get(chosen)!.map(headline!.of)
  const above = (tasks: readonly Placed[]): string => {
    const differences = tasks.map((task, at) => own[at]! - headline!.of(task))
    const { mean, low, high } = bootstrapMean(differences)
    const p = randomisationTest(differences)
    return `${chosen.name} is ${signed(mean)} [${signed(low)}, ${signed(high)}] above it, p ${p < 0.001 ? '<0.001' : p.toFixed(3)} (paired)`
  }
  return [...placed]
    .filter(([ranker]) => ranker !== chosen)
    .map(([{ name }, tasks]) => `For comparison, ${name}: ${figures(tasks)}; ${above(tasks)}.`)
}

const signed = (share: number): string => `${share >= 0 ? '+' : ''}${perCent(share)}`
