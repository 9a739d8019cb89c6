import {
  type DenseScan,
  mostQueryMagnitude,
  type RowsAbove,
  type ScanRequest,
  type Scores,
} from '../../vectors/kernels/dense-scan.ts'
import { spansOf } from '../../vectors/rounded-vector.ts'
import type { Sections } from '../text/sections.ts'
import { once } from '../../domain/once.ts'
import { bestDocuments, type DocumentHits } from './best-documents.ts'
import type { Live } from './documents.ts'
import { rowShape, sectionsOf } from './quantised-vectors.ts'

/** The rows of one segment, by its own numbers. */
export type SegmentRows = {
  readonly dimensions: number
  /**
   * A query as it is asked of any segment, by part.
   *
   * @throws RangeError when its length is not that of the vectors
   */
  asked(query: Float32Array): readonly QuantisedQuery[]
  /** As `VectorRows.scored`, by part. */
  scored(asked: readonly QuantisedQuery[], admitted: Uint8Array | null): readonly SegmentPart[]
  /** As `VectorRows.held`, of the live ones. */
  held(live: Live): readonly number[]
}

/** What one query scores among the rows of a segment: it stands until they are scored for another. */
export type SegmentPart = {
  /** The score of one document; NaN without a vector, and anything for one that was left out. */
  of(document: number): number
  /**
   * @param known.floor - documents that do not reach it may be left out; nor are those found that reach it by a longer tail than is told
   * @returns at most `depth` documents with their scores; documents without a vector are never found
   */
  best(depth: number, known: Known): DocumentHits
  /** The same of this one and another, where they have floors: the rows are gone through once. */
  bestOfBoth(other: SegmentPart, depth: number, known: readonly [Known, Known]): readonly DocumentHits[]
  /** The most that the tail of one of some documents adds, as a share of what it may: see `Look.tailOf`. */
  longestTail(hits: DocumentHits): number
  readonly request: () => ScanRequest
}

/** What is known before a segment is looked through. */
type Known = { readonly floor: number; readonly tails: number }

/** What of a query the kernels read. */
type QuantisedQuery = Pick<ScanRequest, 'query' | 'unit'>

/** How many documents there are, with a vector or without, and the lengths of the parts of a vector. */
type RowsShape = { readonly documents: number; readonly parts: readonly number[] }

/**
 * Opens what `quantisedVectors` packed.
 *
 * @param sections - over the bytes of the scans
 * @param scans - one for each part
 */
export function vectorRows(
  sections: Sections,
  scans: readonly DenseScan[],
  { documents, parts }: RowsShape,
): SegmentRows {
  const dimensions = parts.reduce((sum, length) => sum + length, 0)
  const spans = spansOf(parts)
  const rows = parts.map((_, part) => rowsOfPart(sections, scans[part]!, { documents, part }))
  return {
    dimensions,
    held: (live) => rows.map((part) => part.held(live)),
    asked(query) {
      if (query.length !== dimensions && query.length !== parts[0]) {
        throw new RangeError(
          `The query has ${query.length} dimensions, the vectors of the cards have ${dimensions}.`,
        )
      }
      const given = query.length === dimensions ? spans : spans.slice(0, 1)
      return given.map(({ from, to }) => {
        const own = given.length === 1 ? query : unitVector(query.subarray(from, to))
        return quantisedQuery(own, rowShape(documents, to - from).values)
      })
    },
    scored: (asked, admitted) => asked.map((query, part) => rows[part]!.scored(query, admitted)),
  }
}

/** Parts are scored by cosines, whatever share of the whole each has: sums of vectors are unit vectors as a whole only. */
function unitVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : vector
}

type PartRows = {
  held(live: Live): number
  scored(query: QuantisedQuery, admitted: Uint8Array | null): SegmentPart
}

