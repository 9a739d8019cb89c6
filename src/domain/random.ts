/**
 * Numbers of [0, 1) that a seed determines, on every platform: for draws. What counts millions of them, and needs whole numbers
 * without a favoured one, takes `seededRandom` of the statistics.
 *
 * @see T. Ettinger, mulberry32, 2017; public domain
 */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a over UTF-16 units, 32 bits: a seed for a text, so that each text gives draws of its own. @param seed - another gives another hash */
export function seedOf(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
