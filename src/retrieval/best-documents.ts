/** Documents with their scores, best first; equal scores by document number descending, which is id descending. */
export type DocumentHits = { readonly documents: Uint32Array; readonly scores: Float32Array }

/**
 * The best of some documents: a histogram of their scores tells where the best begin, and only those are sorted.
 *
 * @param scores - by document number; those asked for are finite
 * @param among - distinct document numbers, in any order
 * @returns at most `depth`
 */
export function bestDocuments(scores: Float32Array, among: Uint32Array, depth: number): DocumentHits {
  const few = depth < among.length ? highest(scores, among, depth) : among.slice()
  const documents = few.sort((a, b) => scores[b]! - scores[a]! || b - a).subarray(0, depth)
  return { documents, scores: Float32Array.from(documents, (document) => scores[document]!) }
}

const bins = 1024
const counts = new Uint32Array(bins)

/** At least `depth` documents, all the best among them: those whose scores fall into the highest bins. */
function highest(scores: Float32Array, among: Uint32Array, depth: number): Uint32Array {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let at = 0; at < among.length; at++) {
    const score = scores[among[at]!]!
    if (score < least) least = score
    if (score > most) most = score
  }
  if (least === most) return among.slice()
  const perScore = (bins - 1) / (most - least)
  counts.fill(0)
  for (let at = 0; at < among.length; at++) counts[((scores[among[at]!]! - least) * perScore) | 0]!++
  let bin = bins
  let count = 0
  while (count < depth) count += counts[--bin]!
  const found = new Uint32Array(count)
  let next = 0
  for (let at = 0; at < among.length; at++) {
    const document = among[at]!
    if ((((scores[document]! - least) * perScore) | 0) >= bin) found[next++] = document
  }
  return found
}
