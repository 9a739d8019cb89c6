import type { Candidate } from '../../src/domain/ranking.ts'
import type { CardIndex } from '../../src/retrieval/index/card-index.ts'

/**
 * The nearest cards by id, as a test tells them.
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
  const { documents, scores } = vectors.scored(vector, admitted).best(depth)
  return Array.from(documents, (document, place) => ({ id: ids.at(document), score: scores[place]! }))
}
