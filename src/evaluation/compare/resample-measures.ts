import { grouped } from '../../domain/grouped.ts'
import { type Resampled, resample } from '../statistics/bootstrap.ts'

/** Values of one query by measure name; a measure that does not apply to it is absent. */
export type MeasureValues = { readonly [measure: string]: number }

/**
 * Draws the queries of one part anew, for all its measures. Measures over the same queries are drawn together, which
 * costs little more than drawing for one of them.
 *
 * @returns by measure name; a measure that no query has is absent
 */
export function resampleMeasures(
  queries: readonly MeasureValues[],
  measures: readonly string[],
  seed: number,
): ReadonlyMap<string, Resampled> {
  const presence = (measure: string): string => queries.map((values) => (measure in values ? 1 : 0)).join('')
  const sampled = [...grouped(measures, presence).values()].flatMap((together) => {
    const counted = queries.filter((values) => together[0]! in values)
    if (counted.length === 0) return []
    const columns = together.map((measure) => counted.map((values) => values[measure]!))
    return resample(columns, { seed }).map((sample, at) => [together[at]!, sample] as const)
  })
  return new Map(sampled)
}
