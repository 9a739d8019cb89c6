import type { WasmMemory } from '../kernels/web-assembly.ts'

/** Vectors of tokens, quantised, and how much each counts. */
export type TokenVectors = {
  readonly dimensions: number
  /** Tokens x dimensions, row-major: value * scale. */
  readonly rows: Int8Array
  /** Per token the factor of its row in a query: scale times how much the token counts there. */
  readonly queryFactors: Float32Array
  /** The same in a document. */
  readonly documentFactors: Float32Array
  /** Where the rows lie, when threads share them. */
  readonly memory?: WasmMemory
}

/** What training learned of tokens, before it is quantised. */
export type LearnedVectors = {
  readonly dimensions: number
  /** Tokens x dimensions, row-major. */
  readonly table: Float32Array
  /** Logarithm of how much each token counts, in a query and in a document. */
  readonly queryWeights: Float32Array
  readonly documentWeights: Float32Array
}

/** Rounds each token's vector to 8 bits with a scale of its own: the largest value becomes 127. */
export function quantiseVectors({
  dimensions,
  table,
  queryWeights,
  documentWeights,
}: LearnedVectors): TokenVectors {
  const rows = new Int8Array(table.length)
  const scales = new Float32Array(table.length / dimensions)
  for (let token = 0; token < scales.length; token++) {
    const start = token * dimensions
    let largest = 0
    for (let at = start; at < start + dimensions; at++) largest = Math.max(largest, Math.abs(table[at]!))
    scales[token] = largest / 127
    if (largest === 0) continue
    for (let at = start; at < start + dimensions; at++) rows[at] = Math.round((127 * table[at]!) / largest)
  }
  const factors = (weights: Float32Array): Float32Array =>
    scales.map((scale, token) => scale * Math.exp(weights[token]!))
  return { dimensions, rows, queryFactors: factors(queryWeights), documentFactors: factors(documentWeights) }
}

/** Bytes that vectors take, packed. */
export const vectorBytes = (tokens: number, dimensions: number): number => 8 * tokens + tokens * dimensions

/** Factors of queries, factors of documents (float32), then rows (int8). */
export function packVectors({ rows, queryFactors, documentFactors }: TokenVectors): Uint8Array {
  const bytes = new Uint8Array(queryFactors.byteLength + documentFactors.byteLength + rows.length)
  bytes.set(bytesOf(queryFactors))
  bytes.set(bytesOf(documentFactors), queryFactors.byteLength)
  bytes.set(bytesOf(rows), queryFactors.byteLength + documentFactors.byteLength)
  return bytes
}

/** Without copying them. @param bytes - `vectorBytes` many, beginning at a multiple of four of their memory */
export function openVectors(bytes: Uint8Array, tokens: number, dimensions: number): TokenVectors {
  const floats = (offset: number): Float32Array =>
    new Float32Array(bytes.buffer, bytes.byteOffset + offset, tokens)
  return {
    dimensions,
    queryFactors: floats(0),
    documentFactors: floats(4 * tokens),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + 8 * tokens, tokens * dimensions),
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
