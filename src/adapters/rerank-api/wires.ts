import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'

/** What is asked in one request. */
type RerankQuestion = {
  readonly model: string
  readonly query: string
  readonly documents: readonly string[]
}

/** What a server said. */
export type RerankAnswer = {
  /** By number of the document; in any order. */
  readonly scores: readonly { readonly index: number; readonly score: number }[]
  /** Which model it was, where it says. */
  readonly model?: string | undefined
}

/** A wire format of reranking services. */
export type RerankWire = {
  /** The provider's own address. */
  readonly base?: string
  /** Hosts of the provider, which answer only who has a key. */
  readonly hosts?: RegExp
  /** Documents in one request at most. */
  readonly mostDocuments: number
  /** Where the server tells its model, if its answers do not. */
  readonly modelAt?: { readonly path: string; readonly answer: z.ZodType<{ readonly model_id: string }> }
  body(question: RerankQuestion): JsonObject
  readonly answer: z.ZodType<RerankAnswer>
}

const ranked = z.array(z.object({ index: z.int(), relevance_score: z.number() }))
const scoresOf = (results: z.output<typeof ranked>): RerankAnswer['scores'] =>
  results.map(({ index, relevance_score: score }) => ({ index, score }))
const model = z.string().nullish()

/** Cohere's, version 2. It bills by searches, not tokens. @see https://docs.cohere.com/reference/rerank */
const cohere: RerankWire = {
  base: 'https://api.cohere.com/v2',
  hosts: /(?:^|\.)cohere\.(?:com|ai)$/,
  mostDocuments: 1000,
  body: ({ documents, ...asked }) => ({ ...asked, documents: [...documents] }),
  answer: z.object({ results: ranked }).transform(({ results }) => ({ scores: scoresOf(results) })),
}

/** Jina's, which vLLM, llama.cpp, Infinity, LocalAI and LiteLLM speak too. @see https://jina.ai/reranker */
const jina: RerankWire = {
  base: 'https://api.jina.ai/v1',
  hosts: /(?:^|\.)jina\.ai$/,
  mostDocuments: 1000,
  body: ({ documents, ...asked }) => ({ ...asked, documents: [...documents], return_documents: false }),
  answer: z
    .object({ results: ranked, model })
    .transform((said) => ({ scores: scoresOf(said.results), model: said.model ?? undefined })),
}

/** Voyage's. @see https://docs.voyageai.com/reference/reranker-api */
const voyage: RerankWire = {
  base: 'https://api.voyageai.com/v1',
  hosts: /(?:^|\.)(?:voyageai\.com|ai\.mongodb\.com)$/,
  mostDocuments: 1000,
  body: ({ documents, ...asked }) => ({ ...asked, documents: [...documents], truncation: true }),
  answer: z
    .object({ data: ranked, model })
    .transform((said) => ({ scores: scoresOf(said.data), model: said.model ?? undefined })),
}

/** That of Hugging Face's Text Embeddings Inference, one model a server. @see https://huggingface.github.io/text-embeddings-inference */
const tei: RerankWire = {
  mostDocuments: 32,
  modelAt: { path: 'info', answer: z.object({ model_id: z.string() }) },
  body: ({ query, documents }) => ({ query, texts: [...documents], truncate: true }),
  answer: z.array(z.object({ index: z.int(), score: z.number() })).transform((scores) => ({ scores })),
}

/** Formats by the names that `format=` gives them. */
export const wires = { cohere, jina, voyage, tei } satisfies { readonly [name: string]: RerankWire }
export type RerankFormat = keyof typeof wires
export const wireNames = Object.keys(wires) as readonly RerankFormat[]
