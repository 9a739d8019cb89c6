import { isBound, type Standings } from '../../trust/standing.ts'
import type { Standing } from '../../store/source-state.ts'
import type { Card } from '../../domain/card.ts'
import { grouped } from '../../domain/grouped.ts'

/**
 * The standing of each card. A newcomer that another source says as well is one no longer, where both sources are known for long and
 * neither copies: who comes to one place only, or as many new sources at once, has nobody to agree with.
 *
 * @param known.leaders - per card, of `lookAlikes`
 * @param known.isCopier - whether the card's publisher mostly offers copies
 */
export function standingsOfCards(
  cards: readonly Pick<Card, 'id' | 'source'>[],
  standingOf: Standings,
  known: { readonly leaders: ArrayLike<number>; readonly isCopier: (place: number) => boolean },
): readonly Standing[] {
  const { leaders, isCopier } = known
  const standings = cards.map(({ source, id }) => standingOf(source, id))
  if (!standings.includes('newcomer')) return standings
  const speaks = (place: number): boolean => {
    const ofSource = standingOf(cards[place]!.source)
    return ofSource === 'stranger' ? !isCopier(place) : !isBound(ofSource)
  }
  for (const places of grouped([...cards.keys()], (place) => leaders[place]!).values()) {
    if (places.length < 2) continue
    const sources = new Set(places.filter(speaks).map((place) => cards[place]!.source))
    if (sources.size < 2) continue
    for (const place of places)
      if (standings[place] === 'newcomer' && sources.has(cards[place]!.source)) standings[place] = 'stranger'
  }
  return standings
}
