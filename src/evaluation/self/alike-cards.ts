import type { Card } from '../../domain/card.ts'
import { isNearDuplicate, signatureOf } from '../../retrieval/facts/near-duplicate.ts'

/**
 * Groups of cards that are the same thing listed more than once, by the rule by which search folds them. Groups of one
 * are left out; ids ascending.
 */
export function alikeCards(cards: readonly Card[]): readonly (readonly string[])[] {
  const byName = new Map<
    string,
    { readonly card: Card; readonly signature: ReturnType<typeof signatureOf> }[][]
  >()
  for (const card of cards) {
    const signature = signatureOf(card)
    const key = `${card.kind} ${signature.name}`
    const groups = byName.get(key) ?? []
    const group = groups.find((members) =>
      members.some((other) => isNearDuplicate(other.signature, signature, other.card.source === card.source)),
    )
    if (group) group.push({ card, signature })
    else groups.push([{ card, signature }])
    byName.set(key, groups)
  }
  return [...byName.values()]
    .flat()
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ card }) => card.id).sort())
}
