/** Documents with their scores, best first; equal scores by document number descending, which is id descending. */
export type DocumentHits = { readonly documents: Uint32Array; readonly scores: Float32Array }

/**
 * The best of some documents, by a binary heap whose root is the worst one kept.
 *
 * @param scores - by document number; none of those asked for is NaN
 * @param among - distinct document numbers, in any order
 * @returns at most `depth`
 */
export function bestDocuments(scores: Float32Array, among: Uint32Array, depth: number): DocumentHits {
  const heap = new Uint32Array(Math.min(depth, among.length))
  let size = 0
  const worse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a]! === scores[b]! && a < b)
  const siftDown = (from: number): void => {
    for (let at = from; ; ) {
      let child = 2 * at + 1
      if (child >= size) return
      if (child + 1 < size && worse(heap[child + 1]!, heap[child]!)) child += 1
      if (!worse(heap[child]!, heap[at]!)) return
      const swap = heap[at]!
      heap[at] = heap[child]!
      heap[child] = swap
      at = child
    }
  }
  // Score of the root once the heap is full: nearly all documents end here.
  let bar = Number.NEGATIVE_INFINITY
  for (let next = 0; next < among.length; next++) {
    const document = among[next]!
    if (scores[document]! < bar) continue
    if (size < heap.length) {
      heap[size++] = document
      for (let at = size - 1; at > 0; ) {
        const parent = (at - 1) >>> 1
        if (!worse(heap[at]!, heap[parent]!)) break
        const swap = heap[at]!
        heap[at] = heap[parent]!
        heap[parent] = swap
        at = parent
      }
    } else if (size > 0 && worse(heap[0]!, document)) {
      heap[0] = document
      siftDown(0)
    }
    if (size === heap.length && size > 0) bar = scores[heap[0]!]!
  }
  const ordered = new Uint32Array(size)
  for (let index = size - 1; index >= 0; index--) {
    ordered[index] = heap[0]!
    heap[0] = heap[--size]!
    siftDown(0)
  }
  return { documents: ordered, scores: Float32Array.from(ordered, (document) => scores[document]!) }
}
