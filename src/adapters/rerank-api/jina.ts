import { z } from 'zod'
import type { RerankWire } from './wire.ts'

/** Jina's, which vLLM, llama.cpp, Infinity, LocalAI and LiteLLM speak too. @see https://jina.ai/reranker */
export const jina: RerankWire = {
  base: 'https://api.jina.ai/v1',
  hosts: /(?:^|\.)jina\.ai$/,
  mostDocuments: 1000,
  body: ({ model, query, documents }) => ({
    model,
    query,
    documents: [...documents],
    return_documents: false,
  }),
  answer: z
    .object({
      results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
      model: z.string().nullish(),
    })
    .transform(({ results, model }) => ({
      scores: results.map(({ index, relevance_score: score }) => ({ index, score })),
      model: model ?? undefined,
    })),
}
