import type { Card } from '../../domain/card.ts'
import type { SourceReview } from '../../store/source-review.ts'
import { pinOf } from './pin.ts'

/** Cards of a source that are in search since the user accepted their very text. */
export type AcceptedCards = { readonly source: string; readonly cards: readonly AcceptedCard[] }

export type AcceptedCard = { readonly card: Card; readonly pin: string }

/** The pins by which the user accepted what a card says; none where they did not. */
export function acceptedPins(
  card: Card,
  { accepted, server, otherServer }: Pick<SourceReview, 'accepted' | 'server' | 'otherServer'>,
): readonly string[] {
  if (accepted.length === 0) return []
  const servers = otherServer === undefined ? [server] : [server, otherServer]
  return servers.map((one) => pinOf(card, one)).filter((pin) => accepted.includes(pin))
}

/** Of the cards of a source that are in search those that the user accepted. */
export const acceptedAmong = (cards: readonly Card[], review: SourceReview): AcceptedCards => ({
  source: review.key,
  cards: cards.flatMap((card): AcceptedCard[] => {
    const [pin] = acceptedPins(card, review)
    return pin === undefined ? [] : [{ card, pin }]
  }),
})
