import type { RecordIndex } from '../../retrieval/record/record-index.ts'
import { seededRandom } from '../statistics/seeded-random.ts'
import { tiedMeasures } from './record-measures.ts'
import {
  byEstimate,
  isMeasured,
  type Placed,
  placedBy,
  type RecordRanker,
  type RecordTask,
  recordBaselines,
} from './record-rankings.ts'

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
  const measure = tiedMeasures[0]!
  const own: number[] = []
  const gains: number[] = []
  const platforms = recordBaselines[1]!
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const shuffled = tasks
      .slice(0, mostTasks)
      .map((task) => ({ task, key: random.uint32() }))
      .sort((a, b) => a.key - b.key)
      .map(({ task }) => task)
    const half = shuffled.slice(0, Math.ceil(shuffled.length / 2))
    const means = meansOver(half, recordOf, [byEstimate, platforms], measure.of)
    if (means === undefined) continue
    own.push(means[0]!)
    gains.push(means[0]! - means[1]!)
  }
  const said = (values: readonly number[]): string => {
    const { mean, deviation } = spreadOf(values)
    return `${(100 * mean).toFixed(1)} (standard deviation ${(100 * deviation).toFixed(1)})`
  }
  return `Over ${own.length} random halves of the tasks, each with the record of that half alone: ${measure.name} ${said(own)}, above the order of the platforms by ${said(gains)}.`
}

/** @returns a mean per ranker; undefined when no task of the half was solved */
function meansOver(
  half: readonly RecordTask[],
  recordOf: (task: RecordTask, half: readonly RecordTask[]) => RecordIndex,
  rankers: readonly RecordRanker[],
  measured: (placed: Placed) => number,
): readonly number[] | undefined {
  const values = half.filter(isMeasured).map((task) => {
    const record = recordOf(task, half)
    return rankers.map((ranker) => measured(placedBy(ranker, record, task)))
  })
  if (values.length === 0) return undefined
  return rankers.map((_, at) => values.reduce((sum, row) => sum + row[at]!, 0) / values.length)
}

function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) }
}
