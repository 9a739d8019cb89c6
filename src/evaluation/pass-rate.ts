import { wilson } from '../domain/statistics.ts'
import type { Estimate } from './evaluation-run.ts'
import { bootstrapMean } from './statistics/bootstrap.ts'
import { holm, randomisationTest } from './statistics/randomisation-test.ts'

/** One run of a model on a task. */
export type PassRun = {
  /** The same for the same task in every toolset. */
  readonly task: string
  /** How its tools were chosen. */
  readonly toolset: string
  /** Null where nobody could judge. */
  readonly isSolved: boolean | null
  /** It was stopped at a limit of time, steps, tokens or money. */
  readonly isLimited: boolean
  readonly tokens: number | null
  readonly cost: number | null
}

/** What a model solved with tools that were chosen in one way. */
export type PassRow = {
  readonly toolset: string
  readonly runs: number
  /** Share of the judged runs that solved their task. */
  readonly rate: Estimate
  readonly ungraded: number
  readonly limited: number
  /** Means over the runs that told; null where none did. */
  readonly tokens: number | null
  readonly cost: number | null
  /** Dollars of all runs for each that solved its task. */
  readonly costPerSolved: number | null
}

/** Two toolsets by the tasks that were judged in both. */
export type PassPair = {
  readonly toolset: string
  readonly other: string
  readonly difference: Estimate
  /** Tasks that only the one solved, and only the other. */
  readonly won: number
  readonly lost: number
  /** Of a paired randomisation test; after Holm's correction over all pairs. */
  readonly p: number
  readonly pHolm: number
}

/** Share of tasks that were solved, by toolset in the order they come, and every two of them compared task by task. */
export function passRates(runs: readonly PassRun[]): {
  readonly rows: readonly PassRow[]
  readonly pairs: readonly PassPair[]
} {
  const toolsets = [...new Set(runs.map(({ toolset }) => toolset))]
  const of = (name: string) => runs.filter(({ toolset }) => toolset === name)
  const pairs = toolsets.flatMap((toolset, at) =>
    toolsets
      .slice(at + 1)
      .map((other) => ({ toolset, other, differences: differencesOf(of(toolset), of(other)) })),
  )
  const ps = pairs.map(({ differences }) => randomisationTest(differences))
  const corrected = holm(ps)
  return {
    rows: toolsets.map((toolset) => rowOf(toolset, of(toolset))),
    pairs: pairs.map(({ toolset, other, differences }, at) => ({
      toolset,
      other,
      difference: bootstrapMean(differences),
      won: differences.filter((one) => one > 0).length,
      lost: differences.filter((one) => one < 0).length,
      p: ps[at]!,
      pHolm: corrected[at]!,
    })),
  }
}

function rowOf(toolset: string, runs: readonly PassRun[]): PassRow {
  const judged = runs.flatMap(({ isSolved }) => (isSolved === null ? [] : [Number(isSolved)]))
  const solved = judged.filter((one) => one === 1).length
  const costs = runs.flatMap(({ cost }) => cost ?? [])
  return {
    toolset,
    runs: runs.length,
    rate: { mean: meanOf(judged) ?? 0, ...wilson(solved, judged.length, 1.96), queries: judged.length },
    ungraded: runs.length - judged.length,
    limited: runs.filter(({ isLimited }) => isLimited).length,
    tokens: meanOf(runs.flatMap(({ tokens }) => tokens ?? [])),
    cost: meanOf(costs),
    costPerSolved: costs.length === 0 || solved === 0 ? null : sum(costs) / solved,
  }
}

function differencesOf(ours: readonly PassRun[], theirs: readonly PassRun[]): readonly number[] {
  const other = new Map(theirs.map(({ task, isSolved }) => [task, isSolved]))
  return ours.flatMap(({ task, isSolved }) => {
    const rival = other.get(task) ?? null
    return isSolved === null || rival === null ? [] : [Number(isSolved) - Number(rival)]
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length
