import type { Card } from '../../domain/card.ts'

type ReadCards = (ids: readonly string[]) => Promise<readonly Card[]>

/** At most so many UTF-16 units of cards of a kind are kept, as JSON, and readings of more cards than this are not kept at all. */
const most = { characters: 8 * 1024 * 1024, atOnce: 256 } as const

/**
 * Keeps the cards of one state that were read last, and gives cards in no order. What is found for one request is often found for the next,
 * and to read and parse it again takes as long as the words of a search.
 */
export function recentCards(read: ReadCards): ReadCards {
  /** From the card that was asked for longest ago. */
  const kept = new Map<string, { readonly card: Card; readonly characters: number }>()
  let characters = 0

  const keep = (card: Card): void => {
    const entry = { card, characters: JSON.stringify(card).length }
    characters += entry.characters - (kept.get(card.id)?.characters ?? 0)
    kept.set(card.id, entry)
    for (const [id, oldest] of kept) {
      if (characters <= most.characters) break
      kept.delete(id)
      characters -= oldest.characters
    }
  }

  return async (ids) => {
    const found = new Map<string, Card>()
    for (const id of ids) {
      const entry = kept.get(id)
      if (entry === undefined) continue
      found.set(id, entry.card)
      kept.delete(id)
      kept.set(id, entry)
    }
    const missing = ids.filter((id) => !found.has(id))
    for (const card of missing.length === 0 ? [] : await read(missing)) {
      found.set(card.id, card)
      if (missing.length <= most.atOnce) keep(card)
    }
    return [...found.values()]
  }
}
