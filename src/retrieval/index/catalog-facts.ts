import type { Card } from '../../domain/card.ts'
import type { Standings } from '../../trust/standing.ts'
import { analyze } from '../text/analyze.ts'
import { ownTextsOf } from '../text/card-texts.ts'
import {
  flagsOf,
  isCopierIn,
  knownSimilarity,
  mostWithTerm,
  type PublishedCard,
} from '../facts/card-defences.ts'
import { standingsOfCards } from '../facts/agreement.ts'
import { copySimilarity, leastTerms } from '../facts/look-alikes.ts'
import { packStandings } from './card-columns.ts'
import type { CardIndex, JoinedIndex } from './card-index.ts'
import type { CatalogFacts } from './catalog-image.ts'

/** What a commit knows of the cards that it leaves. */
type KnownOfCommit = {
  /** What was told of the cards before. */
  readonly former: CardIndex
  /** The document of the former state, -1 for a card that is new or changed. */
  formerOf(document: number): number
  /** Cards that are new or changed. */
  readonly fresh: ReadonlyMap<string, Card>
  readonly standingOf: Standings
  readonly places: Uint32Array
}

/**
 * What is told of cards beside all others, at a commit: of a card that did not change it stays with whom it was alike; a new one joins the
 * card that it is most like, and stands by itself where it is like none. What follows from that, from publishers and from sources is told anew of
 * all cards.
 *
 * @param index - of the cards that the commit leaves, without these facts
 */
export function catalogFacts(index: JoinedIndex, known: KnownOfCommit): CatalogFacts {
  const { former, formerOf, fresh, standingOf, places } = known
  const all = Array.from({ length: index.size }, (_, document) => document)
  const likestOf = likest(index)
  // Groups that were stand before those that are new.
  const groups = new Float64Array(index.size).fill(-1)
  const before = all.map(formerOf)
  for (const document of all)
    if (before[document]! >= 0) groups[document] = former.defences.lookAlike(before[document]!)
  const isKnown = (document: number): boolean => groups[document]! >= 0
  const termsOf = new Map<number, readonly string[]>()
  for (const [id, card] of fresh) {
    const document = index.ids.indexOf(id)
    if (document >= 0) termsOf.set(document, termsOfCard(card))
  }
  for (const document of [...termsOf.keys()].sort((a, b) => a - b)) {
    const like = likestOf(termsOf.get(document)!, { similarity: 'copy', isAdmitted: isKnown })
    groups[document] = like === undefined ? former.size + document : groups[like]!
  }
  const firsts = new Map<number, number>()
  const alike = Uint32Array.from(groups, (group, document) => {
    if (!firsts.has(group)) firsts.set(group, document)
    return firsts.get(group)!
  })
  const publishers = all.map((document): PublishedCard => {
    const [source, publisher] = [index.source(document), index.publisher(document)]
    return { id: index.ids.at(document), source, ...(publisher === source ? {} : { publisher }) }
  })
  const flags = flagsOf(publishers, {
    leaders: alike,
    odd: all.map(index.defences.isOdd),
    standingOf,
    // Of a card that did not change it was told when it was written.
    likeness: (_, copiers) => (place, isAdmitted) => {
      const terms = termsOf.get(place)
      if (terms === undefined) return former.defences.isSpare(before[place]!)
      const isOther = (other: number): boolean => copiers[other] === 0 && isAdmitted(other)
      return likestOf(terms, { similarity: 'copierCopy', isAdmitted: isOther }) !== undefined
    },
  })
  const isCopier = isCopierIn({ 'defences.flags': flags })
  const { standings } = packStandings(standingsOfCards(publishers, standingOf, { leaders: alike, isCopier }))
  return { alike, flags, standings: standings as Uint8Array, places }
}

const termsOfCard = (card: Card): readonly string[] => [
  ...new Set(analyze(Object.values(ownTextsOf(card)).join('\n'))),
]

/** Jaccard similarities of terms. */
const similarities = { copy: copySimilarity, copierCopy: knownSimilarity } as const

/** Of a card's rarest terms, those that are looked for: a copy has three of four terms, and so nearly always one of these. */
const tellingTerms = 8

/** Looks among all cards for the one whose terms are most like some, by the rarest of them. */
function likest(index: JoinedIndex) {
  return (
    terms: readonly string[],
    {
      similarity,
      isAdmitted,
    }: {
      readonly similarity: keyof typeof similarities
      readonly isAdmitted: (document: number) => boolean
    },
  ): number | undefined => {
    const least = terms.length < leastTerms && similarity === 'copy' ? 1 : similarities[similarity]
    const telling = terms
      .map((term) => ({ term, holders: index.mostHolders(term) }))
      .filter(({ holders }) => holders > 1 && holders <= mostWithTerm)
      .sort((a, b) => a.holders - b.holders)
      .slice(0, tellingTerms)
    const tried = new Set(telling.flatMap(({ term }) => index.holdersOf(term)))
    let best: { readonly document: number; readonly score: number } | undefined
    for (const document of tried) {
      const size = index.defences.distinctTerms(document)
      if (!isAdmitted(document) || Math.min(size, terms.length) < least * Math.max(size, terms.length))
        continue
      const common = index.countOf(terms, document)
      const score = common / (size + terms.length - common)
      if (score < least) continue
      const isBetter =
        best === undefined || score > best.score || (score === best.score && document < best.document)
      if (isBetter) best = { document, score }
    }
    return best?.document
  }
}
