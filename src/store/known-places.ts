import { emptyReview, type KnownPlace, type SourceReview } from './source-review.ts'

const keyOf = (folder: string): string => `place:${folder}`

export const placesIn = (reviews: readonly SourceReview[]): readonly KnownPlace[] =>
  reviews.flatMap(({ place }) => place ?? [])

export const reviewOfPlace = (place: KnownPlace): SourceReview => ({
  ...emptyReview(keyOf(place.folder)),
  place,
})
