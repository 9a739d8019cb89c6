import { addTo } from '../domain/grouped.ts'
import { modelKey } from '../domain/model-card.ts'
import { neutral, posteriorMean, strengths, type Tally } from '../retrieval/record/success-estimate.ts'
import type { ModelTask, TaskTable } from './task-table.ts'

/** What is to be expected of a model in a task. */
export type ModelEstimate = {
  /** Share of the task that it does well, 0..1: shrunken. */
  readonly estimate: number
  /** Where that lies in nineteen of twenty cases. */
  readonly low: number
  readonly high: number
  /** Tasks that it was tried on. */
  readonly outcomes: number
  /** The nearest of them, best first; none where no task was given. */
  readonly nearest: readonly NearTask[]
}

/** @param nearness - 0..1 */
type NearTask = { readonly task: string; readonly score: number; readonly nearness: number }

/** Nearest tasks that are heard of each model. */
const mostNear = 100
/** A task counts as its nearness to this power: 0.9 counts 0.66, 0.5 counts 0.06. */
const sharpness = 4
/** What a model's mean weighs in the estimate for a task, in outcomes on tasks as near as can be. */
const nearStrength = 1
const shownNear = 3

/**
 * What was seen of models, to be asked about tasks: their outcomes on the same request, shrunken toward those on the nearest ones, these
 * toward the model's mean over all of its tasks, and that toward the mean of all models, as the track record does.
 */
export function modelEstimates(tables: readonly TaskTable[]): {
  /** Keys of the models that have outcomes. */
  readonly known: ReadonlySet<string>
  /** @param task - null for the means */
  of(task: ModelTask | null): (model: string) => ModelEstimate
} {
  const outcomes = new Map<string, Seen[]>()
  for (const [table, { rows }] of tables.entries())
    for (const [row, { scores }] of rows.entries())
      for (const [model, score] of Object.entries(scores))
        addTo(outcomes, modelKey(model), { table, row, score })
  const tallies = new Map([...outcomes].map(([key, list]) => [key, tallyOf(list)]))
  const all = posteriorMean(tallyOf([...outcomes.values()].flat()), neutral, 2)
  return {
    known: new Set(outcomes.keys()),
    of(task) {
      const nearness = task === null ? [] : tables.map((table) => table.nearness(task))
      return (model) => {
        const key = modelKey(model)
        const list = outcomes.get(key) ?? []
        const own = tallies.get(key) ?? { weight: 0, successes: 0 }
        const mean = posteriorMean(own, all, strengths.card)
        if (task === null)
          return {
            ...withInterval(mean, own.weight + strengths.card),
            outcomes: list.length,
            nearest: [],
          }
        const { same, nearest } = evidenceOf(list, ({ table, row }) => nearness[table]![row]!)
        const near = tallyOf(nearest, (one) => one.nearness ** sharpness)
        const strength = near.weight + nearStrength
        // As many as the record's prior is worth weigh as much as all that is known of other requests.
        const itself = tallyOf(same, () => Math.max(1, strength / strengths.near))
        const expected = posteriorMean(near, mean, nearStrength)
        return {
          ...withInterval(posteriorMean(itself, expected, strength), itself.weight + strength),
          outcomes: list.length,
          nearest: [...same, ...nearest].slice(0, shownNear).map(({ table, row, score, nearness: at }) => ({
            task: tables[table]!.rows[row]!.task,
            score,
            nearness: at,
          })),
        }
      }
    },
  }
}

type Seen = { readonly table: number; readonly row: number; readonly score: number }

/** What tells of a request: outcomes on itself, and on the nearest others, best first. */
function evidenceOf(list: readonly Seen[], nearnessOf: (one: Seen) => number) {
  const all = new Float32Array(list.length)
  let same = 0
  for (let at = 0; at < all.length; at += 1) {
    all[at] = nearnessOf(list[at]!)
    if (all[at] === 1) same += 1
  }
  const least = largest(all, same + mostNear)
  const near: (Seen & { readonly nearness: number })[] = []
  for (let at = 0; at < all.length; at += 1)
    if (all[at]! >= least) near.push({ ...list[at]!, nearness: all[at]! })
  near.sort((a, b) => b.nearness - a.nearness || a.table - b.table || a.row - b.row)
  return { same: near.slice(0, same), nearest: near.slice(same, same + mostNear) }
}

/** The value that so many reach; the least where there are fewer. */
export const largest = (values: Float32Array, count: number): number =>
  values.slice().sort()[Math.max(0, values.length - count)] ?? 0

function tallyOf<One extends { readonly score: number }>(
  list: readonly One[],
  weightOf: (one: One) => number = () => 1,
): Tally {
  let [weight, successes] = [0, 0]
  for (const one of list) {
    const counts = weightOf(one)
    weight += counts
    successes += counts * one.score
  }
  return { weight, successes }
}

/** Standard deviations to either side. */
const twoSides = 1.96

function withInterval(estimate: number, weight: number): Pick<ModelEstimate, 'estimate' | 'low' | 'high'> {
  const reach = twoSides * Math.sqrt((estimate * (1 - estimate)) / (weight + 1))
  return { estimate, low: Math.max(0, estimate - reach), high: Math.min(1, estimate + reach) }
}
