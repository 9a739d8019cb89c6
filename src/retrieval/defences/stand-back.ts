import { addTo } from '../../domain/grouped.ts'
import type { Standing } from '../../store/source-state.ts'
import { isBound } from '../../trust/standing.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { PackedCard, RankedCard } from '../rank/ranked-card.ts'
import type { Suspicion } from './suspicion.ts'

/** The score of a card as if no defence had a say. */
export const scoreBefore = ({ score, standsBack }: RankedCard): number =>
  standsBack === undefined ? score : score / (1 - standsBack.share)

/**
 * The least that is left of the score of a card that stands back. Of a stranger's it is half: so no such card ever stands behind
 * one that matches less than half as well. A source that the user distrusts is given no more than that its cards are found
 * when nothing else is.
 */
const leastFactor: { readonly [standing in Standing]: number } = {
  installed: 1,
  accepted: 1,
  stranger: 0.5,
  newcomer: 0.5,
  distrusted: 1e-6,
}

/** Places that a stranger's card moves down, at most. */
const mostPlaces = 3

/**
 * Puts cards that read as written to be found behind others, by a bounded part of their score and a few places.
 *
 * @param ranked - best first
 * @param suspicionOf - null for a card that nothing speaks against
 * @returns the same cards, best first; the very same list when none stands back
 */
export function standBack(
  ranked: readonly RankedCard[],
  index: CardIndex,
  suspicionOf: (card: RankedCard) => Suspicion | null,
): readonly RankedCard[] {
  const held = ranked.map((card, place): Held => {
    const suspicion = suspicionOf(card)
    const standing = index.standing(card.document)
    const latest = standing === 'distrusted' ? ranked.length : place + mostPlaces
    if (suspicion === null) return { card, score: card.score, latest }
    const left = 1 - (1 - leastFactor[standing]) * suspicion.degree
    // A step of the request keeps its best card in the answer: not one of a source that the user distrusts.
    const facets = standing === 'distrusted' ? card.facets.map((served) => served * left) : card.facets
    return { card: { ...card, facets }, score: card.score * left, latest, suspicion }
  })
  return held.every(({ suspicion }) => suspicion === undefined) ? ranked : withScores(inOrder(held))
}

type Held = {
  readonly card: RankedCard
  /** What is left of its score. */
  readonly score: number
  /** The last place it may take. */
  readonly latest: number
  readonly suspicion?: Suspicion
}

/** By what is left of the scores, nobody behind the last place that they may take. */
function inOrder(held: readonly Held[]): readonly Held[] {
  const waiting = [...held].sort((a, b) => b.score - a.score || b.card.document - a.card.document)
  return held.map((_, place) => {
    const due = waiting.findIndex(({ latest }) => latest === place)
    return waiting.splice(Math.max(due, 0), 1)[0]!
  })
}

/** A card that took its last place keeps so much of its score that the list is in order. */
function withScores(ordered: readonly Held[]): readonly RankedCard[] {
  let next = 0
  return ordered
    .toReversed()
    .map(({ card, score, suspicion }): RankedCard => {
      next = Math.max(score, next)
      if (suspicion === undefined) return card
      const share = card.score === 0 ? 0 : 1 - next / card.score
      return { ...card, score: next, standsBack: { share, reason: suspicion.reason } }
    })
    .reverse()
}

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
    const twin = kept
      .get(leader)
      ?.find(
        (other) =>
          index.source(other.card.document) !== source &&
          (rank !== doubtOf(other.card.document, index) || !other.sources.has(source)),
      )
    const isBetter = twin !== undefined && rank < doubtOf(twin.card.document, index)
    if (twin === undefined || (isBetter && scoreBefore(card) < comparable * scoreBefore(twin.card))) {
      addTo(kept, leader, { card, duplicates: [], sources: new Set<string>() })
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
