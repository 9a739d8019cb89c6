import { argumentBlock, blockBytes } from './argument-block.ts'
import { writeQuery, writeRows } from './dense-scan.wasm.ts'
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
type AboveRequest = ScanRequest & Bar

type Bar = {
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

/** Room of its own behind all that is there, blocks of arguments too: another thread may look through the same rows. */
function roomFor(memory: WasmMemory, { rows, values }: RowShape) {
  const scratchFrom = aligned(4 * values)
  const blocksFrom = aligned(scratchFrom + scratchBytes)
  const admittedFrom = blocksFrom + 3 * blockBytes
  const scoresFrom = aligned(admittedFrom + rows)
  const queryAt = roomIn(memory, scoresFrom + 12 * rows)
  const [scratchAt, blocksAt] = [queryAt + scratchFrom, queryAt + blocksFrom]
  const admittedAt = queryAt + admittedFrom
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
    rowsAsked: argumentBlock(memory, blocksAt),
    queriesAsked: [1, 2].map((place) => argumentBlock(memory, blocksAt + place * blockBytes)),
  }
}

/** What the kernels that look for rows above a bar write meanwhile. */
const scratchBytes = 160

/**
 * Puts a request where the kernels read it.
 *
 * @param place - 1 for the second of two queries: its rows are those of the first
 */
function placed(room: Room, request: ScanRequest & Partial<Bar>, place = 0) {
  const { query, unit, heads, tails, scales, reaches, admitted, bar = 0, tailShare = 1 } = request
  room.queries.set(query, place * room.values)
  if (admitted) room.admitted.set(admitted)
  const tail = room.rows === 0 ? 0 : tails.length / room.rows
  const head = room.values - tail
  const reach = tail === 0 ? 0 : unit * lengthOf(query.subarray(head))
  const asked = room.queriesAsked[place]!
  writeQuery(asked, {
    values: room.queryAt + 2 * place * room.values,
    unit,
    reach: tailShare * reach,
    bar,
    list: place === 0 ? room.listAt : room.sumsAt,
    sums: room.sumsAt,
    scores: room.scoresAt,
  })
  if (place === 0)
    writeRows(room.rowsAsked, {
      heads: heads.byteOffset,
      tails: tails.byteOffset,
      scales: scales.byteOffset,
      reaches: reaches.byteOffset,
      admitted: admitted ? room.admittedAt : 0,
      count: room.rows,
      head,
      tail,
    })
  return { rowsBlockAt: room.rowsAsked.at, queryBlockAt: asked.at, head, tail, reach }
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
  const { head, tail, reach } = placed(room, request)
  const { heads, tails, scales, unit } = request
  const [headsAt, tailsAt, scalesAt] = [heads.byteOffset, tails.byteOffset, scales.byteOffset]
  const one = (row: number, rest: number): number =>
    kernels.one(row, room.queryAt, headsAt, head, tailsAt, rest, scalesAt, unit)
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
  const { rowsAsked, scratchAt, counts } = room
  const asked = requests.map((request, place) => placed(room, request, place).queryBlockAt)
  const [one, other] = asked
  if (other === undefined) counts[0] = kernels.above(rowsAsked.at, one!, scratchAt)
  else kernels.aboveBoth(rowsAsked.at, one!, other, scratchAt)
  const founds = Array.from(counts)
  return asked.map((queryBlockAt, place) => {
    const list = place === 0 ? room.list : room.sums
    const count = kernels.kept(rowsAsked.at, queryBlockAt, founds[place]!)
    return { rows: list.slice(0, count), scores: room.scores.slice(0, count) }
  })
}

function scoresOver(kernels: ScanKernels, room: Room, request: ScanRequest): Scores {
  const { rows, scoresAt, listAt, list, scores: atMost } = room
  const { rowsBlockAt, queryBlockAt, tail } = placed(room, request)
  const reaching = (bar: number): Uint32Array =>
    list.subarray(0, kernels.atLeast(scoresAt, rows, bar, listAt))
  if (tail === 0) {
    kernels.scan(rowsBlockAt, queryBlockAt)
    return { atMost, reaching, complete: () => {} }
  }
  kernels.bound(rowsBlockAt, queryBlockAt)
  return {
    atMost,
    reaching,
    complete(some) {
      if (some.byteOffset !== listAt || some.buffer !== list.buffer) list.set(some)
      kernels.finish(rowsBlockAt, queryBlockAt, some.length)
    },
  }
}

/** A little more than the length, so that rounding to 32 bits makes it no less. */
function lengthOf(values: Int16Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum) * (1 + 2 ** -20)
}
