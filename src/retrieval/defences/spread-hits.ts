import type { CardDefences } from '../facts/card-defences.ts'
import type { DocumentHits } from '../index/best-documents.ts'

/** Near-copies of one card among the candidates of one retriever: cards of copiers, and others. */
const mostAlike = { copies: 3, others: 12 }
/** How many times deeper is looked than wanted, since copies take the room of others, and so again where they take it all. */
const deeper = 2
const mostSteps = 5

/** To which depth is looked first, for so many. */
export const firstDepth = (depth: number): number => depth * deeper

/**
 * Looks deeper while near-copies take the room of other candidates: a thousand copies of one card must not keep all others
 * from being seen.
 *
 * @param look - the best documents to a depth
 * @returns at most `depth`, best first
 */
export function spreadHits(
  look: (depth: number) => DocumentHits,
  depth: number,
  defences: CardDefences,
): DocumentHits {
  let reached = firstDepth(depth)
  let hits = look(reached)
  for (let step = 0; step < mostSteps; step++) {
    const places = spreadPlaces(hits, defences, depth)
    // A list that is not full holds all there is.
    if (places.length >= hits.documents.length || hits.documents.length < reached) break
    if (places.length === depth) break
    reached *= deeper
    hits = look(reached)
  }
  if (hits.documents.length <= depth) return hits
  const places = spreadPlaces(hits, defences, depth)
  return {
    documents: Uint32Array.from(places, (place) => hits.documents[place]!),
    scores: Float32Array.from(places, (place) => hits.scores[place]!),
  }
}

/** Places of the first hits that are not copies too many. */
function spreadPlaces({ documents }: DocumentHits, defences: CardDefences, most: number): number[] {
  // Of one number: copiers' cards at 2n + 1, others at 2n.
  const counts = new Map<number, number>()
  const places: number[] = []
  for (let place = 0; place < documents.length && places.length < most; place++) {
    const document = documents[place]!
    const isCopy = defences.isCopier(document)
    const kin = 2 * defences.lookAlike(document) + (isCopy ? 1 : 0)
    const count = (counts.get(kin) ?? 0) + 1
    counts.set(kin, count)
    if (count <= (isCopy ? mostAlike.copies : mostAlike.others)) places.push(place)
  }
  return places
}
