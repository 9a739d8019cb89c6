import type { DocumentHits } from './best-documents.ts'
import type { Documents } from './documents.ts'
import type { SegmentPart, SegmentRows } from './exact-nearest.ts'

/**
 * 8-bit vectors side by side, looked through one by one: exact but for their rounding, and beyond {@link manyDocuments} nearly so. Synchronous.
 */
export type VectorRows = {
  readonly dimensions: number
  /** How many documents have a vector, by part of it: see the model's `parts`. A model of one part has one. */
  readonly held: readonly number[]
  /**
   * Looks through all rows for one query.
   *
   * @param admitted - one byte per document, 0 leaves it out; null admits all
   * @throws RangeError when the query's length is not that of the vectors
   */
  scored(query: Float32Array, admitted: Uint8Array | null): ScoredRows
  /**
   * Looks for several queries at once, in one pass for two: what {@link scored} is then asked for the best of some of them is known. Of
   * one segment nothing is looked for.
   */
  lookAhead(queries: readonly Float32Array[], ahead: Ahead): void
}

/** What is going to be asked. */
type Ahead = {
  readonly depth: number
  readonly admitted: Uint8Array | null
  /** Of which parts. */
  readonly parts: 'first' | 'last' | 'all'
}

/** Dot products of one part of the rows with that of one query. */
export type ScoredPart = Pick<SegmentPart, 'of'> & {
  /**
   * @returns at most `depth` documents with their scores; documents without a vector are never found, and a query that
   *   holds anything but finite numbers finds none
   */
  best(depth: number): DocumentHits
}

/** What one query scores: it stands until the rows are scored for another. Of several parts `best` and `of` are the first's. */
type ScoredRows = ScoredPart & {
  /** Cosines by part, in the order of the model's `parts`; as many as the query has. A model of one part has one. */
  readonly parts: readonly ScoredPart[]
}

/** Documents beyond which no tail is taken to add much more than those of the best of the first segment. */
const manyDocuments = 100_000
const tailMargin = 0.1

/** The rows of several segments as one: what is best of each is best of all. */
export function joinedRows(segments: readonly SegmentRows[], documents: Documents): VectorRows {
  const held = segments.map((segment, at) => segment.held(documents.live[at]!))
  const [first] = segments
  let known:
    | { readonly ahead: Ahead; readonly found: Map<Float32Array, readonly (DocumentHits | undefined)[]> }
    | undefined

  /** By segment, then by part. */
  const inSegments = (
    query: Float32Array,
    admitted: Uint8Array | null,
  ): readonly (readonly SegmentPart[])[] => {
    const among = documents.among(admitted)
    const asked = first!.asked(query)
    return segments.map((segment, at) => segment.scored(asked, among[at]!))
  }

  return {
    dimensions: first!.dimensions,
    held: held[0]!.map((_, part) => held.reduce((sum, own) => sum + own[part]!, 0)),
    lookAhead(queries, ahead) {
      known = { ahead, found: new Map() }
      if (segments.length === 1) return
      for (let from = 0; from + 1 < queries.length; from += 2) {
        const two = queries.slice(from, from + 2)
        const scored = two.map((query) => inSegments(query, ahead.admitted))
        const wanted = { all: 0, first: 0, last: scored[0]![0]!.length - 1 }[ahead.parts]
        const found = scored[0]![0]!.map((_, part) =>
          part === wanted || ahead.parts === 'all'
            ? bestOf(
                scored.map((query) => query.map((parts) => parts[part]!)),
                ahead.depth,
                documents,
              )
            : [],
        )
        two.forEach((query, place) => {
          known!.found.set(
            query,
            found.map((part) => part[place]),
          )
        })
      }
    },
    scored(query, admitted) {
      const found = inSegments(query, admitted)
      const before = known?.ahead.admitted === admitted ? known.found.get(query) : undefined
      const parts = found[0]!.map(
        (_, part): ScoredPart => ({
          best: (depth) =>
            (depth === known?.ahead.depth ? before?.[part] : undefined) ??
            bestOf([found.map((parts) => parts[part]!)], depth, documents)[0]!,
          of: (document) => found[documents.segmentOf(document)]![part]!.of(documents.placeOf(document)),
        }),
      )
      return { ...parts[0]!, parts }
    },
  }
}

/** @param queries - the same part of one or two, by segment */
function bestOf(
  queries: readonly (readonly SegmentPart[])[],
  depth: number,
  documents: Documents,
): readonly DocumentHits[] {
  const tails = queries.map(() => 1)
  return documents.best(depth, queries.length, (at, floors) => {
    const own = queries.map((query) => query[at]!)
    const [one, other] = floors.map((floor, place) => ({ floor, tails: tails[place]! }))
    if (other !== undefined && Math.min(...floors) > Number.NEGATIVE_INFINITY)
      return own[0]!.bestOfBoth(own[1]!, depth, [one!, other])
    return own.map((part, place) => {
      const hits = part.best(depth, { floor: floors[place]!, tails: tails[place]! })
      if (at === 0 && documents.size > manyDocuments && hits.documents.length === depth)
        tails[place] = Math.min(1, part.longestTail(hits) + tailMargin)
      return hits
    })
  })
}
