import { emptyReview, type KnownPlace, type SourceReview } from './source-review.ts'

const keyOf = (folder: string): string => `place:${folder}`

export const placesIn = (reviews: readonly SourceReview[]): readonly KnownPlace[] =>
  reviews.flatMap(({ place }) => place ?? [])

export const reviewOfPlace = (place: KnownPlace): SourceReview => ({
  ...emptyReview(keyOf(place.folder)),
  place,
})

/** Folders that a person named. */
export const namedFolders = (places: readonly KnownPlace[]): readonly string[] =>
  places.flatMap(({ folder, isNamed }) => (isNamed === true ? [folder] : []))
