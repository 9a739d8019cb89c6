import type { Card } from '../../domain/card.ts'
import type { Standing } from '../../store/source-state.ts'
import { isBound, type Standings } from '../../trust/standing.ts'
import { groupsWith } from './look-alikes.ts'

/**
 * The standing of each card, by its source where that tells. A newcomer that another source says as well is one no longer, where both sources are known for long and
 * neither copies: who comes to one place only, or as many new sources at once, has nobody to agree with.
 *
 * @param known.idOf - the id of a card
 * @param known.leaders - per card, of `lookAlikes`
 * @param known.isCopier - whether the card's publisher mostly offers copies
 */
export function standingsOfCards(
  cards: readonly Pick<Card, 'source'>[],
  standingOf: Standings,
  known: {
    idOf(place: number): string
    readonly leaders: ArrayLike<number>
    readonly isCopier: (place: number) => boolean
  },
): readonly Standing[] {
  const { idOf, leaders, isCopier } = known
  const standings = cards.map(({ source }, place) => {
    const own = standingOf(source)
    return own === 'stranger' || own === 'newcomer' ? standingOf(source, idOf(place)) : own
  })
  if (!standings.includes('newcomer')) return standings
  const speaks = (place: number): boolean => {
    const ofSource = standingOf(cards[place]!.source)
    return ofSource === 'stranger' ? !isCopier(place) : !isBound(ofSource)
  }
  for (const places of groupsWith(leaders, (place) => standings[place] === 'newcomer')) {
    if (places.length < 2) continue
    const sources = new Set(places.filter(speaks).map((place) => cards[place]!.source))
    if (sources.size < 2) continue
    for (const place of places)
      if (standings[place] === 'newcomer' && sources.has(cards[place]!.source)) standings[place] = 'stranger'
  }
  return standings
}
