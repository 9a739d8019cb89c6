import { type SeededRandom, seededRandom } from './seeded-random.ts'

export type RandomisationOptions = {
  /** Random sign patterns, where there are too many to try all. Integer >= 1. @defaultValue 10000 */
  readonly permutations?: number
  /** The same seed gives the same p-value. @defaultValue 1 */
  readonly seed?: number
}

const defaults = { permutations: 10_000, seed: 1 }
/** Up to here all 2^n sign patterns are tried. */
const enumerable = 12

/**
 * Two-sided paired randomisation (sign-flip) test. If two rankers were the same, each query's difference could as well
 * have had the other sign: the p-value is the share of sign patterns whose sum is at least as far from zero as the one
 * seen. Exact for up to 12 differences that are not zero; beyond, the pattern seen counts among those drawn, so that p
 * is never 0.
 *
 * @param differences - one per query; zeros do not matter. Weight them to test a weighted sum
 * @returns 0 < p <= 1; 1 when there is no difference
 * @see Smucker, Allan & Carterette, CIKM 2007
 */
export function randomisationTest(
  differences: ArrayLike<number>,
  options: RandomisationOptions = {},
): number {
  const { permutations, seed } = { ...defaults, ...options }
  const changed = Float64Array.from(differences).filter((difference) => difference !== 0)
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
  // Sums of the same numbers in another order differ in their last digits: a tie must stay one.
  const tolerance = 1e-9 * sum(changed.map(Math.abs))
  const seen = Math.abs(sum(changed)) - tolerance
  const asFar = (sums: Float64Array): number => sums.filter((value) => Math.abs(value) >= seen).length
  if (changed.length <= enumerable) return asFar(signedSums(changed)) / 2 ** changed.length
  return (1 + asFar(randomSums(changed, permutations, seed))) / (1 + permutations)
}

/** Sums under every sign pattern: bit i of the place says whether value i is taken away. */
function signedSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  for (let pattern = 0; pattern < sums.length; pattern += 1) {
    let sum = 0
    for (let bit = 0; bit < values.length; bit += 1)
      sum += pattern & (1 << bit) ? -values[bit]! : values[bit]!
    sums[pattern] = sum
  }
  return sums
}

/**
 * Sums under random sign patterns. Values go by eights: the sums of all 256 patterns of eight are made once, and each
 * random byte picks one, which makes it as cheap as a table look-up per eight queries.
 */
function randomSums(values: Float64Array, permutations: number, seed: number): Float64Array {
  const random = seededRandom(seed)
  // Four patterns use up the bytes of one random number.
  const sums = new Float64Array(4 * Math.ceil(permutations / 4))
  for (let start = 0; start < values.length; start += 8) {
    const eight = new Float64Array(8)
    eight.set(values.subarray(start, start + 8))
    addRandomPatterns(sums, signedSums(eight), random)
  }
  return sums.subarray(0, permutations)
}

function addRandomPatterns(sums: Float64Array, table: Float64Array, random: SeededRandom): void {
  for (let turn = 0; turn < sums.length; turn += 4) {
    const bits = random.uint32()
    sums[turn]! += table[bits & 255]!
    sums[turn + 1]! += table[(bits >>> 8) & 255]!
    sums[turn + 2]! += table[(bits >>> 16) & 255]!
    sums[turn + 3]! += table[bits >>> 24]!
  }
}
