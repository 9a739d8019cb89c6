import type { BoostingSettings } from './boosting-settings.ts'
import type { GradedRows } from './graded-rows.ts'
import type { Derivatives } from './histogram.ts'

/** What trees are grown to raise. Scores are one number per row. */
export type Objective = {
  /** Name of what {@link quality} returns, as reports write it. */
  readonly measure: string
  /** What is wrong with rows that are otherwise in order; undefined when nothing is. */
  complaint(rows: GradedRows): string | undefined
  /** The best score that is the same for all rows. */
  initial(rows: GradedRows): number
  /** Prepares the derivatives of the loss on these rows; the function writes those of some queries. */
  derivatives(
    rows: GradedRows,
    settings: BoostingSettings,
  ): (scores: Float64Array, queries: Uint32Array, into: Derivatives) => void
  /** Prepares the measure on these rows: higher is better, the mean over queries by weight. */
  quality(rows: GradedRows, settings: BoostingSettings): (scores: Float64Array) => number
}
