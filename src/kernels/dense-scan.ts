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

/** One query against many rows. */
export type ScanRequest = {
  /** As many values as a row. The magnitudes of all add up to at most {@link mostQueryMagnitude}. */
  readonly query: Int16Array
  /** What every score is multiplied by. */
  readonly unit: number
  /** Row after row; a view of the scan's own `bytes`. */
  readonly rows: Int8Array
  /** What each row's score is multiplied by; a view of the scan's own `bytes`. */
  readonly scales: Float32Array
  /** One byte per row, 0 passes it over; null scores all. */
  readonly admitted: Uint8Array | null
}

/** Bytes in memory of their own, to be filled before they are looked through. */
export type ScanMemory = {
  /** At a multiple of 8 bytes; all 0 at first. Not to be used any more once {@link open} was called. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** @param shape - of the rows among the bytes; can be called once */
  open(shape: RowShape): DenseScan
}

/** Looks through rows among the bytes of a {@link ScanMemory}. */
export type DenseScan = {
  /** Those that the memory was filled with. They never move again. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /**
   * @returns unit * scale * (query . row) of each row; anything for a row that is passed over. The array is
   *   written anew by the next call
   */
  scores(request: ScanRequest): Float32Array
  /**
   * @returns the numbers of the rows whose last score is `bar` or more, ascending; NaN never is. The array is written anew by
   *   the next call
   */
  atLeast(bar: number): Uint32Array
}

/** Sums are kept in 32 bits: beyond it they could overflow, with rows of -127..127. */
export const mostQueryMagnitude = Math.floor((2 ** 31 - 1) / 127)

/** Compiled when rows are first opened: a program that never searches by meaning pays nothing. */
let compiled: WasmModule | undefined

type Kernels = {
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
  atLeast(scores: number, count: number, bar: number, out: number): number
}

/** @throws RangeError when there is no memory for so many bytes */
export function scanMemory(size: number): ScanMemory {
  const memory = new webAssembly.Memory({ initial: pagesOf(firstByte + size), maximum: mostPages })
  return {
    bytes: new Uint8Array(memory.buffer, firstByte, size),
    open: (shape) => openScan(memory, size, shape),
  }
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / pageBytes)

function openScan(memory: WasmMemory, size: number, shape: RowShape): DenseScan {
  const queryAt = aligned(firstByte + size)
  const admittedAt = aligned(queryAt + 2 * shape.values)
  const scoresAt = aligned(admittedAt + shape.rows)
  const foundAt = scoresAt + 4 * shape.rows
  memory.grow(pagesOf(foundAt + 4 * shape.rows) - memory.buffer.byteLength / pageBytes)
  compiled ??= new webAssembly.Module(Uint8Array.from(Buffer.from(wasm, 'base64')))
  const { scan, atLeast } = new webAssembly.Instance(compiled, { env: { memory } })
    .exports as unknown as Kernels
  const queryRoom = new Int16Array(memory.buffer, queryAt, shape.values)
  const admittedRoom = new Uint8Array(memory.buffer, admittedAt, shape.rows)
  const scores = new Float32Array(memory.buffer, scoresAt, shape.rows)
  return {
    bytes: new Uint8Array(memory.buffer, firstByte, size),
    scores({ query, unit, rows, scales, admitted }) {
      queryRoom.set(query)
      if (admitted) admittedRoom.set(admitted)
      const filter = admitted ? admittedAt : 0
      const { byteOffset: rowsAt } = rows
      scan(queryAt, rowsAt, scales.byteOffset, filter, shape.rows, shape.values, unit, scoresAt)
      return scores
    },
    atLeast: (bar) => new Uint32Array(memory.buffer, foundAt, atLeast(scoresAt, shape.rows, bar, foundAt)),
  }
}
