import { lanceReader } from '../../src/adapters/lancedb/lance-reader.ts'
import { rank } from '../../src/domain/ranking.ts'
import { search } from '../../src/retrieval/search.ts'
import { buildStore } from './build-store.ts'
import { randomModel } from './random-model.ts'
import type { BenchSystem } from './system.ts'

/** Audition with words and vectors. The model's weights are random: its speed and size tell, its quality does not. */
export const auditionHybrid: BenchSystem = {
  index: (corpus, store) => buildStore(corpus, store, randomModel()),
  async open(store) {
    const model = randomModel()
    const reader = lanceReader(store)
    return {
      async search(query, k) {
        const snapshot = await reader.snapshot()
        const { candidates } = await search({ snapshot, model }, { kind: 'tool', query, k, ranker: 'hybrid' })
        return rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
      },
      close: () => reader.close(),
    }
  },
}
