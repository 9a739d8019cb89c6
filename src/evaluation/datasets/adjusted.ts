import { namesInLine } from '../../domain/text/names-in-line.ts'
import { type Dataset, type DatasetPart, isAnswerable, type JudgedQuery } from './dataset.ts'
import type { CatalogSnapshot } from '../../retrieval/ports.ts'

/**
 * Keeps at most so many queries of a dataset: every part gets the same share, small parts whole, and of a large part
 * queries at even distances, so that the choice is the same at every run.
 *
 * @param most - queries kept over all parts. Integer >= 1
 * @returns the dataset itself when it has no more; else one whose notes say what was left out. All parts stay: their
 *   cards belong to the joined corpus
 */
export function limitQueries(dataset: Dataset, most: number): Dataset {
  const total = dataset.parts.reduce((sum, { queries }) => sum + queries.length, 0)
  if (total <= most) return dataset
  const kept = fairShares(dataset.parts, most)
  const parts = dataset.parts.map(
    (part): DatasetPart => ({ ...part, queries: evenlySpaced(part.queries, kept.get(part.name)!) }),
  )
  const note = `Only ${most} of ${total} queries were run, spread evenly over the parts: figures are rough.`
  return { ...dataset, parts, notes: [...dataset.notes, note] }
}

/** Queries each part may keep: smallest part first, so that what it leaves goes to the larger ones. */
function fairShares(parts: readonly DatasetPart[], most: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let left = most
  const smallestFirst = [...parts].sort((a, b) => a.queries.length - b.queries.length)
  smallestFirst.forEach(({ name, queries }, place) => {
    const share = Math.min(queries.length, Math.floor(left / (parts.length - place)))
    shares.set(name, share)
    left -= share
  })
  return shares
}

const evenlySpaced = <T>(list: readonly T[], count: number): readonly T[] =>
  count === list.length
    ? list
    : Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!)

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
  const [are, count] = missing.length === 1 ? ['is', 'counts'] : ['are', 'count']
  const note =
    `${missing.length} of the expected ids ${are} not in the index and ${count} as not found: ` +
    `${namesInLine(missing, named)}. \`audition search\` shows the ids there are.`
  return { ...dataset, notes: [note, ...dataset.notes] }
}

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
