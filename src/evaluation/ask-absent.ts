import type { Dataset, DatasetPart, JudgedQuery } from './datasets/dataset.ts'
import { isAnswerable } from './query-outcome.ts'

/** What stands behind the id of a query that is asked without what serves it. */
const mark = '~absent'

/**
 * Adds to every query that something serves the same query over the corpus without that: the right answer to it is that
 * nothing fits. How often that is said, and how often it is said wrongly of the query as it was, are the recall and the
 * false alarms of the refusal; both come in equal numbers.
 */
export const askAbsent = (dataset: Dataset): Dataset => ({
  ...dataset,
  parts: dataset.parts.map(
    (part): DatasetPart => ({ ...part, queries: part.queries.flatMap(withAndWithout) }),
  ),
  notes: [
    ...dataset.notes,
    'Every query that something serves is asked once more without the cards that serve it, which should be refused.',
  ],
})

function withAndWithout(query: JudgedQuery): readonly JudgedQuery[] {
  if (!isAnswerable(query)) return [query]
  const serving = [...query.grades].flatMap(([id, grade]) => (grade > 0 ? [id] : []))
  const { needs: _, ...rest } = query
  return [query, { ...rest, id: `${query.id}${mark}`, grades: new Map(), exclude: serving }]
}
