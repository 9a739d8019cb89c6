import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'

/** What a text is to the service. */
export type Role = 'query' | 'document'

/** What is asked in one request. */
type EmbedQuestion = {
  readonly model: string
  readonly texts: readonly string[]
  readonly role: Role
  /** Values of a vector, for models that can be asked for fewer. */
  readonly dimensions: number | undefined
}

/** What a service said: a vector each, by number of the text where it tells numbers. */
export type EmbedAnswer = {
  readonly vectors: readonly { readonly index?: number | undefined; readonly values: readonly number[] }[]
  /** Which model it was, where it says. */
  readonly model?: string | undefined
}

/** A wire format of services that embed. */
export type EmbedWire = {
  /** The provider's own address. */
  readonly base: string
  /** Hosts of the provider, with the port where that tells it. */
  readonly hosts: RegExp
  /** Whether its own address answers only who has a key. */
  readonly needsKey: boolean
  /** Texts in one request at most. */
  readonly mostTexts: number
  /** Whether it is told what is a query, so that a model's own words before it are the service's business. */
  readonly knowsRoles: boolean
  /** Header of the key. @defaultValue `Authorization: Bearer` */
  readonly keyHeader?: string
  path(model: string): string
  body(question: EmbedQuestion): JsonObject
  readonly answer: z.ZodType<EmbedAnswer>
}

const values = z.array(z.number())
const numbered = z
  .object({
    data: z.array(z.object({ index: z.int().optional(), embedding: values })),
    model: z.string().nullish(),
  })
  .transform(({ data, model }) => ({
    vectors: data.map(({ index, embedding }) => ({ index, values: embedding })),
    model: model ?? undefined,
  }))
const inOrder = (vectors: readonly number[][]) => vectors.map((own) => ({ values: own }))

/** OpenAI's, which LM Studio, vLLM, llama.cpp, LiteLLM, Mistral and many others speak too. @see https://platform.openai.com/docs/api-reference/embeddings */
const openai: EmbedWire = {
  base: 'https://api.openai.com/v1',
  hosts: /^api\.openai\.com$/,
  needsKey: true,
  mostTexts: 2048,
  knowsRoles: false,
  answer: numbered,
  path: () => 'embeddings',
  body: ({ model, texts, dimensions }) => ({
    model,
    input: [...texts],
    encoding_format: 'float',
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
}

/** @see https://docs.ollama.com/api/embed */
const ollama: EmbedWire = {
  base: 'http://127.0.0.1:11434',
  hosts: /:11434$|^ollama\.com$/,
  needsKey: false,
  mostTexts: 2048,
  knowsRoles: false,
  path: () => 'api/embed',
  body: ({ model, texts, dimensions }) => ({
    model,
    input: [...texts],
    truncate: true,
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
  answer: z
    .object({ embeddings: z.array(values), model: z.string().nullish() })
    .transform(({ embeddings, model }) => ({ vectors: inOrder(embeddings), model: model ?? undefined })),
}

/** @see https://docs.voyageai.com/reference/embeddings-api */
const voyage: EmbedWire = {
  base: 'https://api.voyageai.com/v1',
  hosts: /(?:^|\.)(?:voyageai\.com|ai\.mongodb\.com)$/,
  needsKey: true,
  mostTexts: 1000,
  knowsRoles: true,
  answer: numbered,
  path: () => 'embeddings',
  body: ({ model, texts, role, dimensions }) => ({
    model,
    input: [...texts],
    input_type: role,
    truncation: true,
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
}

/** @see https://docs.cohere.com/reference/embed */
const cohere: EmbedWire = {
  base: 'https://api.cohere.com/v2',
  hosts: /(?:^|\.)cohere\.(?:com|ai)$/,
  needsKey: true,
  mostTexts: 96,
  knowsRoles: true,
  path: () => 'embed',
  body: ({ model, texts, role, dimensions }) => ({
    model,
    texts: [...texts],
    input_type: `search_${role}`,
    embedding_types: ['float'],
    truncate: 'END',
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
  answer: z
    .object({ embeddings: z.object({ float: z.array(values) }) })
    .transform(({ embeddings }) => ({ vectors: inOrder(embeddings.float) })),
}

/** @see https://ai.google.dev/api/embeddings */
const gemini: EmbedWire = {
  base: 'https://generativelanguage.googleapis.com/v1beta',
  hosts: /^generativelanguage\.googleapis\.com$/,
  needsKey: true,
  keyHeader: 'x-goog-api-key',
  mostTexts: 100,
  knowsRoles: true,
  path: (model) => `models/${model}:batchEmbedContents`,
  body: ({ model, texts, role, dimensions }) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { role: 'user', parts: [{ text }] },
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      taskType: role === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
    })),
  }),
  answer: z
    .object({ embeddings: z.array(z.object({ values })) })
    .transform(({ embeddings }) => ({ vectors: inOrder(embeddings.map((one) => one.values)) })),
}

/** Formats by the names that `format=` gives them. */
export const wires = { openai, ollama, voyage, cohere, gemini } satisfies {
  readonly [name: string]: EmbedWire
}
export type EmbedFormat = keyof typeof wires
export const wireNames = Object.keys(wires) as readonly EmbedFormat[]
