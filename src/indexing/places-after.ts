import { isBundledLocation } from '../catalog/bundled-parts.ts'
import type { Problem } from '../catalog/ports.ts'
import type { CatalogChange } from '../store/catalog-writer.ts'
import { placesIn, reviewOfPlace } from '../store/known-places.ts'
import type { SourceReview } from '../store/source-review.ts'
import type { Opened } from './open-source.ts'
import { remembered } from './plan-source.ts'

/** What the store is to remember of the folders that a run walked, and to forget: nothing where all is as it was. */
export function placesAfter(
  opened: readonly Opened[],
  leftOutOf: (place: Opened) => readonly Problem[],
  reviews: readonly SourceReview[],
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const known = new Map(placesIn(reviews).map((place) => [place.folder, place]))
  const change = { reviews: [] as SourceReview[], removeReviews: [] as string[] }
  for (const place of opened) {
    const { location: folder, walked } = place
    if (walked.length === 0 || isBundledLocation(folder)) continue
    const before = known.get(folder)
    const review = reviewOfPlace({ folder, problems: remembered(leftOutOf(place), folder) })
    if (review.place?.problems.length === 0) {
      if (before !== undefined) change.removeReviews.push(review.key)
    } else if (JSON.stringify(review.place) !== JSON.stringify(before)) change.reviews.push(review)
  }
  return change
}
