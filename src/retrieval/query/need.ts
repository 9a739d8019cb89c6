import type { Beside } from './beside.ts'

/** One text to look for: the words, and its vector when a dense retriever takes part. */
export type Lookup = {
  readonly text: string
  readonly vector: Float32Array | null
  /** What was said beside the request, at most one text of a kind. */
  readonly besides?: readonly Beside[]
}

/** The query, and what its steps ask for, ready to be looked up; a single one where it stands in a story. */
export type Need = {
  readonly whole: Lookup
  readonly facets: readonly Lookup[]
  /** Sentences of a story that may ask for something, each less likely by its doubt in log-odds. @defaultValue none */
  readonly perhaps?: readonly { readonly lookup: Lookup; readonly doubt: number }[] | undefined
  /** How much of the query is a story around what is asked for, 0..1. @defaultValue 0 */
  readonly story?: number | undefined
}
