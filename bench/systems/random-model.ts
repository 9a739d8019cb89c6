import type { EmbeddingModel } from '../../src/retrieval/ports.ts'

const dimensions = 256

/** A static embedding whose weights are random: each word has a vector seeded by its hash, a text is their sum. */
export const randomModel = (): EmbeddingModel => ({
  id: `bench-random-${dimensions}`,
  dimensions,
  embed: (texts) => Promise.resolve(texts.map(vectorOf)),
  close: () => Promise.resolve(),
})

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) addWord(vector, hash(word))
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let value = 2166136261
  for (let index = 0; index < word.length; index++)
    value = Math.imul(value ^ word.charCodeAt(index), 16777619) >>> 0
  return value
}

/** Adds 256 numbers of -1..1 from the generator mulberry32. */
function addWord(vector: Float32Array, seed: number): void {
  let state = seed
  for (let index = 0; index < dimensions; index++) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    vector[index] = vector[index]! + ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}
