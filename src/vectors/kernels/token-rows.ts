import { wasm } from './token-rows.wasm.ts'
import { aligned, firstByte, pageBytes, type WasmModule, webAssembly } from './web-assembly.ts'

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

/** Rows that are kept in 16 bits at once; a multiple of four. */
const mostWide = 64

/** Compiled when it is first asked for: a program that never matches tokens pays nothing. */
let compiled: WasmModule | undefined

/**
 * @param rows - count x dimensions, row-major
 * @throws RangeError when there is no memory for them
 */
export function tokenRows(rows: Int8Array, dimensions: number): TokenRows {
  const count = rows.length / dimensions
  const values = Math.ceil(dimensions / 16) * 16
  const wideAt = aligned(firstByte + count * values)
  const tokensAt = aligned(wideAt + 2 * values * mostWide)
  const memory = new webAssembly.Memory({ initial: Math.ceil(tokensAt / pageBytes) })
  compiled ??= new webAssembly.Module(Uint8Array.from(Buffer.from(wasm, 'base64')))
  const kernels = new webAssembly.Instance(compiled, { env: { memory } }).exports as unknown as {
    readonly dots: Dots
    readonly weightedSum: WeightedSum
  }
  const held = new Int8Array(memory.buffer, firstByte, count * values)
  if (values === dimensions) held.set(rows)
  else
    for (let row = 0; row < count; row++)
      held.set(rows.subarray(row * dimensions, (row + 1) * dimensions), row * values)
  const reserve = (bytes: number): void => {
    const missing = bytes - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  }
  return {
    dots(tokens, others) {
      const [height, width] = [tokens.length, others.length]
      const othersAt = aligned(tokensAt + 4 * height)
      const outAt = aligned(othersAt + 4 * width)
      reserve(outAt + 4 * height * width)
      new Uint32Array(memory.buffer, tokensAt, height).set(tokens)
      new Uint32Array(memory.buffer, othersAt, width).set(others)
      for (let start = 0; start < width; start += mostWide) {
        const [from, some] = [4 * start, Math.min(mostWide, width - start)]
        kernels.dots(firstByte, tokensAt, height, othersAt + from, some, values, wideAt, outAt + from, width)
      }
      return new Float32Array(memory.buffer, outAt, height * width).slice()
    },
    weightedSum(tokens, factors) {
      const factorsAt = aligned(tokensAt + 4 * tokens.length)
      const outAt = aligned(factorsAt + 8 * tokens.length)
      reserve(outAt + 8 * values)
      new Uint32Array(memory.buffer, tokensAt, tokens.length).set(tokens)
      new Float64Array(memory.buffer, factorsAt, tokens.length).set(factors)
      const out = new Float64Array(memory.buffer, outAt, values).fill(0)
      kernels.weightedSum(firstByte, tokensAt, tokens.length, values, factorsAt, outAt)
      return out.slice(0, dimensions)
    },
  }
}
