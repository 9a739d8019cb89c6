import type { EvaluationRun } from '../../evaluation-run.ts'
import type { PackedColumns } from './columns.ts'
import { detailLevels } from './detail-level.ts'
import { keptQueries } from './kept-queries.ts'
import { type PackedQueries, packQueries } from './pack-queries.ts'

/** Bytes that columns take in a page: base64 letters and the tag around them. */
export const columnBytes = (columns: PackedColumns): number =>
  Object.values(columns).reduce((sum, { length }) => sum + length + 80, 0)

/** Every how many-th query is packed to learn whether a level can fit at all. */
const sampling = 16

/** A sample this much over its share of the budget means that the whole will not fit. */
const hopeless = 1.3

/**
 * Packs a run's queries with as much detail as fits.
 *
 * @param budget - bytes the columns may take; the last level is taken even if it is over
 */
export function fitQueries(
  run: EvaluationRun,
  baseline: EvaluationRun | undefined,
  budget: number,
): PackedQueries {
  const keptAt = keptQueries(run, baseline)
  let smallest: PackedQueries | undefined
  for (const level of detailLevels) {
    const kept = keptAt(level)
    if (kept.length > 1000 * sampling) {
      const sample = kept.filter((_, at) => at % sampling === 0)
      const bytes = columnBytes(packQueries(run, sample, level).columns)
      if (bytes * sampling > budget * hopeless) continue
    }
    smallest = packQueries(run, kept, level)
    if (columnBytes(smallest.columns) <= budget) break
  }
  return smallest ?? packQueries(run, [], detailLevels[0]!)
}
