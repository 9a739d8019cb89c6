import type { EvaluationRun } from '../../evaluation-run.ts'
import type { PackedColumns } from './columns.ts'
import { detailLevels } from './detail-level.ts'
import { keptQueries } from './kept-queries.ts'
import { type PackedQueries, packQueries } from './pack-queries.ts'

/** Bytes that columns take in a page: base64 letters and the tag around them. */
export const columnBytes = (columns: PackedColumns): number =>
  Object.values(columns).reduce((sum, { length }) => sum + length + 80, 0)

/** Queries of a sample that tells whether a level can fit at all. */
const sampleSize = 3000

/** What a whole takes of what its sample promises, at the least: words and ids recur. Learnt better from a whole. */
const leastShare = 0.75

/** A level that is expected this much over the budget is still tried. */
const tolerance = 1.02

/**
 * Packs a run's queries with as much detail as fits. Of a large run, a sample is packed first, so that hopeless levels
 * cost little.
 *
 * @param budget - bytes the columns may take; the last level is taken even if it is over
 */
export function fitQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
  budget: number,
): PackedQueries {
  const keep = keptQueries(run, baseline)
  let share = leastShare
  let smallest: PackedQueries | undefined
  for (const level of detailLevels) {
    const every = Math.floor(Math.min(run.outcomes.length, level.queries) / sampleSize)
    const sample = every < 4 ? [] : keep(level, every)
    const promised = sample.length === 0 ? 0 : every * columnBytes(packQueries(run, sample, level).columns)
    if (promised * share > budget * tolerance) continue
    smallest = packQueries(run, keep(level), level)
    const bytes = columnBytes(smallest.columns)
    if (bytes <= budget) break
    if (promised > 0) share = bytes / promised
  }
  return smallest ?? packQueries(run, [], detailLevels[0]!)
}
