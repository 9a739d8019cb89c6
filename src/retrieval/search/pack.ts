import { addTo } from '../../domain/grouped.ts'
import { allDefences, type DefenceSettings } from '../defences/defence-settings.ts'
import { foldCopies, scoreBefore } from '../defences/stand-back.ts'
import { isNearDuplicate, type Signature } from '../facts/near-duplicate.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { PackedCard, RankedCard } from '../rank/ranked-card.ts'

/** Candidates looked at when folding and choosing; those behind are never shown. */
const horizon = 200
/** Most ids of folded cards that are told. */
const maxDuplicates = 20

/** Chooses the k cards to show, best first by the ranking's own scores. */
export type Packer = (k: number) => readonly PackedCard[]

/**
 * Packs a ranking for whoever shows it: near-identical cards are folded into the best of them, no publisher takes more than
 * its part while others have something comparable, and every step of the query keeps its best card.
 *
 * @param ranked - best first
 */
export function packer(
  ranked: readonly RankedCard[],
  index: CardIndex,
  defences: DefenceSettings = allDefences,
): Packer {
  const seen = ranked.slice(0, horizon)
  const folded = foldDuplicates(defences.nearCopies ? foldCopies(seen, index) : seen.map(alone), index)
  return (k) => coverFacets(folded, defences.caps ? capPublishers(folded, index, k) : folded.slice(0, k))
}

const alone = (card: RankedCard): PackedCard => ({ ...card, duplicates: [] })

function foldDuplicates(ranked: readonly PackedCard[], index: CardIndex): readonly PackedCard[] {
  type Kept = { readonly card: PackedCard; readonly duplicates: number[]; readonly signature: Signature }
  const kept: Kept[] = []
  const byName = new Map<number, Kept[]>()
  for (const card of ranked) {
    const signature = index.signature(card.document)
    const source = index.source(card.document)
    const original = byName
      .get(signature.name)
      ?.find((other) =>
        isNearDuplicate(other.signature, signature, index.source(other.card.document) === source),
      )
    if (original) {
      const folded = [card.document, ...card.duplicates]
      original.duplicates.push(...folded.slice(0, maxDuplicates - original.duplicates.length))
      continue
    }
    const fresh = { card, duplicates: [...card.duplicates], signature }
    kept.push(fresh)
    addTo(byName, signature.name, fresh)
  }
  return kept.map(({ card, duplicates }) =>
    duplicates.length === card.duplicates.length ? card : { ...card, duplicates },
  )
}

/** One publisher may take this share of the places, at least three. */
const publisherShare = 0.6
/** One source, whatever publishers it claims to hold, may take this share, at least four. */
const sourceShare = 0.8
/** Places that are given to others, at most: no card is moved down further. */
const mostGiven = 3
/** A card of another publisher is preferred when its score is at least this part of the capped one's. */
const comparable = 0.7

function capPublishers(cards: readonly PackedCard[], index: CardIndex, k: number): PackedCard[] {
  const cap = Math.max(3, Math.ceil(k * publisherShare), k - mostGiven)
  const sourceCap = Math.max(4, Math.ceil(k * sourceShare), k - mostGiven)
  const taken = new Map<string, number>()
  const takenBySource = new Map<string, number>()
  const waiting = [...cards]
  const chosen: PackedCard[] = []
  while (chosen.length < k && waiting.length > 0) {
    const isFull = ({ document }: PackedCard): boolean =>
      (taken.get(index.publisher(document)) ?? 0) >= cap ||
      (takenBySource.get(index.source(document)) ?? 0) >= sourceCap
    const first = waiting[0]!
    const other = isFull(first)
      ? waiting.findIndex((card) => card.score >= comparable * scoreBefore(first) && !isFull(card))
      : 0
    const [next] = waiting.splice(Math.max(other, 0), 1)
    chosen.push(next!)
    const publisher = index.publisher(next!.document)
    taken.set(publisher, (taken.get(publisher) ?? 0) + 1)
    const source = index.source(next!.document)
    takenBySource.set(source, (takenBySource.get(source) ?? 0) + 1)
  }
  return chosen.sort((a, b) => b.score - a.score || b.document - a.document)
}

/** A step counts as served by a card that reaches this part of the step's best score. */
const served = 0.5

/** Gives every unserved step its best card, at the cost of the lowest card that no other step needs. */
function coverFacets(cards: readonly PackedCard[], chosen: PackedCard[]): readonly PackedCard[] {
  const facetCount = chosen[0]?.facets.length ?? 0
  if (facetCount === 0) return chosen
  const result = [...chosen]
  const serves = (card: PackedCard, facet: number): boolean => card.facets[facet]! >= served
  for (let facet = 0; facet < facetCount; facet++) {
    if (result.some((card) => serves(card, facet))) continue
    const best = cards.reduce<PackedCard | undefined>(
      (found, card) => ((card.facets[facet] ?? 0) > (found?.facets[facet] ?? 0) ? card : found),
      undefined,
    )
    if (!best || !serves(best, facet)) continue
    const spare = result.findLastIndex(
      (card, place) =>
        place > 0 &&
        card.facets.every(
          (_, other) =>
            !serves(card, other) || result.some((rival) => rival !== card && serves(rival, other)),
        ),
    )
    if (spare >= 0) result.splice(spare, 1)
    else continue
    result.push(best)
  }
  return result.sort((a, b) => b.score - a.score || b.document - a.document)
}

/** Candidates of an answer, where the caller leaves their number to the search. */
const least = 3
const most = 20
/** Where scores are no probabilities, and where probably nothing fits. */
export const usualCandidates = 5
/** Share of the probability of the first {@link most} that the answer holds. */
const share = 0.95

/**
 * How many of the first candidates an answer should hold: few where the search is sure, more where several may serve. Over the development sets that costs
 * nine candidates in the mean, and holds as many of those that serve as ten do (docs/benchmarks.md).
 *
 * @param packed - gives the first k candidates with their scores, probabilities of 0..1
 */
export function enoughCandidates(packed: (k: number) => readonly { readonly score: number }[]): number {
  const scores = packed(most).map(({ score }) => Math.max(0, score))
  const all = scores.reduce((sum, score) => sum + score, 0)
  let held = 0
  for (const [place, score] of scores.entries()) {
    held += score
    if (place + 1 >= least && held >= share * all) return place + 1
  }
  return Math.max(1, scores.length)
}
