import type { EmbeddingModel } from '../../src/retrieval/ports.ts'

/** What a test sees of the fake besides its vectors. */
export type HashedWordsModel = EmbeddingModel & {
  /** What was embedded, in order. */
  readonly embedded: { readonly text: string; readonly role: 'query' | 'document' }[]
}

const dimensions = 512

/**
 * An embedding that knows words only: each adds one to the axis its hash names, and the sum gets length 1. Texts that
 * share words are near, all others about at right angles.
 *
 * @param synonyms - words that mean another one: how a test gives two texts without common words one meaning
 */
export function hashedWordsModel(synonyms: { readonly [word: string]: string } = {}): HashedWordsModel {
  const meanings = new Map(Object.entries(synonyms))
  const embedded: { text: string; role: 'query' | 'document' }[] = []
  return {
    id: 'hashed-words',
    dimensions,
    embedded,
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      for (const text of texts) embedded.push({ text, role })
      return texts.map((text) => {
        const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
        return unitVector(words.map((word) => meanings.get(word) ?? word))
      })
    },
    close: async () => {},
  }
}

function unitVector(words: readonly string[]): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of words) {
    const axis = hashOf(word) % dimensions
    vector[axis] = vector[axis]! + 1
  }
  if (words.length === 0) vector[0] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const hashOf = (word: string): number =>
  [...word].reduce((hash, character) => (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0, 17)
