import type { Card } from '../../domain/card.ts'
import type { GoneCard, HeldCard, ServerIdentity, SourceReview } from '../../store/source-review.ts'
import { refusedOf } from './gone-cards.ts'
import { inputsPinOf, pinOf, textPinOf } from './pin.ts'

/** What the user refused of a source. */
type Refusals = {
  /** Pins of the refused texts, with the change for which they are held. */
  readonly changes: ReadonlyMap<string, HeldCard['change']>
  /** A text that was taken back is refused wherever it comes, one that was only held where it was. */
  isRefused(id: string, pin: string): boolean
  /** What a new card repeats under another name, whether that is still there or not. */
  copiedBy(card: Card): { readonly card: Card; readonly of: GoneCard } | undefined
}

/** @param server - which answers now */
export function refusalsOf(review: SourceReview, server: ServerIdentity | undefined): Refusals {
  const held = review.held.filter(({ refused }) => refused)
  const gone = review.gone.filter(({ refused }) => refused)
  const takenBack = new Set(gone.flatMap((one) => pinsOfRefused(one, server)))
  const heldPins = held.flatMap((one) => pinsOfRefused(one, server).map((pin) => ({ ...one, pin })))
  const isHeld = new Set(heldPins.map(({ card, pin }) => `${card.id}\n${pin}`))
  const copied = new Map(
    [...gone, ...refusedOf(held)].flatMap((of) => {
      const { card } = of
      return card === undefined || isBlank(card) ? [] : [[textPinOf(card), { card, of }] as const]
    }),
  )
  return {
    changes: new Map([
      ...[...takenBack].map((pin) => [pin, undefined] as const),
      ...heldPins.map(({ pin, change }) => [pin, change] as const),
    ]),
    isRefused: (id, pin) => takenBack.has(pin) || isHeld.has(`${id}\n${pin}`),
    copiedBy: (card) => (copied.size === 0 || isBlank(card) ? undefined : copied.get(textPinOf(card))),
  }
}

/**
 * The pins by which a refused text is known again. The server that says it may have called itself otherwise then, which also is the
 * title of its toolkit where that has none.
 *
 * @param server - which answers now
 */
export function pinsOfRefused(
  { pin, card }: Pick<GoneCard, 'pin' | 'card'>,
  server: ServerIdentity | undefined,
): readonly string[] {
  if (card === undefined || server === undefined) return [pin]
  if (card.kind === 'tool') return [pin, pinOf(card, server)]
  const { title: _, ...untitled } = card
  return [pin, pinOf(card, server), pinOf(untitled, server)]
}

/** Cards that say nothing say the same, and are no copies of each other. */
const isBlank = (card: Card): boolean => card.description.trim() === '' && inputsPinOf(card) === null
