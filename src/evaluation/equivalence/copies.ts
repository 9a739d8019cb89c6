import type { Card } from '../../domain/card.ts'
import type { Equivalence } from '../datasets/dataset.ts'

/** Card id to the ids of its class, itself among them, ascending. Cards without a copy are absent. */
export type Copies = ReadonlyMap<string, readonly string[]>

/** The cards among these that have copies. */
export function copiesAmong(cards: readonly Card[], { classOf }: Equivalence): Copies {
  const classes = new Map<string, Set<string>>()
  for (const card of cards) {
    const key = classOf(card)
    if (key === undefined) continue
    const members = classes.get(key)
    if (members === undefined) classes.set(key, new Set([card.id]))
    else members.add(card.id)
  }
  return new Map(
    [...classes.values()]
      .filter(({ size }) => size > 1)
      .flatMap((members) => {
        const ids = [...members].sort()
        return ids.map((id) => [id, ids] as const)
      }),
  )
}
