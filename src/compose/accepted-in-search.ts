import type { CatalogSnapshot } from '../retrieval/ports.ts'
import type { SourceReview } from '../store/source-review.ts'
import { type AcceptedCards, acceptedAmong } from '../trust/review/accepted-cards.ts'
import { idsOfSource } from './open-pinned-catalog.ts'

/** The cards in search whose very text the user accepted: only sources of which they accepted something are looked through. */
export async function acceptedInSearch(
  reviews: readonly SourceReview[],
  onSnapshot: <T>(use: (snapshot: CatalogSnapshot) => Promise<T>) => Promise<T>,
): Promise<readonly AcceptedCards[]> {
  const asked = reviews.filter(({ accepted }) => accepted.length > 0)
  if (asked.length === 0) return []
  return onSnapshot(async (snapshot) => {
    const found = await Promise.all(
      asked.map(async (review) => {
        const ids = await Promise.all(
          (['tool', 'agent'] as const).map((kind) => idsOfSource(snapshot, kind, review.key)),
        )
        return acceptedAmong(await snapshot.cards(ids.flat()), review)
      }),
    )
    return found.filter(({ cards }) => cards.length > 0)
  })
}
