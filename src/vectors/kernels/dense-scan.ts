import { wasm } from './dense-scan.wasm.ts'
import {
  aligned,
  bytesOf,
  roomIn,
  type SharedBytes,
  sharedBytes,
  type WasmMemory,
  type WasmModule,
  webAssembly,
} from './web-assembly.ts'

/** Values of a row are laid out in multiples of this many, and rows in multiples of that many; what is added is zero. */
export const valuesAtOnce = 16
export const rowsAtOnce = 4

/** How many rows there are, a multiple of {@link rowsAtOnce}, and values in each, a multiple of {@link valuesAtOnce}. */
export type RowShape = { readonly rows: number; readonly values: number }

/** One query against many rows. Each row has two parts, which lie in two places: the head is looked at first. */
type ScanRequest = {
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
  /**
   * @param tails - how much of its length times the query's a tail is taken to add, 0..1: all that reach the bar are surely found by 1
   * @returns the numbers of the rows whose score is `bar` or more, ascending, with their scores. Written anew by the next call of any of these
   */
  above(bar: number, tails: number): { readonly rows: Uint32Array; readonly scores: Float32Array }
}

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
  /** Keeps no score of a row: a bar is known before. */
  look(request: ScanRequest): Look
}

/** Sums are kept in 32 bits: beyond it they could overflow, with rows of -127..127. */
export const mostQueryMagnitude = Math.floor((2 ** 31 - 1) / 127)

/** Compiled when rows are first opened: a program that never searches pays nothing. */
let compiled: WasmModule | undefined

/** The inner loops of a search, over one memory. */
export function scanKernels(memory: WasmMemory): ScanKernels {
  compiled ??= new webAssembly.Module(Uint8Array.from(Buffer.from(wasm, 'base64')))
  return new webAssembly.Instance(compiled, { env: { memory } }).exports as unknown as ScanKernels
}

/** What a look through all rows is asked. */
type Asked = readonly [
  query: number,
  heads: number,
  scales: number,
  admitted: number,
  count: number,
  values: number,
  unit: number,
]

type ScanKernels = {
  scan(...of: [...Asked, out: number]): void
  bound(...of: [...Asked, reach: number, reaches: number, sums: number, out: number]): void
  above(...of: [...Asked, reach: number, reaches: number, bar: number, out: number]): number
  kept(
    found: number,
    count: number,
    query: number,
    tails: number,
    values: number,
    scales: number,
    unit: number,
    bar: number,
    out: number,
  ): number
  whole(
    list: number,
    count: number,
    query: number,
    heads: number,
    head: number,
    tails: number,
    tail: number,
    scales: number,
    unit: number,
    out: number,
  ): void
  finish(
    list: number,
    count: number,
    query: number,
    tails: number,
    scales: number,
    values: number,
    unit: number,
    sums: number,
    out: number,
  ): void
  addUp(rows: number, impacts: number, count: number, weight: number, scores: number): void
  atLeast(scores: number, count: number, bar: number, out: number): number
}

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
  const admittedFrom = aligned(2 * values)
  const scoresFrom = aligned(admittedFrom + rows)
  const queryAt = roomIn(memory, scoresFrom + 12 * rows)
  const admittedAt = queryAt + admittedFrom
  const scoresAt = queryAt + scoresFrom
  const listAt = scoresAt + 8 * rows
  return {
    ...{ rows, values, queryAt, admittedAt, scoresAt, sumsAt: scoresAt + 4 * rows, listAt },
    query: new Int16Array(memory.buffer, queryAt, values),
    admitted: new Uint8Array(memory.buffer, admittedAt, rows),
    scores: new Float32Array(memory.buffer, scoresAt, rows),
    list: new Uint32Array(memory.buffer, listAt, rows),
    kept: new Uint32Array(memory.buffer, scoresAt + 4 * rows, rows),
    firstOfList: new Float32Array(memory.buffer, listAt, Math.min(rows, 1)),
  }
}

/** Puts a request where the kernels read it. */
function placed(room: Room, { query, unit, heads, tails, scales, reaches, admitted }: ScanRequest) {
  room.query.set(query)
  if (admitted) room.admitted.set(admitted)
  const tail = room.rows === 0 ? 0 : tails.length / room.rows
  const head = room.values - tail
  return {
    ...{ head, tail, unit, headsAt: heads.byteOffset, tailsAt: tails.byteOffset },
    ...{ scalesAt: scales.byteOffset, reachesAt: reaches.byteOffset },
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
    scores: (request) => scoresOver(kernels, room, request),
  }
}

function lookOver(kernels: ScanKernels, room: Room, request: ScanRequest): Look {
  const { rows, queryAt, scoresAt, sumsAt, listAt, list, kept, scores, firstOfList } = room
  const { head, tail, unit, reach, filter, ...at } = placed(room, request)
  const one = (row: number, rest: number): number => {
    list[0] = row
    const parts = [at.headsAt, head, at.tailsAt, rest] as const
    kernels.whole(listAt, 1, queryAt, ...parts, at.scalesAt, unit, listAt)
    return firstOfList[0]!
  }
  return {
    of: (row) => one(row, tail),
    tailOf: (row) => (one(row, tail) - one(row, 0)) / (reach * request.reaches[row]!),
    above(bar, tails) {
      const asked = [queryAt, at.headsAt, at.scalesAt, filter, rows, head, unit] as const
      // A number and a sum each: they take the room of sums and list.
      const found = kernels.above(...asked, tails * reach, at.reachesAt, bar, sumsAt)
      const rest = [queryAt + 2 * head, at.tailsAt, tail] as const
      const count = kernels.kept(sumsAt, found, ...rest, at.scalesAt, unit, bar, scoresAt)
      return { rows: kept.subarray(0, count), scores: scores.subarray(0, count) }
    },
  }
}

function scoresOver(kernels: ScanKernels, room: Room, request: ScanRequest): Scores {
  const { rows, queryAt, scoresAt, sumsAt, listAt, list, scores: atMost } = room
  const { head, tail, unit, reach, filter, ...at } = placed(room, request)
  const reaching = (bar: number): Uint32Array =>
    list.subarray(0, kernels.atLeast(scoresAt, rows, bar, listAt))
  const asked = [queryAt, at.headsAt, at.scalesAt, filter, rows, head, unit] as const
  if (tail === 0) {
    kernels.scan(...asked, scoresAt)
    return { atMost, reaching, complete: () => {} }
  }
  kernels.bound(...asked, reach, at.reachesAt, sumsAt, scoresAt)
  return {
    ...{ atMost, reaching },
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
