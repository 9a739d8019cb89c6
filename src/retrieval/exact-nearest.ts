/** Documents with the dot product of their vectors and the query's, best first. */
export type NearestDocuments = readonly { readonly document: number; readonly score: number }[]

/** Vectors side by side in one array, looked through one by one: exact, and fast enough for some ten thousand. */
export type VectorRows = {
  /**
   * @param admitted - one byte per document, 0 leaves it out; null admits all
   * @returns at most `depth`; equal scores by document number descending
   */
  nearest(query: Float32Array, depth: number, admitted: Uint8Array | null): NearestDocuments
}

/** @param vectors - one per document, of one length; undefined for a document that is never found */
export function vectorRows(vectors: readonly (Float32Array | undefined)[], dimensions: number): VectorRows {
  const rows = new Float32Array(vectors.length * dimensions)
  const isPresent = Uint8Array.from(vectors, (vector) => (vector === undefined ? 0 : 1))
  vectors.forEach((vector, document) => {
    if (vector !== undefined) rows.set(vector, document * dimensions)
  })
  return {
    nearest(query, depth, admitted) {
      const found: { document: number; score: number }[] = []
      // Lowest score that still gets in, once there are enough; the list is cut when it has grown to twice its size.
      let bar = Number.NEGATIVE_INFINITY
      for (let document = 0; document < vectors.length; document++) {
        if (isPresent[document] === 0 || (admitted !== null && admitted[document] === 0)) continue
        const score = dot(rows, document * dimensions, query)
        if (score < bar) continue
        found.push({ document, score })
        if (found.length < 2 * depth) continue
        found.sort(bestFirst).length = depth
        bar = found.at(-1)?.score ?? bar
      }
      return found.sort(bestFirst).slice(0, depth)
    },
  }
}

const bestFirst = (a: NearestDocuments[number], b: NearestDocuments[number]): number =>
  b.score - a.score || b.document - a.document

/** Four sums at once: one alone would wait for each addition before it starts the next. */
function dot(rows: Float32Array, start: number, query: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let at = 0
  for (; at + 3 < query.length; at += 4) {
    a += rows[start + at]! * query[at]!
    b += rows[start + at + 1]! * query[at + 1]!
    c += rows[start + at + 2]! * query[at + 2]!
    d += rows[start + at + 3]! * query[at + 3]!
  }
  for (; at < query.length; at++) a += rows[start + at]! * query[at]!
  return a + b + c + d
}
