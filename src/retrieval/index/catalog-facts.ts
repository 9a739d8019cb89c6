import type { Card } from '../../domain/card.ts'
import type { Standings } from '../../trust/standing.ts'
import { standingsOfCards } from '../facts/agreement.ts'
import {
  type CardDefences,
  catalogDefences,
  flagsOf,
  isCopierIn,
  type PublishedCard,
} from '../facts/card-defences.ts'
import { packStandings } from './card-columns.ts'
import type { CardIndex, JoinedIndex, Segment } from './card-index.ts'
import type { CatalogFacts } from './catalog-image.ts'
import type { Documents } from './documents.ts'
import { likestIn } from './likest.ts'

/** What a commit knows of the cards that it leaves. */
export type KnownOfCommit = {
  /** What the cards lie in. */
  readonly segments: readonly Segment[]
  readonly documents: Documents
  /** What was told of the cards before. */
  readonly former: Pick<CardIndex, 'size'> & {
    readonly defences: Pick<CardDefences, 'lookAlike' | 'isSpare'>
  }
  /** The document of the former state, -1 for a card that is new or changed. */
  formerOf(document: number): number
  /** Cards that are new or changed. */
  readonly fresh: ReadonlyMap<string, Card>
  readonly standingOf: Standings
  readonly places: Uint32Array
}

/** What a segment tells of its cards beside each other, for where nothing else is known of them. */
export const ownFacts = ({ columns, sections }: Segment): KnownOfCommit['former'] => ({
  size: columns.size,
  defences: catalogDefences(sections),
})

/**
 * What is told of cards beside all others, at a commit: of a card that did not change it stays with whom it was alike; a new one joins the
 * card that it is most like, and stands by itself where it is like none. What follows from that, from publishers and from sources is told anew of
 * all cards.
 *
 * @param index - of the cards that the commit leaves, without these facts
 */
export function catalogFacts(index: JoinedIndex, known: KnownOfCommit): CatalogFacts {
  const { segments, documents, former, formerOf, fresh, standingOf, places } = known
  const { size } = documents
  const likest = likestIn(segments, documents, fresh)
  const before = new Int32Array(size)
  // Groups that were stand before those that are new.
  const groups = new Int32Array(size).fill(-1)
  for (let document = 0; document < size; document++) {
    before[document] = formerOf(document)
    if (before[document]! >= 0) groups[document] = former.defences.lookAlike(before[document]!)
  }
  const isKnown = (document: number): boolean => groups[document]! >= 0
  for (let document = 0; document < size; document++) {
    if (before[document]! >= 0) continue
    const like = likest(document, { as: 'copy', isAdmitted: isKnown })
    groups[document] = like === undefined ? former.size + document : groups[like]!
  }
  const firsts = new Int32Array(former.size + size).fill(-1)
  const alike = new Uint32Array(size)
  groups.forEach((group, document) => {
    if (firsts[group]! < 0) firsts[group] = document
    alike[document] = firsts[group]!
  })
  const cards = publishedCards(index)
  const flags = flagsOf(cards, {
    leaders: alike,
    odd: cards.map((_, document) => index.defences.isOdd(document)),
    standingOf,
    // Of a card that did not change it was told when it was written.
    likeness: (_, copiers) => (place, isAdmitted) => {
      if (before[place]! >= 0) return former.defences.isSpare(before[place]!)
      const isOther = (other: number): boolean => copiers[other] === 0 && isAdmitted(other)
      return likest(place, { as: 'copierCopy', isAdmitted: isOther }) !== undefined
    },
  })
  const isCopier = isCopierIn(flags)
  const standings = standingsOfCards(cards, standingOf, { idOf: index.ids.at, leaders: alike, isCopier })
  return { alike, flags, ...packStandings(standings), places }
}

/** Who published each document, told once of each source and publisher. */
function publishedCards({ size, source, publisher }: JoinedIndex): readonly PublishedCard[] {
  const known = new Map<string, Map<string, PublishedCard>>()
  return Array.from({ length: size }, (_, document) => {
    const [from, by] = [source(document), publisher(document)]
    const ofSource = known.get(from) ?? new Map<string, PublishedCard>()
    const card = ofSource.get(by) ?? { source: from, ...(by === from ? {} : { publisher: by }) }
    known.set(from, ofSource)
    ofSource.set(by, card)
    return card
  })
}