function rowsOfPart(
  sections: Sections,
  scan: DenseScan,
  { documents, part }: { readonly documents: number; readonly part: number },
): PartRows {
  const name = sectionsOf(part)
  const isHeld = (document: number): boolean => !Number.isNaN(rows.scales[document])
  const rows = {
    heads: sections.i8(`${name}.heads`),
    tails: sections.i8(`${name}.tails`),
    scales: sections.f32(`${name}.scales`),
    reaches: sections.f32(`${name}.reaches`),
  }
  return {
    held: (live) => {
      let count = 0
      for (let document = 0; document < documents; document++)
        count += isHeld(document) && live?.[document] !== 0 ? 1 : 0
      return count
    },
    scored(query, admitted) {
      const request = once(() => ({ ...query, ...rows, admitted }))
      const look = once(() => scan.look(request()))
      // What is never asked for is not looked through.
      const scores = once(() => scan.scores(request()))
      return {
        of: (document) => (document < documents ? look().of(document) : Number.NaN),
        longestTail: ({ documents: some }) =>
          some.reduce((most, one) => Math.max(most, look().tailOf(one)), 0),
        best(depth, { floor, tails }) {
          if (floor > Number.NEGATIVE_INFINITY)
            return bestOfRows(scan.above([{ ...request(), bar: floor, tailShare: tails }])[0]!, depth)
          const found = scores()
          const among = reachingOf(found, barOf(found, { documents, admitted }, depth), admitted)
          found.complete(among)
          return bestDocuments(found.atMost, among, depth)
        },
        bestOfBoth: (other, depth, known) =>
          scan
            .above(
              [request, other.request].map((asked, place) => {
                const { floor, tails } = known[place]!
                return { ...asked(), bar: floor, tailShare: tails }
              }),
            )
            .map((found) => bestOfRows(found, depth)),
        request,
      }
    },
  }
}

/** @param found.rows - ascending */
function bestOfRows({ rows, scores }: RowsAbove, depth: number): DocumentHits {
  if (counted.length < rows.length) counted = Uint32Array.from({ length: 2 * rows.length }, (_, at) => at)
  const best = bestDocuments(scores, counted.subarray(0, rows.length), depth)
  return { documents: best.documents.map((place) => rows[place]!), scores: best.scores }
}

/** 0, 1, 2 and so on. */
let counted = new Uint32Array(0)

/** Documents that tell how high the best stand; a few times more than any depth. */
const sampled = 2048
/** Documents that are completed to tell the bar, as a multiple of the depth. */
const triedAtLeast = 3

/** Which documents are looked through. */
type Looked = { readonly documents: number; readonly admitted: Uint8Array | null }

/** Admitted documents for which the most that is known of their score reaches a bar. */
function reachingOf(scores: Scores, bar: number, admitted: Uint8Array | null): Uint32Array {
  const found = scores.reaching(bar)
  if (admitted === null) return found
  const kept = new Uint32Array(found.length)
  let count = 0
  for (let at = 0; at < found.length; at++) {
    kept[count] = found[at]!
    count += admitted[found[at]!] === 1 ? 1 : 0
  }
  return kept.subarray(0, count)
}

/** A score that at least `depth` documents reach: whatever surely stays below it is not among the best. */
function barOf(scores: Scores, { documents, admitted }: Looked, depth: number): number {
  // Few are completed sooner than a bar is found.
  if (documents <= sampled) return Number.NEGATIVE_INFINITY
  const step = Math.floor(documents / sampled)
  const sample = everyScored(scores.atMost.subarray(0, documents), step, admitted)
  for (let tried = triedAtLeast * depth; ; tried *= 2) {
    const likely = bestDocuments(scores.atMost, sample, Math.ceil(tried / step)).scores
    const isAll = tried >= step * sample.length
    const promising = reachingOf(scores, isAll ? Number.NEGATIVE_INFINITY : likely.at(-1)!, admitted)
    if (promising.length < depth && !isAll) continue
    scores.complete(promising)
    const best = bestDocuments(scores.atMost, promising, depth).scores
    return best.length < depth ? Number.NEGATIVE_INFINITY : best.at(-1)!
  }
}

/** Every `step`-th document, of those that are admitted and have a score. */
function everyScored(scores: Float32Array, step: number, admitted: Uint8Array | null): Uint32Array {
  const documents = scores.length
  const found = new Uint32Array(Math.ceil(documents / step))
  let count = 0
  for (let document = 0; document < documents; document += step) {
    if (admitted !== null && admitted[document] === 0) continue
    if (!Number.isNaN(scores[document])) found[count++] = document
  }
  return found.subarray(0, count)
}

/**
 * The query in 16 bits: next to the rows' rounding its own is nothing. It is multiplied by a power of two, so that whole
 * numbers stay whole and sums of them exact.
 */
export function quantisedQuery(query: Float32Array, values: number): QuantisedQuery {
  let largest = 0
  let magnitude = 0
  for (const value of query) {
    largest = Math.max(largest, Math.abs(value))
    magnitude += Math.abs(value)
  }
  const rounding = query.length / 2
  const most = Math.min(32767 / largest, (mostQueryMagnitude - rounding) / magnitude)
  const factor = largest === 0 ? 1 : 2 ** Math.floor(Math.log2(most))
  const rounded = new Int16Array(values)
  query.forEach((value, at) => {
    rounded[at] = Math.round(value * factor)
  })
  return { query: rounded, unit: 1 / factor }
}
