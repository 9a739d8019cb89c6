import type { Card } from '../../domain/card.ts'
import type { HeldCard, SourceReview } from '../../store/source-review.ts'
import { cardDifferences, type Difference } from './card-differences.ts'

/** A held card, and what it would change. */
export type HeldView = HeldCard & { readonly differences: readonly Difference[] }

/** Held cards with what they would change, compared with the cards they would take the place of. */
export function heldViews({ held }: SourceReview, inSearch: readonly Card[]): readonly HeldView[] {
  const byId = new Map(inSearch.map((card) => [card.id, card]))
  return held.map((one) => ({
    ...one,
    differences: cardDifferences(byId.get(one.replaces ?? '') ?? one.former ?? null, one.card),
  }))
}
