import { wasm } from './token-rows.wasm.ts'
import {
  aligned,
  bytesOf,
  firstByte,
  opensKernels,
  roomIn,
  sharedBytes,
  type WasmMemory,
} from './web-assembly.ts'

/** Int8 rows in memory of a WebAssembly module, to be multiplied with one another. */
export type TokenRows = {
  /**
   * Dot products of each row of one list with each of another, row by row: tokens x others. Exact.
   *
   * @param tokens - numbers of rows
   * @param others - numbers of rows; quickest when this is the shorter list
   * @throws RangeError when there is no memory for so many
   */
  dots(tokens: ArrayLike<number>, others: ArrayLike<number>): Float32Array<ArrayBuffer>
  /**
   * Sum of rows, each times its factor, taken one after the other in 64-bit floating point.
   *
   * @param tokens - numbers of rows
   * @param factors - one per token
   * @returns as many numbers as a row has
   * @throws RangeError when there is no memory for so many
   */
  weightedSum(tokens: ArrayLike<number>, factors: ArrayLike<number>): Float64Array
}

type Dots = (
  rows: number,
  tokens: number,
  tokenCount: number,
  others: number,
  otherCount: number,
  values: number,
  wide: number,
  out: number,
  stride: number,
) => void

type WeightedSum = (
  rows: number,
  tokens: number,
  count: number,
  values: number,
  factors: number,
  out: number,
) => void

/** Values of a row are laid out in multiples of this many. */
const valuesAtOnce = 16
/** Rows that are kept in 16 bits at once; a multiple of four. */
const mostWide = 64

const opened = opensKernels<{ readonly dots: Dots; readonly weightedSum: WeightedSum }>(wasm)

/**
 * @param rows - count x dimensions, row-major
 * @param within - the memory that the rows lie in, where that is one that threads share; otherwise they are copied
 * @throws RangeError when there is no memory for them
 */
export function tokenRows(rows: Int8Array, dimensions: number, within?: WasmMemory): TokenRows {
  const values = Math.ceil(dimensions / valuesAtOnce) * valuesAtOnce
  const { memory, at: rowsAt } =
    within && values === dimensions
      ? { memory: within, at: rows.byteOffset }
      : copied(rows, dimensions, values)
  const kernels = opened(memory)
  const room = { at: 0, bytes: 0 }
  /** Where lists and what comes of them may lie: room that nobody else writes, and that grows. */
  const reserved = (bytes: number): number => {
    if (bytes > room.bytes) {
      room.bytes = Math.max(bytes, 2 * room.bytes)
      room.at = roomIn(memory, room.bytes)
    }
    return room.at
  }
  return {
    dots(tokens, others) {
      const [height, width] = [tokens.length, others.length]
      const wideBytes = 2 * values * mostWide
      const listsBytes = aligned(4 * height) + aligned(4 * width)
      const wideAt = reserved(wideBytes + listsBytes + 4 * height * width)
      const tokensAt = wideAt + wideBytes
      const othersAt = tokensAt + aligned(4 * height)
      const outAt = tokensAt + listsBytes
      new Uint32Array(memory.buffer, tokensAt, height).set(tokens)
      new Uint32Array(memory.buffer, othersAt, width).set(others)
      for (let start = 0; start < width; start += mostWide) {
        const [from, some] = [4 * start, Math.min(mostWide, width - start)]
        kernels.dots(rowsAt, tokensAt, height, othersAt + from, some, values, wideAt, outAt + from, width)
      }
      return new Float32Array(memory.buffer, outAt, height * width).slice()
    },
    weightedSum(tokens, factors) {
      const tokensBytes = aligned(4 * tokens.length)
      const factorsBytes = aligned(8 * tokens.length)
      const tokensAt = reserved(tokensBytes + factorsBytes + 8 * values)
      const factorsAt = tokensAt + tokensBytes
      const outAt = factorsAt + factorsBytes
      new Uint32Array(memory.buffer, tokensAt, tokens.length).set(tokens)
      new Float64Array(memory.buffer, factorsAt, tokens.length).set(factors)
      const out = new Float64Array(memory.buffer, outAt, values).fill(0)
      kernels.weightedSum(rowsAt, tokensAt, tokens.length, values, factorsAt, outAt)
      return out.slice(0, dimensions)
    },
  }
}

/** Rows of as many values as the kernels take at once, zeros at their ends. */
function copied(rows: Int8Array, dimensions: number, values: number): { memory: WasmMemory; at: number } {
  const count = rows.length / dimensions
  const own = sharedBytes(count * values)
  const held = bytesOf(own)
  for (let row = 0; row < count; row++)
    held.set(rows.subarray(row * dimensions, (row + 1) * dimensions), row * values)
  return { memory: own.memory, at: firstByte }
}
