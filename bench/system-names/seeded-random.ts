/** Numbers from 0 to 1, the same for the same seed: not those of `domain/random.ts`, since the committed names were drawn by these. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
