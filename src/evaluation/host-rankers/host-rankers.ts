import { aiSdk, bm25 } from './word-rankers.ts'
import { claudeCode } from './claude-code.ts'
import type { HostRanker } from './host-ranker.ts'
import { cardsOfList } from '../../catalog/harvest-cards.ts'
import type { Card } from '../../domain/card.ts'
import type { SearchAnswer, SearchRequest } from '../../retrieval/answer.ts'

/** The rankers that tools are measured by, in the order of tables. */
export const hostRankers = (searchAmong: SearchAmong): readonly HostRanker[] => [
  claudeCode,
  aiSdk,
  bm25,
  auditionRanker(searchAmong),
]

/** Searches cards that lie in memory. */
export type SearchAmong = (cards: readonly Card[], request: SearchRequest) => Promise<SearchAnswer>

/** Most tools that a search gives. */
const k = 100

/** Ours, as `rank(list, query)` of the library does it: the list in memory, its names, titles, descriptions and schemas. */
const auditionRanker = (searchAmong: SearchAmong): HostRanker => ({
  name: 'audition',
  title: 'Audition',
  over(tools) {
    const read = cardsOfList(tools).cards
    const cards = read.map(({ card }) => card)
    const places = new Map(read.map(({ card, place }) => [card.id, place]))
    return async (query) => {
      const { candidates } = await searchAmong(cards, { kind: 'tool', query, k, pack: 'ranking' })
      return candidates.map(({ card, score }) => ({ index: places.get(card.id)!, score }))
    }
  },
})
