import type { SourceState } from '../../store/source-state.ts'
import { isQuarantined, type SourceReview } from '../../store/source-review.ts'

/** What a source's state says of its review. */
export function heldCounts({ held, flagged }: SourceReview): Partial<Pick<SourceState, 'held' | 'flagged'>> {
  const quarantined = held.filter(isQuarantined).length
  return {
    ...(held.length === 0 ? {} : { held: { quarantined, changed: held.length - quarantined } }),
    ...(flagged.length === 0 ? {} : { flagged: flagged.length }),
  }
}
