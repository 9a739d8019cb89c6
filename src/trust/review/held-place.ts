import type { Card } from '../../domain/card.ts'
import type { Standing } from './judge-card.ts'
import type { SourceState } from '../../store/source-state.ts'
import { isQuarantined, type SourceReview } from '../../store/source-review.ts'

/** What stands in search in the place of a card that is held. */
export type HeldPlace = {
  readonly id: string
  /** Null when it cannot be read back. */
  readonly card: Card | null
  /** Whether it comes back into search, from among those that went. */
  readonly isRestored: boolean
}

/** The card that a held one would take the place of; null where there is none. */
export function heldPlaceOf(card: Card, standing: Standing): HeldPlace | null {
  switch (standing.was) {
    case 'new':
      return null
    case 'known':
      return { id: card.id, card: standing.card, isRestored: false }
    case 'renamed':
      return standing.gone === undefined
        ? { id: standing.card.id, card: standing.card, isRestored: false }
        : null
    case 'gone': {
      const { card: old } = standing.gone
      if (old === undefined) return null
      const { id, source, provenance, runtime } = card
      // In the order of the old one's fields, since the content hash goes by it.
      const restored = {
        ...old,
        id,
        source,
        provenance,
        ...(runtime === undefined ? {} : { runtime }),
      } as Card
      return { id, card: restored, isRestored: true }
    }
  }
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
