import { z } from 'zod'
import type { RerankWire } from './wire.ts'

/** That of Hugging Face's Text Embeddings Inference, one model a server. @see https://huggingface.github.io/text-embeddings-inference */
export const tei: RerankWire = {
  mostDocuments: 32,
  modelAt: { path: 'info', answer: z.object({ model_id: z.string() }) },
  body: ({ query, documents }) => ({ query, texts: [...documents], truncate: true }),
  answer: z.array(z.object({ index: z.int(), score: z.number() })).transform((scores) => ({ scores })),
}
