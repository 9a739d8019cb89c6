import type { EvaluationRun } from '../../runs/evaluation-run.ts'
import { detailLevels } from './detail-level.ts'
import { keptQueries } from './kept-queries.ts'
import { type PackedQueries, packQueries } from './pack-queries.ts'

/** Bytes that packed queries take in a page. */
export const bytesOf = ({ list, details }: PackedQueries): number => list.length + details.length

/** Queries of a sample that tells whether a level can fit at all. */
const sampleSize = 3000

/** What a whole takes of what its sample promises, at the least: the dictionary of ids grows less than the run. */
const leastShare = 0.85

/**
 * Packs a run's queries with as much detail as fits. Of a large run, a sample is packed first, so that hopeless levels
 * cost little.
 *
 * @param budget - bytes that queries may take; the last level is taken even if it is over
 */
export function fitQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
  budget: number,
): PackedQueries {
  const keep = keptQueries(run, baseline)
  let smallest: PackedQueries | undefined
  for (const level of detailLevels) {
    const every = Math.floor(Math.min(run.outcomes.length, level.queries) / sampleSize)
    const promised = every < 4 ? 0 : every * bytesOf(packQueries(run, keep(level, every), level))
    if (promised * leastShare > budget) continue
    smallest = packQueries(run, keep(level), level)
    if (bytesOf(smallest) <= budget) break
  }
  return smallest ?? packQueries(run, [], detailLevels[0]!)
}
