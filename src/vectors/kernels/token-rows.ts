import { type ArgumentBlock, argumentBlock, blockBytes } from './argument-block.ts'
import { wasm, writeLists } from './token-rows.wasm.ts'
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

/** @param lists - of the block of arguments */
type Dots = (lists: number) => void

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

/** Where arguments, lists and what comes of them may lie: nobody else writes there. It grows. */
type Room = {
  readonly asked: ArgumentBlock
  readonly at: number
  /** All of it, from there on. */
  readonly whole: Uint32Array
  readonly real: Float32Array
}

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
  const reserved = growingRoom(memory)
  return {
    dots(tokens, others) {
      const [height, width] = [tokens.length, others.length]
      const wideBytes = 2 * values * mostWide
      const listsBytes = aligned(4 * height) + aligned(4 * width)
      const { asked, at: wide, whole, real } = reserved(wideBytes + listsBytes + 4 * height * width)
      const tokensFrom = wideBytes
      const othersFrom = tokensFrom + aligned(4 * height)
      const outFrom = tokensFrom + listsBytes
      whole.set(tokens, tokensFrom / 4)
      whole.set(others, othersFrom / 4)
      for (let start = 0; start < width; start += mostWide) {
        writeLists(asked, {
          rows: rowsAt,
          values,
          tokens: wide + tokensFrom,
          tokenCount: height,
          others: wide + othersFrom + 4 * start,
          otherCount: Math.min(mostWide, width - start),
          wide,
          out: wide + outFrom + 4 * start,
          stride: width,
        })
        kernels.dots(asked.at)
      }
      return real.slice(outFrom / 4, outFrom / 4 + height * width)
    },
    weightedSum(tokens, factors) {
      const tokensBytes = aligned(4 * tokens.length)
      const factorsBytes = aligned(8 * tokens.length)
      const { at: tokensAt } = reserved(tokensBytes + factorsBytes + 8 * values)
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

/** @returns what gives room for at least so many bytes, the same as before where that is enough */
function growingRoom(memory: WasmMemory): (bytes: number) => Room {
  let room: Room | undefined
  return (bytes) => {
    if (room !== undefined && bytes <= room.whole.byteLength) return room
    const size = Math.max(Math.ceil(bytes / 4), 2 * (room?.whole.length ?? 0))
    const blockAt = roomIn(memory, blockBytes + 4 * size)
    const at = blockAt + blockBytes
    room = {
      asked: argumentBlock(memory, blockAt),
      at,
      whole: new Uint32Array(memory.buffer, at, size),
      real: new Float32Array(memory.buffer, at, size),
    }
    return room
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
