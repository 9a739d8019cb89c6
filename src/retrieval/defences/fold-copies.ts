import { isBound } from '../../trust/standing.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { PackedCard, RankedCard } from '../rank/ranked-card.ts'
import { scoreBefore } from './stand-back.ts'

/** Most ids of folded cards that are told. */
const maxDuplicates = 20
/** A better one of two copies stands for both when it matches at least this part as well. */
const comparable = 0.5

type Kept = { card: RankedCard; readonly duplicates: number[]; readonly sources: Set<string> }

/**
 * Folds near-copies of other sources into the original, whatever they are called. Of two copies the one that the user owns stands for
 * both, else the one whose publisher offers mostly cards of its own, unless it matches less than half as well: then both stay. Siblings
 * of one source stay: families of tools describe themselves alike; and of another honest source a card takes in one copy only,
 * for the same reason.
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
    const rank = doubtOf(document, index)
    const leader = defences.lookAlike(document)
    const alike = kept.get(leader)
    const twin = alike?.find(
      (other) =>
        index.source(other.card.document) !== source &&
        (rank !== doubtOf(other.card.document, index) || !other.sources.has(source)),
    )
    const isBetter = twin !== undefined && rank < doubtOf(twin.card.document, index)
    if (twin === undefined || (isBetter && scoreBefore(card) < comparable * scoreBefore(twin.card))) {
      const fresh = { card, duplicates: [], sources: new Set<string>() }
      if (alike) alike.push(fresh)
      else kept.set(leader, [fresh])
      continue
    }
    twin.sources.add(source)
    twin.duplicates.push(isBetter ? twin.card.document : document)
    if (isBetter) twin.card = card
  }
  return [...kept.values()]
    .flat()
    .map(({ card, duplicates }) => ({ ...card, duplicates: duplicates.slice(0, maxDuplicates) }))
    .sort((a, b) => b.score - a.score || b.document - a.document)
}

/** The user's own before strangers', and these before those that are known to copy. */
const doubtOf = (document: number, index: CardIndex): number =>
  index.defences.isCopier(document) ? 2 : isBound(index.standing(document)) ? 1 : 0
