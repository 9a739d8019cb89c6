import { z } from 'zod'
import type { RerankWire } from './wire.ts'

/** Cohere's, version 2. It bills by searches, not tokens. @see https://docs.cohere.com/reference/rerank */
export const cohere: RerankWire = {
  base: 'https://api.cohere.com/v2',
  hosts: /(?:^|\.)cohere\.(?:com|ai)$/,
  mostDocuments: 1000,
  body: ({ model, query, documents }) => ({ model, query, documents: [...documents] }),
  answer: z
    .object({ results: z.array(z.object({ index: z.int(), relevance_score: z.number() })) })
    .transform(({ results }) => ({
      scores: results.map(({ index, relevance_score: score }) => ({ index, score })),
    })),
}
