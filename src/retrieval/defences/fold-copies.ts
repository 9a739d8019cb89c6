import type { CardIndex } from '../card-index.ts'
import type { PackedCard } from '../pack.ts'
import type { RankedCard } from '../rank-cards.ts'

/** Most ids of folded cards that are told. */
const maxDuplicates = 20

type Kept = { card: RankedCard; readonly duplicates: number[]; readonly sources: Set<string> }

/**
 * Folds near-copies of other sources into the original, whatever they are called. Of two copies the one whose publisher offers
 * mostly cards of its own stands for both. Siblings of one source stay: families of tools describe themselves alike; and of
 * another honest source a card takes in one copy only, for the same reason.
 *
 * @param cards - best first
 * @returns best first
 */
export function foldCopies(cards: readonly RankedCard[], index: CardIndex): readonly PackedCard[] {
  const { defences } = index
  const kept = new Map<number, Kept[]>()
  for (const card of cards) {
    const { document } = card
    const source = index.source(document)
    const isCopier = defences.isCopier(document)
    const leader = defences.lookAlike(document)
    const alike = kept.get(leader)
    const twin = alike?.find(
      (other) =>
        index.source(other.card.document) !== source &&
        (isCopier !== defences.isCopier(other.card.document) || !other.sources.has(source)),
    )
    if (twin === undefined) {
      const fresh = { card, duplicates: [], sources: new Set<string>() }
      if (alike) alike.push(fresh)
      else kept.set(leader, [fresh])
      continue
    }
    twin.sources.add(source)
    const takesOver = !isCopier && defences.isCopier(twin.card.document)
    twin.duplicates.push(takesOver ? twin.card.document : document)
    if (takesOver) twin.card = card
  }
  return [...kept.values()]
    .flat()
    .map(({ card, duplicates }) => ({ ...card, duplicates: duplicates.slice(0, maxDuplicates) }))
    .sort((a, b) => b.score - a.score || b.document - a.document)
}
