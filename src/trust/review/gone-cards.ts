import type { Card } from '../../domain/card.ts'
import type { GoneCard } from '../../store/source-review.ts'

/** Characters of the texts of cards that went, kept for one source: of the newest; of older ones the pin alone stays. */
const mostCharacters = 1_000_000

/** The part of a card's id after the slash. */
export const keyIn = ({ id, source }: Card): string => id.slice(source.length + 1)

/** Each key once, the newest of each; all pins, and texts as far as there is room. */
export function boundedGone(gone: readonly GoneCard[]): readonly GoneCard[] {
  const byKey = new Map<string, GoneCard>()
  for (const one of gone) byKey.set(one.key, one)
  let room = mostCharacters
  const bounded = [...byKey.values()].reverse().map((one) => {
    if (one.card === undefined) return one
    room -= JSON.stringify(one.card).length
    return room >= 0 ? one : { key: one.key, pin: one.pin }
  })
  return bounded.reverse()
}
