import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { rank } from '../../src/domain/ranking.ts'
import type { SearchRequest } from '../../src/retrieval/answer.ts'
import { buildStore } from './build-store.ts'
import type { BenchSystem, Searcher } from './system.ts'

/** Audition without a model, opened as the command line and the server open it. */
export const audition: BenchSystem = {
  index: (corpus, store) => buildStore(corpus, store, null),
  open: (store) => opened(store, 'diverse'),
}

/** The same search without folding and capping, as measures want it. */
export const auditionRanking: BenchSystem = { ...audition, open: (store) => opened(store, 'ranking') }

function opened(store: string, pack: NonNullable<SearchRequest['pack']>): Promise<Searcher> {
  const app = openAudition(configFrom({ AUDITION_HOME: store }))
  return Promise.resolve({
    async search(query, k) {
      const { candidates } = await app.search({ kind: 'tool', query, k, ranker: 'lexical', pack })
      return rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
    },
    close: () => app.close(),
  })
}
