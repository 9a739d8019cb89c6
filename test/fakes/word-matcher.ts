import type { TokenSpace } from '../../src/vectors/embedding/static-embedding.ts'

/** One word of the fake: its direction in a plane, and how much it counts on each side. */
export type PlaneWord = {
  readonly word: string
  /** In degrees; words at 90 degrees to each other have nothing in common. */
  readonly direction: number
  /** @defaultValue 1 */
  readonly inQuery?: number
  /** @defaultValue 1 */
  readonly inDocument?: number
}

/** Reads words of a list and no others; the cosine of two is that of the angle between their directions. */
export function wordMatcher(words: readonly PlaneWord[]): TokenSpace {
  const radians = words.map(({ direction }) => (direction * Math.PI) / 180)
  const numbers = new Map(words.map(({ word }, number) => [word, number]))
  return {
    tokensOf: (text, limit) => {
      const found = (text.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => numbers.get(word) ?? [])
      return Uint32Array.from(new Set(found.slice(0, limit)))
    },
    queryWeight: (token) => words[token]!.inQuery ?? 1,
    documentWeight: (token) => words[token]!.inDocument ?? 1,
    cosines: (tokens, others) =>
      Float32Array.from(
        Array.from(tokens).flatMap((token) =>
          Array.from(others, (other) => Math.cos(radians[token]! - radians[other]!)),
        ),
      ),
  }
}
