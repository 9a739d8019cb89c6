import { z } from 'zod'
import type { RerankWire } from './wire.ts'

/** Voyage's. @see https://docs.voyageai.com/reference/reranker-api */
export const voyage: RerankWire = {
  base: 'https://api.voyageai.com/v1',
  hosts: /(?:^|\.)(?:voyageai\.com|ai\.mongodb\.com)$/,
  mostDocuments: 1000,
  body: ({ model, query, documents }) => ({ model, query, documents: [...documents], truncation: true }),
  answer: z
    .object({
      data: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
      model: z.string().nullish(),
    })
    .transform(({ data, model }) => ({
      scores: data.map(({ index, relevance_score: score }) => ({ index, score })),
      model: model ?? undefined,
    })),
}
