import { type ScanKernels, scanKernels } from './scan-kernels.ts'
import { aligned, bytesOf, roomIn, type SharedBytes, sharedBytes, type WasmMemory } from './web-assembly.ts'

/** Values of a row are laid out in multiples of this many, and rows in multiples of that many; what is added is zero. */
export const valuesAtOnce = 16
export const rowsAtOnce = 4

/** How many rows there are, a multiple of {@link rowsAtOnce}, and values in each, a multiple of {@link valuesAtOnce}. */
export type RowShape = { readonly rows: number; readonly values: number }

/** One query against many rows. Each row has two parts, which lie in two places: the head is looked at first. */
export type ScanRequest = {
  /** As many values as a row. The magnitudes of all add up to at most {@link mostQueryMagnitude}. */
  readonly query: Int16Array
  /** What every score is multiplied by. */
  readonly unit: number
  /** Head after head, each of a multiple of {@link valuesAtOnce} values; this and the rest are views of the scan's own `bytes`. */
  readonly heads: Int8Array
  /** Tail after tail, what the heads leave of the rows' values; empty when that is nothing. */
  readonly tails: Int8Array
  /** What each row's score is multiplied by. */
  readonly scales: Float32Array
  /** The length of each row's tail times its scale, or a little more. Not read when there are no tails. */
  readonly reaches: Float32Array
  /** One byte per row, 0 passes it over; null scores all. */
  readonly admitted: Uint8Array | null
}

/** What one query scores. All of it is of the last request. */
export type Scores = {
  /** By row what is known of its score: never less than the score itself; NaN for a row whose scale is NaN. */
  readonly atMost: Float32Array
  /** @returns the numbers of the rows for which {@link atMost} is `bar` or more, ascending. Written anew by the next call of any of these */
  reaching(bar: number): Uint32Array
  /** Makes {@link atMost} the score itself for some rows. */
  complete(rows: Uint32Array): void
}

/** What one query finds among the rows: all of it is of the last request. */
type Look = {
  /** unit * scale * (query . row) of a row, also of one that was passed over; NaN for a row whose scale is NaN. */
  of(row: number): number
  /** How much of its length times the query's the tail of a row adds, -1..1; NaN for a row without a tail. */
  tailOf(row: number): number
}

/** Which rows one query is asked for: those whose score is `bar` or more. */
type AboveRequest = ScanRequest & {
  readonly bar: number
  /** How much of its length times the query's a tail is taken to add, 0..1: all that reach the bar are surely found by 1. */
  readonly tailShare: number
}

/** Numbers of rows, ascending, with their scores. */
export type RowsAbove = { readonly rows: Uint32Array; readonly scores: Float32Array }

/** Bytes in memory of their own, to be filled before they are looked through. */
export type ScanMemory = {
  /** At a multiple of 8 bytes; all 0 at first. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** For {@link openSharedBytes} in another thread. */
  readonly shared: SharedBytes
  /** @param shape - of rows among the bytes; once for each shape and place of rows */
  open(shape: RowShape): DenseScan
}

/** Looks through rows among the bytes of a {@link ScanMemory}. */
export type DenseScan = {
  /** Those that the memory was filled with. They never move again. */
  readonly bytes: Uint8Array<ArrayBuffer>
  scores(request: ScanRequest): Scores
  look(request: ScanRequest): Look
  /** For one query or two over the same rows, which are gone through once. No scores of others are kept: a bar is known before. */
  above(requests: readonly AboveRequest[]): readonly RowsAbove[]
}

/** Sums are kept in 32 bits: beyond it they could overflow, with rows of -127..127. */
export const mostQueryMagnitude = Math.floor((2 ** 31 - 1) / 127)

/** @throws RangeError when there is no memory for so many bytes */
export const scanMemory = (size: number): ScanMemory => openSharedBytes(sharedBytes(size))

/** The bytes of another thread, which nobody may change any more. What each thread makes of them lies apart. */
export function openSharedBytes(shared: SharedBytes): ScanMemory {
  const bytes = bytesOf(shared)
  return { bytes, shared, open: (shape) => openScan(shared, shape) }
}

/** Where a scan works: addresses in its memory, and views there. */
type Room = ReturnType<typeof roomFor>

/** Room of its own behind all that is there: another thread may look through the same rows. */
function roomFor(memory: WasmMemory, { rows, values }: RowShape) {
  const scratchFrom = aligned(4 * values)
  const admittedFrom = aligned(scratchFrom + scratchBytes)
  const scoresFrom = aligned(admittedFrom + rows)
  const queryAt = roomIn(memory, scoresFrom + 12 * rows)
  const [scratchAt, admittedAt] = [queryAt + scratchFrom, queryAt + admittedFrom]
  const scoresAt = queryAt + scoresFrom
  const [sumsAt, listAt] = [scoresAt + 4 * rows, scoresAt + 8 * rows]
  return {
    rows,
    values,
    queryAt,
    scratchAt,
    admittedAt,
    scoresAt,
    sumsAt,
    listAt,
    queries: new Int16Array(memory.buffer, queryAt, 2 * values),
    counts: new Uint32Array(memory.buffer, scratchAt, 2),
    admitted: new Uint8Array(memory.buffer, admittedAt, rows),
    scores: new Float32Array(memory.buffer, scoresAt, rows),
    sums: new Uint32Array(memory.buffer, sumsAt, rows),
    list: new Uint32Array(memory.buffer, listAt, rows),
  }
}

