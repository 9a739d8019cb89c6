import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { Check } from './check.ts'

/** Whether the cross-encoder that is configured loads; no word when none is. */
export const reranker: Check = {
  name: 'reranker',
  async run(context) {
    try {
      const found = await (await context.audition()).reranker()
      if (found === null) return []
      const count = found.depth === 1 ? 'candidate' : `${found.depth} candidates`
      return [{ state: 'ok', message: `${found.id}, over the first ${count}` }]
    } catch (error) {
      if (!(error instanceof EmbeddingModelError)) throw error
      return [{ state: 'fail', message: error.message, remedy: error.remedy }]
    }
  },
}
