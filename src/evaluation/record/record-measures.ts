import { successGrade } from '../../domain/outcome.ts'
import {
  byEstimate,
  isMeasured,
  type Placed,
  placedBy,
  recordBaselines,
  type RecordRanker,
  type RecordTask,
} from './record-rankings.ts'
import { perCent } from '../report/numbers.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'
import { randomisationTest } from '../statistics/randomisation-test.ts'
import { seededRandom } from '../statistics/seeded-random.ts'
import type { RecordIndex } from '../../retrieval/record/record-index.ts'

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

/** How often the tasks are halved. */
const repeats = 20
/** Tasks beyond these are left out of the halving, which replays each half anew. */
const mostTasks = 200

/**
 * How steady the figure is: the tasks are halved at random again and again, and each half is replayed by itself.
 *
 * @param recordOf - the record of the half's other tasks
 * @returns a note for people
 */
export function randomHalves(
  tasks: readonly RecordTask[],
  recordOf: (task: RecordTask, half: readonly RecordTask[]) => RecordIndex,
): string {
  const random = seededRandom(1)
  const own: number[] = []
  const gains: number[] = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const shuffled = tasks
      .slice(0, mostTasks)
      .map((task) => ({ task, key: random.uint32() }))
      .sort((a, b) => a.key - b.key)
      .map(({ task }) => task)
    const half = shuffled.slice(0, Math.ceil(shuffled.length / 2))
    const means = meansOver(half, recordOf)
    if (means === undefined) continue
    own.push(means[0]!)
    gains.push(means[0]! - means[1]!)
  }
  const said = (values: readonly number[]): string => {
    const { mean, deviation } = spreadOf(values)
    return `${(100 * mean).toFixed(1)} (standard deviation ${(100 * deviation).toFixed(1)})`
  }
  return `Over ${own.length} random halves of the tasks, each with the record of that half alone: ${tiedMeasures[0]!.name} ${said(own)}, above the order of the platforms by ${said(gains)}.`
}

/** @returns the means of the record and of the platforms' order; undefined when no task of the half was solved */
function meansOver(
  half: readonly RecordTask[],
  recordOf: (task: RecordTask, half: readonly RecordTask[]) => RecordIndex,
): readonly number[] | undefined {
  const rankers = [byEstimate, recordBaselines[1]!]
  const values = half.filter(isMeasured).map((task) => {
    const record = recordOf(task, half)
    return rankers.map((ranker) => tiedMeasures[0]!.of(placedBy(ranker, record, task)))
  })
  if (values.length === 0) return undefined
  return rankers.map((_, at) => values.reduce((sum, row) => sum + row[at]!, 0) / values.length)
}

function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) }
}

/** Scores nearer than this are equal: sums of the same numbers in another order may differ in their last bits. */
const sameWithin = 1e-9

/**
 * nDCG@k of a ranking with ties, on average over all orders of the tied ones: each of their places holds the mean of their gains.
 * How ties fall then decides nothing.
 *
 * @param candidates - score and gain >= 0 of each, in any order
 * @returns 0..1; 0 when nothing has gain
 * @see McSherry & Najork, Computing information retrieval performance measures efficiently in the presence of tied scores,
 *   ECIR 2008
 */
export function tiedNdcg(
  candidates: readonly { readonly score: number; readonly gain: number }[],
  k: number,
): number {
  const ideal = discounted(
    candidates.map(({ gain }) => gain).sort((a, b) => b - a),
    k,
  )
  if (ideal === 0) return 0
  const ranked = [...candidates].sort((a, b) => b.score - a.score)
  const gains: number[] = []
  while (gains.length < ranked.length) {
    const first = ranked[gains.length]!.score
    const tied = ranked.slice(gains.length).filter(({ score }) => first - score < sameWithin)
    const mean = tied.reduce((sum, { gain }) => sum + gain, 0) / tied.length
    gains.push(...tied.map(() => mean))
  }
  return discounted(gains, k) / ideal
}

const discounted = (gains: readonly number[], k: number): number =>
  gains.slice(0, k).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
