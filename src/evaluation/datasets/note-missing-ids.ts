import type { CatalogSnapshot } from '../../retrieval/ports.ts'
import type { Dataset } from './dataset.ts'

/** Ids named in the note. */
const named = 5

/**
 * A dataset whose notes say which of the ids it expects the index does not hold: such a card cannot be found, and a
 * slip in an id looks like a bad search. Figures are not touched.
 *
 * @param index - what the queries are asked of
 */
export function noteMissingIds(dataset: Dataset, { indexes }: Pick<CatalogSnapshot, 'indexes'>): Dataset {
  const relevant = dataset.parts.flatMap(({ queries }) =>
    queries.flatMap(({ grades }) => [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)),
  )
  const isIndexed = (id: string): boolean =>
    indexes.tool.ids.indexOf(id) !== -1 || indexes.agent.ids.indexOf(id) !== -1
  const missing = [...new Set(relevant)].filter((id) => !isIndexed(id))
  if (missing.length === 0) return dataset
  const more = missing.length > named ? ` and ${missing.length - named} more` : ''
  const [are, count] = missing.length === 1 ? ['is', 'counts'] : ['are', 'count']
  const note =
    `${missing.length} of the expected ids ${are} not in the index and ${count} as not found: ` +
    `${missing.slice(0, named).join(', ')}${more}. \`audition search\` shows the ids there are.`
  return { ...dataset, notes: [note, ...dataset.notes] }
}
