import type { CrossEncoder } from '../../src/retrieval/rank/cross-encoder.ts'

/** What a test sees of the fake besides its scores. */
export type FixedCrossEncoder = CrossEncoder & {
  /** What was read, in order. */
  readonly read: { readonly query: string; readonly documents: readonly string[] }[]
}

/** A cross-encoder whose relevances are a function of document and query. */
export function fixedCrossEncoder(relevance: (document: string, query: string) => number): FixedCrossEncoder {
  const read: { query: string; documents: readonly string[] }[] = []
  return {
    id: 'fixed',
    read,
    async score(query, documents, { signal } = {}) {
      signal?.throwIfAborted()
      read.push({ query, documents })
      return Float32Array.from(documents, (document) => relevance(document, query))
    },
    close: async () => {},
  }
}
