/** How much of each query a report keeps. What is left out stands in the run's own file. */
export type DetailLevel = {
  /** Queries listed at all, the telling ones first. */
  readonly queries: number
  /** Queries kept in full: whole text, ten candidates and why each is there. The telling ones first. */
  readonly full: number
  /** Letters kept of the other queries' texts. */
  readonly letters: number
  /** Candidates kept of the other queries. */
  readonly candidates: number
  /** Measures kept per query, the headline first. */
  readonly measures: number
}

/** Of queries kept in full: letters of the text, candidates, and (of every query) relevant candidates. */
export const fullText = 4000
export const fullCandidates = 10
export const relevantKept = 20

const all = Number.MAX_SAFE_INTEGER

/**
 * Levels from the most to the least, tried in this order until a report fits. First the reasons of unremarkable queries
 * go, then the tails of texts, then candidates, at last queries.
 */
export const detailLevels: readonly DetailLevel[] = [
  { queries: all, full: all, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 8000, letters: fullText, candidates: 10, measures: all },
  { queries: all, full: 4000, letters: fullText, candidates: 10, measures: 6 },
  { queries: all, full: 2000, letters: 1000, candidates: 10, measures: 3 },
  { queries: all, full: 2000, letters: 300, candidates: 10, measures: 2 },
  { queries: all, full: 1000, letters: 150, candidates: 10, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 7, measures: 1 },
  { queries: all, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: all, full: 1000, letters: 80, candidates: 3, measures: 1 },
  { queries: all, full: 1000, letters: 60, candidates: 1, measures: 1 },
  { queries: 30_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 10_000, full: 1000, letters: 100, candidates: 5, measures: 1 },
  { queries: 1000, full: 200, letters: 100, candidates: 5, measures: 1 },
  { queries: 100, full: 0, letters: 100, candidates: 1, measures: 1 },
]
