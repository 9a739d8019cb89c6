import { wasm } from './dense-scan.wasm.ts'
import {
  aligned,
  firstByte,
  mostPages,
  pageBytes,
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
  /** How much of that a tail is taken to add, 0..1: below 1 {@link Scores.atMost} is likely only. @defaultValue 1 */
  readonly likely?: number
  /** One byte per row, 0 passes it over; null scores all. */
  readonly admitted: Uint8Array | null
}

/** What one query scores. All of it is of the last request. */
export type Scores = {
  /** unit * scale * (query . row) of a row; anything for one that was passed over. */
  of(row: number): number
  /** By row what is known of its score: never less than the score itself; NaN for a row whose scale is NaN. */
  readonly atMost: Float32Array
  /** @returns the numbers of the rows for which {@link atMost} is `bar` or more, ascending. Written anew by the next call of any of these */
  reaching(bar: number): Uint32Array
  /** Makes {@link atMost} the score itself for some rows. */
  complete(rows: Uint32Array): void
}

/** Bytes that several threads look through: it can be sent to any of them. */
export type SharedBytes = { readonly memory: WasmMemory; readonly size: number }

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

type ScanKernels = {
  scan(
    query: number,
    rows: number,
    scales: number,
    admitted: number,
    count: number,
    values: number,
    unit: number,
    out: number,
  ): void
  bound(
    query: number,
    heads: number,
    scales: number,
    admitted: number,
    count: number,
    values: number,
    unit: number,
    reach: number,
    reaches: number,
    sums: number,
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
export function scanMemory(size: number): ScanMemory {
  const initial = pagesOf(firstByte + size)
  const memory = new webAssembly.Memory({ initial, maximum: mostPages, shared: true })
  return openSharedBytes({ memory, size })
}

/** The bytes of another thread, which nobody may change any more. What each thread makes of them lies apart. */
export function openSharedBytes(shared: SharedBytes): ScanMemory {
  const { memory, size } = shared
  return {
    bytes: new Uint8Array(memory.buffer, firstByte, size),
    shared,
    open: (shape) => openScan(memory, size, shape),
  }
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / pageBytes)

function openScan(memory: WasmMemory, size: number, { rows, values }: RowShape): DenseScan {
  // Room of its own behind all that is there: another thread may look through the same rows.
  const admittedFrom = aligned(2 * values)
  const scoresFrom = aligned(admittedFrom + rows)
  const queryAt = memory.grow(pagesOf(scoresFrom + 12 * rows)) * pageBytes
  const admittedAt = queryAt + admittedFrom
  const scoresAt = queryAt + scoresFrom
  const sumsAt = scoresAt + 4 * rows
  const listAt = sumsAt + 4 * rows
  const kernels = scanKernels(memory)
  const queryRoom = new Int16Array(memory.buffer, queryAt, values)
  const admittedRoom = new Uint8Array(memory.buffer, admittedAt, rows)
  const atMost = new Float32Array(memory.buffer, scoresAt, rows)
  const list = new Uint32Array(memory.buffer, listAt, rows)
  const reaching = (bar: number): Uint32Array =>
    list.subarray(0, kernels.atLeast(scoresAt, rows, bar, listAt))
  return {
    bytes: new Uint8Array(memory.buffer, firstByte, size),
    scores({ query, unit, heads, tails, scales, reaches, likely = 1, admitted }) {
      queryRoom.set(query)
      if (admitted) admittedRoom.set(admitted)
      const filter = admitted ? admittedAt : 0
      const tail = rows === 0 ? 0 : tails.length / rows
      const head = values - tail
      const scalesAt = scales.byteOffset
      if (tail === 0) {
        kernels.scan(queryAt, heads.byteOffset, scalesAt, filter, rows, head, unit, scoresAt)
        return { of: (row) => atMost[row]!, atMost, reaching, complete: () => {} }
      }
      const reach = likely * unit * lengthOf(query.subarray(head))
      kernels.bound(
        queryAt,
        heads.byteOffset,
        scalesAt,
        filter,
        rows,
        head,
        unit,
        reach,
        reaches.byteOffset,
        sumsAt,
        scoresAt,
      )
      const complete = (some: Uint32Array): void => {
        if (some.byteOffset !== listAt || some.buffer !== list.buffer) list.set(some)
        const [count, tailAt] = [some.length, queryAt + 2 * head]
        kernels.finish(listAt, count, tailAt, tails.byteOffset, scalesAt, tail, unit, sumsAt, scoresAt)
      }
      const of = (row: number): number => {
        list[0] = row
        complete(list.subarray(0, 1))
        return atMost[row]!
      }
      return { of, atMost, reaching, complete }
    },
  }
}

/** A little more than the length, so that rounding to 32 bits makes it no less. */
function lengthOf(values: Int16Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum) * (1 + 2 ** -20)
}
