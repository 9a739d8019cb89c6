import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { rank } from '../../src/domain/ranking.ts'
import type { SearchRequest } from '../../src/retrieval/answer.ts'
import { modelFolder, shippedModel } from '../static-model-folder.ts'
import { buildStore } from './build-store.ts'
import type { BenchSystem } from './system.ts'

/** Audition with words and vectors of the static model, opened as the command line and the server open it. */
const withModel = (
  ranker: 'hybrid' | 'learned' | 'reader',
  pack: NonNullable<SearchRequest['pack']> = 'diverse',
): BenchSystem => ({
  index: async (corpus, store) =>
    buildStore(corpus, store, await (ranker === 'reader' ? shippedModel() : staticModel(modelFolder))),
  open(store) {
    const app = openAudition(configFrom({ AUDITION_HOME: store, AUDITION_MODEL: `static:${modelFolder}` }))
    return Promise.resolve({
      async search(query, k) {
        const { candidates } = await app.search({ kind: 'tool', query, k, ranker, pack })
        return rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
      },
      close: () => app.close(),
    })
  },
})

/** Both retrievers by plain fusion. */
export const auditionHybrid = withModel('hybrid')
/** Both retrievers, scored by the ranker that the model brings along: the default search. */
export const auditionLearned = withModel('learned')

/** The same without folding and capping, as measures want it. */
export const auditionHybridRanking = withModel('hybrid', 'ranking')
export const auditionLearnedRanking = withModel('learned', 'ranking')
/** With what the reader makes of the first candidates: the default search where the model has one. */
export const auditionReaderRanking = withModel('reader', 'ranking')
