import type { Table } from '@lancedb/lancedb'
import type { CatalogChange } from '../../../store/catalog-writer.ts'
import { readReviews, readSources, type States } from './head.ts'
import { type Head, stateOfLayout1 } from '../schemas.ts'

/** What is remembered of the sources once a change is made; null when that is what the head names. */
export async function statesAfter(
  meta: Table,
  head: Head | null,
  { sources, removeSources, reviews = [], removeReviews = [] }: CatalogChange,
): Promise<States | null> {
  const isChanged = sources.length + removeSources.length + reviews.length + removeReviews.length > 0
  if (!isChanged && head !== null && head.state !== stateOfLayout1) return null
  return {
    sources: replaced(await readSources(meta, head), sources, removeSources, ({ id }) => id),
    reviews: replaced(await readReviews(meta, head), reviews, removeReviews, ({ key }) => key),
  }
}

/** What is put wins over what is removed: a source may be forgotten and found again in one change. */
function replaced<T>(
  before: readonly T[],
  put: readonly T[],
  remove: readonly string[],
  keyOf: (one: T) => string,
): readonly T[] {
  const after = new Map(before.map((one) => [keyOf(one), one]))
  for (const key of remove) after.delete(key)
  for (const one of put) after.set(keyOf(one), one)
  return [...after.values()]
}
