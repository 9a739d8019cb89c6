import type { SourceState } from '../../store/source-state.ts'
import { type HeldCard, isQuarantined, type SourceReview } from '../../store/source-review.ts'

/** That a card is there and not in search, and why: as much of it as anybody may know, and nothing of what it says. */
export type HeldNotice = {
  readonly id: string
  readonly source: string
  /** `changed`, and the names of our rules. */
  readonly why: readonly string[]
}

/** Rules named of one card. */
const most = 4

/** Of these ids those whose cards are held. */
export function heldNotices(reviews: readonly SourceReview[], ids: readonly string[]): readonly HeldNotice[] {
  const wanted = new Set(ids)
  return reviews.flatMap(({ key, held }) =>
    held
      .filter(({ card }) => wanted.has(card.id))
      .map((one) => ({ id: one.card.id, source: key, why: whyHeld(one) })),
  )
}

function whyHeld({ findings, change }: HeldCard): readonly string[] {
  const hard = findings.filter(({ severity }) => severity === 'hard').map(({ rule }) => rule)
  const rules = isQuarantined({ findings }) ? [...new Set(hard)].slice(0, most) : []
  return [...(change === undefined ? [] : ['changed']), ...rules]
}

/** What a source's state says of its review. */
export function heldCounts({ held, flagged }: SourceReview): Partial<Pick<SourceState, 'held' | 'flagged'>> {
  const open = held.filter((one) => !one.refused)
  const quarantined = open.filter(isQuarantined).length
  const refused = held.length - open.length
  const counts = { quarantined, changed: open.length - quarantined, ...(refused === 0 ? {} : { refused }) }
  return {
    ...(held.length === 0 ? {} : { held: counts }),
    ...(flagged.length === 0 ? {} : { flagged: flagged.length }),
  }
}
