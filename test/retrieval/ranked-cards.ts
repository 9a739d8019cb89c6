import type { ToolCard } from '../../src/domain/card.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import type { RankedCard } from '../../src/retrieval/rank/ranked-card.ts'
import { toolCard } from '../fakes/fake-audition.ts'

/** A card with its score and how well it serves each step. */
export type Listed = { readonly card: ToolCard; readonly score: number; readonly facets?: readonly number[] }

/** One card of a ranking; what it says is its own unless the test says otherwise. */
export const listed = (
  id: string,
  score: number,
  parts: Partial<ToolCard> & { readonly facets?: readonly number[] } = {},
): Listed => {
  const { facets = [], ...fields } = parts
  return {
    card: toolCard(id, { description: `The one and only ${id} for ${id} work`, ...fields }),
    score,
    facets,
  }
}

/** The cards as a ranking over their index. */
export function rankedOf(cards: readonly Listed[]): { index: CardIndex; ranked: readonly RankedCard[] } {
  const index = openCardIndex(packCardIndex(cards.map(({ card }) => card)))!
  const ranked = cards
    .map(({ card, score, facets = [] }) => ({
      document: index.ids.indexOf(card.id),
      score,
      lexical: score,
      dense: undefined,
      probability: undefined,
      lift: undefined,
      facets,
    }))
    .sort((a, b) => b.score - a.score || b.document - a.document)
  return { index, ranked: Object.freeze(ranked) }
}
