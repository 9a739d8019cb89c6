/** Random numbers that a seed determines, on every platform: only 32-bit integer arithmetic is used. */
export type SeededRandom = {
  /** The next integer of 0..2^32 - 1. */
  uint32(): number
  /**
   * The next integer of 0..n - 1: the high word of n times the next 32 bits. No value is favoured by more than n / 2^32.
   *
   * @param n - integer of 1..2^20
   */
  below(n: number): number
  /** Fills an array as {@link uint32} would, number after number. */
  fill(target: Uint32Array): void
  /** Fills an array as {@link below} would, number after number, but faster. */
  fillBelow(target: Uint32Array, n: number): void
}

/**
 * The generator xoshiro128**, its state filled from the seed by a Weyl sequence through MurmurHash3's finaliser.
 * Good enough for statistics, of no use for secrets.
 *
 * @param seed - an integer; taken modulo 2^32
 * @see Blackman & Vigna, ACM Transactions on Mathematical Software 2021
 */
export const seededRandom = (seed: number): SeededRandom =>
  xoshiro128([1, 2, 3, 4].map((step) => mixed(seed + Math.imul(step, 0x9e3779b9))))

/** xoshiro128** from a given state of four 32-bit words, not all zero. */
export function xoshiro128(words: readonly number[]): SeededRandom {
  const state = Int32Array.from(words)
  const block = new Uint32Array(512)
  let at = block.length

  const uint32 = (): number => {
    if (at === block.length) {
      fillBlock(state, block)
      at = 0
    }
    const value = block[at]!
    at += 1
    return value
  }
  return {
    uint32,
    below: (n) => Math.floor((uint32() * n) / 2 ** 32),
    fill(target) {
      for (let index = 0; index < target.length; index += 1) target[index] = uint32()
    },
    fillBelow(target, n) {
      for (let index = 0; index < target.length; index += 1) target[index] = (uint32() * n) / 2 ** 32
    },
  }
}

/** Writes the next numbers of the generator and moves its state on. Local variables keep it fast. */
function fillBlock(state: Int32Array, block: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let index = 0; index < block.length; index += 1) {
    const scrambled = Math.imul(b, 5)
    block[index] = Math.imul((scrambled << 7) | (scrambled >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
  }
  state.set([a, b, c, d])
}

/** MurmurHash3's 32-bit finaliser: a bijection, so that at most one word of a state is zero. */
function mixed(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
