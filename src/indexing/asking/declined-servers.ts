import type { OpenSource } from '../open-source.ts'
import type { ReadPart } from '../plan-source.ts'
import type { CatalogChange } from '../../store/catalog-writer.ts'
import { emptyReview, type SourceReview } from '../../store/source-review.ts'

/** The key of the row that remembers that a person does not want an entry to be started. */
const keyOf = (digest: string): string => `declined:${digest}`

/**
 * Whether a person chose not to have the server of a source started, as its entry is now.
 *
 * @param now - digests of entries of which they say so in this run
 */
export function isDeclined(
  { bound }: OpenSource,
  reviews: readonly SourceReview[],
  now: readonly string[] = [],
): boolean {
  if (bound === undefined) return false
  const { digest } = bound
  return now.includes(digest) || isEntryDeclined(digest, reviews)
}

export const isEntryDeclined = (digest: string, reviews: readonly SourceReview[]): boolean =>
  reviews.some(({ key, declined }) => declined === true && key === keyOf(digest))

/** What the store has to remember of choices made in a run, and to forget since a server was asked all the same. */
export function declining(
  parts: readonly ReadPart[],
  digests: readonly string[],
  reviews: readonly SourceReview[],
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const asked = parts.flatMap(({ source, result }) =>
    source.bound !== undefined && 'asked' in result ? [keyOf(source.bound.digest)] : [],
  )
  return {
    reviews: digests
      .filter((digest) => !isEntryDeclined(digest, reviews))
      .map((digest) => ({ ...emptyReview(keyOf(digest)), declined: true as const })),
    removeReviews: reviews.filter(({ key }) => asked.includes(key)).map(({ key }) => key),
  }
}
