import { blockBytes } from '../kernels/argument-block.ts'
import { aligned, type WasmMemory } from '../kernels/web-assembly.ts'
import type { EncoderShape } from './encoder-tables.ts'

/** Texts that a thread is given at once. */
export const textsAtOnce = 16
/** Tokens that are computed together, unless one text alone has more: enough that weights are seldom read, and rows stay near. */
const mostRows = 128

/** Where one thread's inputs, outputs and scratch lie. */
export type Room = {
  readonly at: number
  put(texts: readonly (readonly number[])[]): void
  /** A copy. */
  vector(place: number): Float32Array
  /** A copy of the first rows of the last layer, for the texts that were computed last. */
  rows(count: number): Float32Array
}

export type RoomSizes = {
  /** Bytes of each part, in the order of the kernel's `Room`, and then of its `Quantised`. */
  readonly parts: { readonly [part in (typeof roomParts)[number]]: number }
  readonly bytes: number
  readonly hidden: number
}

const roomParts = [
  'tokens',
  'ends',
  'vectors',
  'states',
  'sums',
  'context',
  'wide',
  'attention',
  'pairs',
  'units',
  'weights',
] as const

/** The most that one thread needs at once. */
export function roomSizes({ hidden, heads, intermediate, positions }: EncoderShape): RoomSizes {
  // Rows are computed by twos.
  const rows = Math.ceil(Math.max(mostRows, positions) / 2) * 2
  const inputs = Math.max(hidden, intermediate)
  const parts = {
    tokens: 4 * textsAtOnce * positions,
    ends: 4 * textsAtOnce,
    vectors: 4 * textsAtOnce * hidden,
    states: 4 * rows * hidden,
    sums: 4 * rows * hidden,
    context: 4 * rows * hidden,
    wide: 4 * rows * Math.max(3 * hidden, intermediate),
    // Two blocks of arguments lie before the rest.
    attention: 2 * blockBytes + 4 * (hidden / heads + 4) * (positions + 3),
    pairs: 2 * rows * inputs,
    units: 4 * rows,
    weights: 2 * 4 * inputs,
  }
  const header = 64 * 2
  const bytes = roomParts.reduce((sum, part) => sum + aligned(parts[part]), header)
  return { parts, bytes, hidden }
}

/** @param at - first byte of as many as the sizes say, a multiple of 64 */
export function openRoom(memory: WasmMemory, at: number, { parts, hidden }: RoomSizes): Room {
  let next = at + 2 * 64
  const place = {} as { [part in (typeof roomParts)[number]]: number }
  for (const part of roomParts) {
    place[part] = next
    next += aligned(parts[part])
  }
  const quantised = at + 64
  new Uint32Array(memory.buffer, quantised, 3).set([place.pairs, place.units, place.weights])
  const head = new Uint32Array(memory.buffer, at, 11)
  const { tokens, ends, vectors, states, sums, context, wide, attention } = place
  head.set([tokens, ends, 0, mostRows, vectors, states, sums, context, wide, attention, quantised])
  return {
    at,
    put(texts) {
      const into = new Uint32Array(memory.buffer, tokens, parts.tokens / 4)
      const endings = new Uint32Array(memory.buffer, ends, textsAtOnce)
      let end = 0
      texts.forEach((text, index) => {
        into.set(text, end)
        end += text.length
        endings[index] = end
      })
      head[2] = texts.length
    },
    rows: (count) => new Float32Array(memory.buffer, states, hidden * count).slice(),
    vector: (index) => new Float32Array(memory.buffer, vectors + 4 * hidden * index, hidden).slice(),
  }
}
