import type { SparseRow } from '../features/sparse-rows.ts'
import { fitTerms, termWeigher } from '../features/tf-idf.ts'

/** Queries that stand for one that was never seen, and terms that tell how near they are: as in the paper. */
const most = 3
const mostTerms = 5000

/**
 * The surrogate for the id of a query: the queries learned from that are next to it by TF-IDF, weighted by their cosines, which add up to
 * 1; none when it shares no term with any.
 */
export function nearestQueries(learned: readonly string[]): (text: string) => SparseRow {
  const weigh = termWeigher(fitTerms(learned, mostTerms))
  const postings = new Map<number, [query: number, value: number][]>()
  for (const [query, text] of learned.entries())
    for (const [term, value] of weigh(text)) {
      const known = postings.get(term)
      if (known) known.push([query, value])
      else postings.set(term, [[query, value]])
    }
  const known = new Map<string, SparseRow>()
  return (text) => {
    const before = known.get(text)
    if (before) return before
    const cosines = new Map<number, number>()
    for (const [term, value] of weigh(text))
      for (const [query, other] of postings.get(term) ?? [])
        cosines.set(query, (cosines.get(query) ?? 0) + value * other)
    const near = [...cosines].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most)
    const total = near.reduce((sum, [, cosine]) => sum + cosine, 0)
    const row = near.map(([query, cosine]) => [query, cosine / total] as const)
    known.set(text, row)
    return row
  }
}
