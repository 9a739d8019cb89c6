import { firstPlace } from '../../domain/grouped.ts'
import type { DocumentHits } from './best-documents.ts'
import type { StringTable } from './string-table.ts'

/** A segment's documents by number, 0 or 1: those that are gone, or stand in another segment now, are 0. Null: all are live. */
export type Live = Uint8Array | null

/** The places of a segment that are live, ascending. */
export function livePlaces(size: number, live: Live): Uint32Array {
  const all = new Uint32Array(size).map((_, place) => place)
  return live === null ? all : all.filter((place) => live[place] === 1)
}

/** The documents of several segments as one list: numbers go by id over all that are live, as in a single segment. */
export type Documents = {
  readonly size: number
  readonly ids: StringTable
  /** By segment. */
  readonly live: readonly Live[]
  segmentOf(document: number): number
  /** Its number in its own segment. */
  placeOf(document: number): number
  /** The document of a place in a segment; a number beyond all for one that is not live. */
  numberOf(segment: number, place: number): number
  /** Which places of each segment are among some documents. @param documents - a byte each; null for all */
  among(documents: Uint8Array | null): readonly (Uint8Array | null)[]
  /**
   * The best over all segments.
   *
   * @param queries - how many are looked for at once
   * @param ofSegment - the best of one for each query, by its own numbers, as far as they reach a floor
   */
  best(
    depth: number,
    queries: number,
    ofSegment: (segment: number, floors: readonly number[]) => readonly DocumentHits[],
  ): readonly DocumentHits[]
}

/** A single segment, all of it live: numbers are its own. */
export const ofOneSegment = (ids: StringTable): Documents => ({
  size: ids.size,
  ids,
  live: [null],
  segmentOf: () => 0,
  placeOf: (document) => document,
  numberOf: (_, place) => place,
  among: (documents) => [documents],
  best: (_, queries, ofSegment) => ofSegment(0, Array(queries).fill(Number.NEGATIVE_INFINITY)),
})

/** Asks of a document in its own segment, by its place there. */
export const inSegments =
  <Segment>(segments: readonly Segment[], { segmentOf, placeOf }: Documents) =>
  <T>(ask: (segment: Segment, place: number) => T) =>
  (document: number): T =>
    ask(segments[segmentOf(document)]!, placeOf(document))

const gone = 0xffffffff

/** @param segments - their ids and what of them is live: no id is live twice */
export function documentsOf(
  segments: readonly { readonly ids: StringTable; readonly live: Live }[],
): Documents {
  const [only] = segments
  if (segments.length === 1 && only!.live === null) return ofOneSegment(only!.ids)
  const { owners, places } = inOrder(segments)
  const size = places.length
  const numbers = segments.map(({ ids }) => new Uint32Array(ids.size).fill(gone))
  for (let document = 0; document < size; document++)
    numbers[owners[document]!]![places[document]!] = document
  const at = (document: number): string => segments[owners[document]!]!.ids.at(places[document]!)
  const ids: StringTable = {
    size,
    at,
    hashAt: (document) => segments[owners[document]!]!.ids.hashAt(places[document]!),
    isAt: (document, utf8) => segments[owners[document]!]!.ids.isAt(places[document]!, utf8),
    indexOf(text) {
      const wanted = text.toWellFormed()
      const found = ids.lowerBound(wanted)
      return found < size && at(found) === wanted ? found : -1
    },
    lowerBound: (text) => firstPlace(0, size, (place) => at(place) >= text),
  }
  const live = segments.map((segment) => segment.live)
  let masked: { of: Uint8Array; masks: readonly Uint8Array[] } | undefined
  return {
    size,
    ids,
    live,
    segmentOf: (document) => owners[document]!,
    placeOf: (document) => places[document]!,
    numberOf: (segment, place) => numbers[segment]![place]!,
    among(documents) {
      if (documents === null) return live
      if (masked?.of !== documents) {
        const masks = numbers.map((own) => Uint8Array.from(own, (number) => documents[number] ?? 0))
        masked = { of: documents, masks }
      }
      return masked.masks
    },
    best(depth, queries, ofSegment) {
      const nothing: DocumentHits = { documents: new Uint32Array(0), scores: new Float32Array(0) }
      let best = Array.from({ length: queries }, () => nothing)
      segments.forEach((_, segment) => {
        // What the segments before have found is a floor for the next.
        const floors = best.map(({ scores }) => scores[depth - 1] ?? Number.NEGATIVE_INFINITY)
        best = ofSegment(segment, floors).map(({ documents: places, scores }, query) =>
          mergedHits(
            best[query]!,
            { documents: places.map((place) => numbers[segment]![place]!), scores },
            depth,
          ),
        )
      })
      return best
    },
  }
}

/** The best of two lists, each of them best first. */
function mergedHits(one: DocumentHits, other: DocumentHits, depth: number): DocumentHits {
  const length = Math.min(depth, one.documents.length + other.documents.length)
  const [documents, scores] = [new Uint32Array(length), new Float32Array(length)]
  for (let rank = 0, at = 0, against = 0; rank < length; rank++) {
    const [score = Number.NEGATIVE_INFINITY, rival = Number.NEGATIVE_INFINITY] = [
      one.scores[at],
      other.scores[against],
    ]
    const isOnes =
      against === other.documents.length ||
      (at < one.documents.length &&
        (score > rival || (score === rival && one.documents[at]! > other.documents[against]!)))
    const from = isOnes ? one : other
    const place = isOnes ? at++ : against++
    documents[rank] = from.documents[place]!
    scores[rank] = from.scores[place]!
  }
  return { documents, scores }
}

/** Documents in the order of their ids: the segment of each, and its place there. */
type Order = { readonly owners: Uint16Array; readonly places: Uint32Array }

/** The least are joined first, so that a large list is gone through once. */
function inOrder(segments: readonly { readonly ids: StringTable; readonly live: Live }[]): Order {
  const orders = segments
    .map(({ ids, live }, segment): Order => {
      const places = livePlaces(ids.size, live)
      return { owners: new Uint16Array(places.length).fill(segment), places }
    })
    .sort((a, b) => a.places.length - b.places.length)
  const idIn = (order: Order) => (at: number) => segments[order.owners[at]!]!.ids.at(order.places[at]!)
  return orders.reduce((one, other) => joined(one, other, idIn))
}

/** Both in one order, run by run: where ids lie apart or few stand among many, few are compared. */
function joined(one: Order, other: Order, idIn: (order: Order) => (at: number) => string): Order {
  const size = one.places.length + other.places.length
  const [owners, places] = [new Uint16Array(size), new Uint32Array(size)]
  let [from, against] = [
    { order: one, at: 0 },
    { order: other, at: 0 },
  ]
  for (let filled = 0; filled < size; [from, against] = [against, from]) {
    const rest = against.order.places.length - against.at
    const end =
      rest === 0
        ? from.order.places.length
        : endOfRun(idIn(from.order), from, idIn(against.order)(against.at))
    owners.set(from.order.owners.subarray(from.at, end), filled)
    places.set(from.order.places.subarray(from.at, end), filled)
    filled += end - from.at
    from.at = end
  }
  return { owners, places }
}

/** Where the ids before `text` end: looked for in steps that double. */
function endOfRun(
  idAt: (at: number) => string,
  { order, at }: { readonly order: Order; readonly at: number },
  text: string,
): number {
  const { length } = order.places
  let [from, to] = [at, at]
  for (let step = 1; to < length && idAt(to) < text; step *= 2) {
    from = to + 1
    to += step
  }
  return firstPlace(from, Math.min(to, length), (place) => idAt(place) >= text)
}
