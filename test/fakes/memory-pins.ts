import type { SourceState } from '../../src/store/source-state.ts'
import type { PinnedCatalog } from '../../src/trust/review/known-servers.ts'
import type { SourceReview } from '../../src/store/source-review.ts'
import type { Card } from '../../src/domain/card.ts'

/** What the catalog has of servers, in memory: nothing, unless a test says otherwise. */
export const memoryPins = ({
  sources = [],
  reviews = [],
  cards = [],
}: {
  readonly sources?: readonly SourceState[]
  readonly reviews?: readonly SourceReview[]
  readonly cards?: readonly Card[]
} = {}): PinnedCatalog => ({
  sources: async () => sources,
  reviews: async () => reviews,
  tools: async (source) => cards.filter((card) => card.kind === 'tool' && card.source === source),
  names: async () => cards.map(({ id, source, name }) => ({ id, source, name })),
})
