import type { Card } from '../../domain/card.ts'
import type { GoneCard, HeldCard } from '../../store/source-review.ts'

/** Characters of the texts of cards that went, kept for one source: of the newest; of older ones the pin alone stays. */
const mostCharacters = 1_000_000

/** The part of a card's id after the slash. */
export const keyIn = ({ id, source }: Card): string => id.slice(source.length + 1)

/** What was in search last is then found before what was refused of its key, in a map by keys. */
export const refusedFirst = (a: GoneCard, b: GoneCard): number =>
  Number(b.refused ?? false) - Number(a.refused ?? false)

/**
 * Each key once, the newest of each, and beside it each refused text of that key; all pins, and texts as far as there is room, which
 * those that were refused get first.
 */
export function boundedGone(gone: readonly GoneCard[]): readonly GoneCard[] {
  const byKey = new Map<string, GoneCard>()
  for (const one of gone) byKey.set(one.refused ? `${one.key}\n${one.pin}` : one.key, one)
  let room = mostCharacters
  const bounded = [...byKey.values()]
    .reverse()
    .sort(refusedFirst)
    .map((one) => {
      if (one.card === undefined) return one
      room -= JSON.stringify(one.card).length
      const { card: _, ...known } = one
      return room >= 0 ? one : known
    })
  return bounded.reverse()
}

/** What was refused while it was held, as it is remembered once it is not held any more. */
export const refusedOf = (held: readonly HeldCard[]): readonly GoneCard[] =>
  held.flatMap(({ card, pin, refused }) => (refused ? [{ key: keyIn(card), pin, card, refused }] : []))
