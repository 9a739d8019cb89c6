import type { Candidate } from '../domain/ranking.ts'
import type { CardIndex } from './card-index.ts'

/**
 * What a snapshot answers to `nearest`, from the search image alone.
 *
 * @param admitted - one byte per document of the index, 0 leaves it out; null admits all
 * @returns ids with cosine, best first, ties by id descending, at most `depth`; empty when the image holds no vectors
 */
export function nearestCards(
  { vectors, ids }: CardIndex,
  vector: Float32Array,
  depth: number,
  admitted: Uint8Array | null,
): readonly Candidate[] {
  if (vectors === null) return []
  const { documents, scores } = vectors.nearest(vector, depth, admitted)
  return Array.from(documents, (document, place) => ({ id: ids.at(document), score: scores[place]! }))
}
