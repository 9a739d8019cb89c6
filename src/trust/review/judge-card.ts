import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import {
  type GoneCard,
  type HeldCard,
  isQuarantined,
  type ServerIdentity,
} from '../../store/source-review.ts'
import { pinOf } from './pin.ts'

/** What a card that was read stands against. */
export type Precedent =
  /** A card of that id is in search; null when it cannot be read back. */
  | { readonly was: 'known'; readonly card: Card | null }
  | { readonly was: 'gone'; readonly gone: GoneCard }
  /** One of another id went that it appears to be: in this run, or before, when it is no longer in search. */
  | { readonly was: 'renamed'; readonly card: Card; readonly gone?: GoneCard }
  | { readonly was: 'new' }

/** What counts when a card is judged. */
type Circumstances = {
  /** Changes are held. */
  readonly isGuarded: boolean
  /** Something else answers than the server whose cards are in search. */
  readonly isOtherServer: boolean
  /** Pins that the user accepted. */
  readonly accepted: ReadonlySet<string>
  /** Pins that the user refused, with the change for which they are held. */
  readonly refused: ReadonlyMap<string, HeldCard['change']>
  readonly findings: readonly Finding[]
  /** The server of the cards in search, and the one that answered now. */
  readonly before: ServerIdentity | undefined
  readonly now: ServerIdentity | undefined
}

/** Whether a card gets into search, and why not. */
export type Judgement =
  | { readonly verdict: 'take' }
  | { readonly verdict: 'hold'; readonly pin: string; readonly change?: NonNullable<HeldCard['change']> }

/**
 * A text that the user accepted is taken, whatever was found in it, and one that they refused is held, whatever they say of its
 * source. Any other is held for hard findings or a change.
 */
export function judgeCard(card: Card, precedent: Precedent, circumstances: Circumstances): Judgement {
  const { isGuarded, accepted, refused, findings, now } = circumstances
  const isFaulty = isQuarantined({ findings })
  // Most cards: nothing was ever said of their source.
  if (!isGuarded && !isFaulty && accepted.size + refused.size === 0) return { verdict: 'take' }
  const pin = pinOf(card, now)
  if (accepted.has(pin)) return { verdict: 'take' }
  const change = isGuarded ? changeOf(pin, precedent, circumstances) : refused.get(pin)
  if (change !== undefined) return { verdict: 'hold', pin, change }
  return refused.has(pin) || isFaulty ? { verdict: 'hold', pin } : { verdict: 'take' }
}

function changeOf(
  pin: string,
  precedent: Precedent,
  { isOtherServer, before, now }: Circumstances,
): HeldCard['change'] {
  switch (precedent.was) {
    case 'new':
      return isOtherServer ? 'server' : undefined
    case 'known': {
      if (precedent.card === null) return 'text'
      if (pinOf(precedent.card, before) === pin) return undefined
      return pinOf(precedent.card, now) === pin ? 'server' : 'text'
    }
    case 'gone': {
      const { gone } = precedent
      if (gone.pin === pin) return undefined
      return gone.card !== undefined && pinOf(gone.card, now) === pin ? 'server' : 'text'
    }
    case 'renamed':
      return (precedent.gone?.pin ?? pinOf(precedent.card, before)) === pin
        ? isOtherServer
          ? 'server'
          : undefined
        : 'name'
  }
}

/** What stands in search in the place of a card that is held. */
export type HeldPlace = {
  readonly id: string
  /** Null when it cannot be read back. */
  readonly card: Card | null
  /** Whether it comes back into search, from among those that went. */
  readonly isRestored: boolean
}

/** The card that a held one would take the place of; null where there is none. */
export function heldPlaceOf(card: Card, precedent: Precedent): HeldPlace | null {
  switch (precedent.was) {
    case 'new':
      return null
    case 'known':
      return { id: card.id, card: precedent.card, isRestored: false }
    case 'renamed':
      return precedent.gone === undefined
        ? { id: precedent.card.id, card: precedent.card, isRestored: false }
        : null
    case 'gone': {
      const { card: old, refused } = precedent.gone
      if (old === undefined || refused) return null
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
