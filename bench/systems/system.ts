import type { Ranking } from '../../src/domain/ranking.ts'

/** A search engine that does the whole job: from files of tools to full cards for a query. */
export type BenchSystem = {
  /** Reads every `<set>/tools.jsonl` of a corpus and leaves in the folder `store` what {@link open} needs. */
  index(corpus: string, store: string): Promise<void>
  /** Opens what {@link index} left, as a fresh process would. */
  open(store: string): Promise<Searcher>
}

/** An opened system. */
export type Searcher = {
  /** Ranks at most `k` tools; their full cards were read too, because a caller needs them. */
  search(query: string, k: number): Promise<Ranking>
  close(): Promise<void>
}
