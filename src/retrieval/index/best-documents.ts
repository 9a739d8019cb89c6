/** Documents with their scores, best first; equal scores by document number descending, which is id descending. */
export type DocumentHits = { readonly documents: Uint32Array; readonly scores: Float32Array }

/**
 * The best of some documents: of many a sample tells which are surely not among them, a histogram of the others' scores where the
 * best begin, and only those are sorted.
 *
 * @param scores - by document number; those asked for are finite
 * @param among - distinct document numbers, in any order
 * @returns at most `depth`
 */
export function bestDocuments(scores: Float32Array, among: Uint32Array, depth: number): DocumentHits {
  const likely = among.length > 2 * sampled ? likeliest(scores, among, depth) : among
  const few = depth < likely.length ? highest(scores, likely, depth) : likely.slice()
  const documents = few.sort((a, b) => scores[b]! - scores[a]! || b - a).subarray(0, depth)
  return { documents, scores: Float32Array.from(documents, (document) => scores[document]!) }
}

/** Documents that are asked first, when there are many more. */
const sampled = 1024
/** Documents that shall be left, as a multiple of the depth: the sample may err. */
const left = 3
let room = new Uint32Array(0)

/** At least `depth` documents, all the best among them: those that reach a score that a sample tells. Written anew by the next call. */
function likeliest(scores: Float32Array, among: Uint32Array, depth: number): Uint32Array {
  const step = Math.floor(among.length / sampled)
  const sample = new Uint32Array(sampled)
  for (let at = 0; at < sampled; at++) sample[at] = among[at * step]!
  if (room.length < among.length) room = new Uint32Array(among.length)
  for (let wanted = left * depth; wanted < among.length; wanted *= 2) {
    const bar = bestDocuments(scores, sample, Math.ceil(wanted / step)).scores.at(-1)!
    let count = 0
    for (let at = 0; at < among.length; at++) {
      const document = among[at]!
      room[count] = document
      count += scores[document]! >= bar ? 1 : 0
    }
    if (count >= depth) return room.subarray(0, count)
  }
  return among
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
