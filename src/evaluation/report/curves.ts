import { grouped } from '../../domain/grouped.ts'
import { headlineOf } from './numbers.ts'
import type { Estimate, EvaluationRun, QueryOutcome } from '../evaluation-run.ts'
import { bootstrapMean } from '../statistics/bootstrap.ts'

/** What stands at one rank, and what would stand there in the best order of all that is judged. */
export type RankGain = {
  readonly rank: number
  /** Mean grade over the queries; 0 for what is not judged, and where the ranking has ended. */
  readonly gain: number
  readonly oracle: number
  /** Of the grades that the oracle has in the first ranks up to here, the share that the ranking has. */
  readonly share: number
}

/** Queries whose wanted cards are wanted about as often. */
export type PopularityRegime = {
  /** Queries of the run that the most wanted of their cards serves: from `least` to `most`. */
  readonly least: number
  readonly most: number
  /** By the headline measure. */
  readonly estimate: Estimate
}

/** What the means of a run hide. */
export type RunCurves = {
  readonly gainByRank: readonly RankGain[]
  /** From the least to the most wanted. */
  readonly popularity: readonly PopularityRegime[]
}

/** Ranks that are looked at: as many as the papers rank. */
const mostRanks = 20

export const curvesOf = (run: Pick<EvaluationRun, 'outcomes' | 'measures'>): RunCurves => ({
  gainByRank: gainByRank(run.outcomes, mostRanks),
  popularity: popularityRegimes(run.outcomes, headlineOf(run)),
})

/**
 * Mean grades by rank, beside those of an oracle that orders all judged candidates by their grades. Queries that nothing serves are left out.
 *
 * @see AgentSearchBench, 2026, figure 4: the gap between what descriptions rank and what execution would
 */
export function gainByRank(outcomes: readonly QueryOutcome[], ranks: number): readonly RankGain[] {
  const served = outcomes.filter(({ relevant }) => Object.keys(relevant).length > 0)
  if (served.length === 0) return []
  const ideals = served.map(({ relevant }) => Object.values(relevant).sort((a, b) => b - a))
  const meanAt = (gradeAt: (query: number) => number | undefined): number =>
    served.reduce((sum, _, query) => sum + (gradeAt(query) ?? 0), 0) / served.length
  const sums = { gain: 0, oracle: 0 }
  return Array.from({ length: ranks }, (_, at) => {
    const gain = meanAt((query) => {
      const { candidates, relevant } = served[query]!
      return relevant[candidates[at]?.id ?? '']
    })
    const oracle = meanAt((query) => ideals[query]![at])
    sums.gain += gain
    sums.oracle += oracle
    return { rank: at + 1, gain, oracle, share: sums.gain / sums.oracle }
  })
}

/** Where regimes begin: a card that one query wants, then two or three, four to nine, ten to 29, and so on. */
const bounds = [1, 2, 4, 10, 30, 100, 300, 1000] as const

/**
 * A measure by how often the wanted cards are wanted in the run. Learned recommenders do well where ids repeat, and search must do well where none
 * does.
 *
 * @see AgentSelect, ICML 2026, figure 4: regimes of interaction, from dense heads to a long tail
 */
export function popularityRegimes(
  outcomes: readonly QueryOutcome[],
  measure: string,
): readonly PopularityRegime[] {
  const wanted = new Map<string, number>()
  for (const { relevant } of outcomes)
    for (const id of Object.keys(relevant)) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  const measured = outcomes.flatMap(({ relevant, measures }) => {
    const value = measures[measure]
    const popularity = Math.max(0, ...Object.keys(relevant).map((id) => wanted.get(id)!))
    return value === undefined || popularity === 0 ? [] : [{ value, popularity }]
  })
  const regimes = grouped(measured, ({ popularity }) => bounds.findLastIndex((bound) => bound <= popularity))
  return [...regimes]
    .sort(([a], [b]) => a - b)
    .map(([, own]) => {
      const counts = own.map(({ popularity }) => popularity)
      return {
        least: Math.min(...counts),
        most: Math.max(...counts),
        estimate: bootstrapMean(own.map(({ value }) => value)),
      }
    })
}
