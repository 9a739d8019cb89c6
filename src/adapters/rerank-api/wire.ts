import type { z } from 'zod'
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
