import type { Card } from '../../domain/card.ts'
import { grouped } from '../../domain/grouped.ts'
import { identitiesOf, surelyAtLeast } from './standing.ts'

/** Share of a publisher's cards that are copies of others' from which it is taken for a copier. */
const copierShare = 0.3

/**
 * Whose cards are mostly copies of other sources' cards. An original that others copy stays
 * one: most of what its publisher offers is found nowhere else.
 *
 * @param leaders - per card, of `lookAlikes`
 * @returns 1 per card of a copier, else 0
 */
export function copiersCards(cards: readonly Card[], leaders: Uint32Array): Uint8Array {
  const sources = new Map<number, Set<string>>()
  cards.forEach(({ source }, place) => {
    const ofLeader = sources.get(leaders[place]!)
    if (ofLeader) ofLeader.add(source)
    else sources.set(leaders[place]!, new Set([source]))
  })
  const tallies = new Map<string, { copied: number; all: number }>()
  cards.forEach((card, place) => {
    const isCopied = sources.get(leaders[place]!)!.size > 1
    for (const identity of identitiesOf(card)) {
      const tally = tallies.get(identity) ?? { copied: 0, all: 0 }
      tally.copied += isCopied ? 1 : 0
      tally.all += 1
      tallies.set(identity, tally)
    }
  })
  const isCopier = (identity: string): boolean => {
    const { copied, all } = tallies.get(identity)!
    return surelyAtLeast(copied, all) >= copierShare
  }
  return Uint8Array.from(cards, (card) => (identitiesOf(card).some(isCopier) ? 1 : 0))
}

/**
 * Copiers' cards that say nothing new: the original is another source's, or the same source has more copies of one card than any
 * other source has cards like it. The first by id stay.
 *
 * @param cards - in the order of ids
 * @param leaders - per card, of `lookAlikes`
 * @param copiers - per card, of {@link copiersCards}
 * @returns 1 per card that is spare, else 0
 */
export function spareCopies(cards: readonly Card[], leaders: Uint32Array, copiers: Uint8Array): Uint8Array {
  const kin = grouped([...cards.keys()], (place) => leaders[place]!)
  const spare = new Uint8Array(cards.length)
  for (const places of kin.values()) {
    if (places.length === 1 || !places.some((place) => copiers[place])) continue
    const bySource = grouped(places, (place) => cards[place]!.source)
    for (const [source, own] of bySource) {
      const others = [...bySource].flatMap(([name, list]) => (name === source ? [] : [list]))
      const isElsewhere = others.some((list) => list.some((place) => !copiers[place]))
      const most = Math.max(1, ...others.map(({ length }) => length))
      const copied = own.filter((place) => copiers[place])
      for (const place of isElsewhere ? copied : copied.slice(most)) spare[place] = 1
    }
  }
  return spare
}
