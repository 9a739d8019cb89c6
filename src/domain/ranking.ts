/** An agent or tool that may answer a query, with a score: higher is better. */
export type Candidate = { readonly id: string; readonly score: number }

/** Candidates for one query, best first, no id twice. Only {@link rank} makes one. */
export type Ranking = readonly Candidate[] & { readonly brand: 'Ranking' }

/** Score descending, ties by id descending in code units: the order trec_eval uses. */
const byScoreThenId = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/**
 * Orders candidates. An id that comes more than once keeps its best score; a score that is not a number
 * counts as the lowest.
 */
export function rank(candidates: Iterable<Candidate>): Ranking {
  const best = new Map<string, number>()
  for (const { id, score } of candidates) {
    const value = Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score
    const known = best.get(id)
    if (known === undefined || value > known) best.set(id, value)
  }
  const ordered = [...best].map(([id, score]) => ({ id, score })).sort(byScoreThenId)
  return ordered as unknown as Ranking
}

/** Judged relevance of one query's candidates: id to grade, an integer >= 0; an absent id is unjudged. */
export type Grades = ReadonlyMap<string, number>

/** Judged relevance per query id. */
export type Qrels = ReadonlyMap<string, Grades>