/** What the kernels that look for rows above a bar write meanwhile. */
const scratchBytes = 160

/** Puts a request where the kernels read it. @param place - 1 for the second of two queries */
function placed(
  room: Room,
  { query, unit, heads, tails, scales, reaches, admitted }: ScanRequest,
  place = 0,
) {
  room.queries.set(query, place * room.values)
  if (admitted) room.admitted.set(admitted)
  const tail = room.rows === 0 ? 0 : tails.length / room.rows
  const head = room.values - tail
  return {
    head,
    tail,
    unit,
    headsAt: heads.byteOffset,
    tailsAt: tails.byteOffset,
    scalesAt: scales.byteOffset,
    reachesAt: reaches.byteOffset,
    queryAt: room.queryAt + 2 * place * room.values,
    filter: admitted ? room.admittedAt : 0,
    reach: tail === 0 ? 0 : unit * lengthOf(query.subarray(head)),
  }
}

function openScan(shared: SharedBytes, shape: RowShape): DenseScan {
  const { memory } = shared
  const room = roomFor(memory, shape)
  const kernels = scanKernels(memory)
  return {
    bytes: bytesOf(shared),
    look: (request) => lookOver(kernels, room, request),
    above: (requests) => aboveOver(kernels, room, requests),
    scores: (request) => scoresOver(kernels, room, request),
  }
}

function lookOver(kernels: ScanKernels, room: Room, request: ScanRequest): Look {
  const { queryAt, head, tail, unit, reach, ...at } = placed(room, request)
  const one = (row: number, rest: number): number =>
    kernels.one(row, queryAt, at.headsAt, head, at.tailsAt, rest, at.scalesAt, unit)
  return {
    of: (row) => one(row, tail),
    tailOf: (row) => (one(row, tail) - one(row, 0)) / (reach * request.reaches[row]!),
  }
}

function aboveOver(
  kernels: ScanKernels,
  room: Room,
  requests: readonly AboveRequest[],
): readonly RowsAbove[] {
  const { rows, scratchAt, counts } = room
  const asked = requests.map((request, place) => ({ ...request, ...placed(room, request, place) }))
  const [one, other] = asked
  const { headsAt, scalesAt, reachesAt, filter, head, tail, tailsAt } = one!
  const look = [
    one!.queryAt,
    headsAt,
    scalesAt,
    filter,
    rows,
    head,
    one!.unit,
    one!.tailShare * one!.reach,
  ] as const
  const wanted = [...look, reachesAt, one!.bar, room.listAt, scratchAt] as const
  if (other === undefined) counts[0] = kernels.above(...wanted)
  else {
    const reach = other.tailShare * other.reach
    kernels.aboveBoth(...wanted, other.queryAt, other.unit, reach, other.bar, room.sumsAt)
  }
  const founds = Array.from(counts)
  return asked.map(({ queryAt, unit, bar }, place) => {
    const [listAt, list] = place === 0 ? [room.listAt, room.list] : [room.sumsAt, room.sums]
    const parts = [queryAt, headsAt, head, tailsAt, tail, scalesAt, unit] as const
    const count = kernels.kept(listAt, founds[place]!, ...parts, bar, room.scoresAt)
    return { rows: list.slice(0, count), scores: room.scores.slice(0, count) }
  })
}

function scoresOver(kernels: ScanKernels, room: Room, request: ScanRequest): Scores {
  const { rows, scoresAt, sumsAt, listAt, list, scores: atMost } = room
  const { queryAt, head, tail, unit, reach, filter, ...at } = placed(room, request)
  const reaching = (bar: number): Uint32Array =>
    list.subarray(0, kernels.atLeast(scoresAt, rows, bar, listAt))
  const asked = [queryAt, at.headsAt, at.scalesAt, filter, rows, head, unit] as const
  if (tail === 0) {
    kernels.scan(...asked, scoresAt)
    return { atMost, reaching, complete: () => {} }
  }
  kernels.bound(...asked, reach, at.reachesAt, sumsAt, scoresAt)
  return {
    atMost,
    reaching,
    complete(some) {
      if (some.byteOffset !== listAt || some.buffer !== list.buffer) list.set(some)
      const tailAt = queryAt + 2 * head
      kernels.finish(listAt, some.length, tailAt, at.tailsAt, at.scalesAt, tail, unit, sumsAt, scoresAt)
    },
  }
}

/** A little more than the length, so that rounding to 32 bits makes it no less. */
function lengthOf(values: Int16Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum) * (1 + 2 ** -20)
}
