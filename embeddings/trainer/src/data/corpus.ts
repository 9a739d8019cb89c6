import type { Card } from '../../../../src/domain/card.ts'

/** A collection of cards, and the queries asked of it whose answers are known. */
export type TrainingCorpus = {
  /** For example `metatool`. Unique among the corpora of one reading. */
  readonly name: string
  /** Corpora and development sets of one family share a source; see `embeddings/trainer/data/splits.json`. */
  readonly family: string
  readonly cards: readonly Card[]
  /** Empty for cards alone. */
  readonly queries: readonly TrainingQuery[]
}

/** A query with what answers it. */
export type TrainingQuery = {
  /** Unique within the corpus, unless the publisher repeats an id. */
  readonly id: string
  readonly text: string
  /** Context written with the answer in view (ToolRet). */
  readonly instruction?: string
  /** Ids of cards of this corpus, at least one. */
  readonly relevant: readonly string[]
  /** The set the query was taken from, where it is not the corpus itself. */
  readonly set?: string
}
