import { seededRandom } from './seeded-random.ts'

type RandomisationOptions = {
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
export const randomisationTest = (
  differences: ArrayLike<number>,
  options: RandomisationOptions = {},
): number => randomisationTests([differences], options)[0]!

/**
 * The same for several measures of one sample of queries: each p-value is the one that its measure gets alone. The sign
 * patterns are drawn once for all, which is most of the work.
 *
 * @param measures - the differences of each measure
 * @returns in the order given
 */
export function randomisationTests(
  measures: readonly ArrayLike<number>[],
  options: RandomisationOptions = {},
): readonly number[] {
  const { permutations, seed } = { ...defaults, ...options }
  const changed = measures.map((differences) => Float64Array.from(differences).filter((value) => value !== 0))
  const drawn = randomSums(
    changed.map((values) => (values.length <= enumerable ? new Float64Array() : values)),
    permutations,
    seed,
  )
  return changed.map((values, at) =>
    values.length <= enumerable
      ? countAsFar(signedSums(values), values) / 2 ** values.length
      : (1 + countAsFar(drawn[at]!, values)) / (1 + permutations),
  )
}

/** How many sums are at least as far from zero as that of the values themselves. */
function countAsFar(sums: Float64Array, values: Float64Array): number {
  // Sums of the same numbers in another order differ in their last digits: a tie must stay one.
  const tolerance = 1e-9 * sumOf(values.map(Math.abs))
  const seen = Math.abs(sumOf(values)) - tolerance
  let count = 0
  for (let at = 0; at < sums.length; at += 1) if (Math.abs(sums[at]!) >= seen) count += 1
  return count
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (let at = 0; at < values.length; at += 1) sum += values[at]!
  return sum
}

/** Sums under every sign pattern: bit i of the place says whether value i is taken away. */
function signedSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  // Each value doubles the patterns: those known so far with it added, then with it taken away.
  for (let bit = 0; bit < values.length; bit += 1) {
    const known = 2 ** bit
    const value = values[bit]!
    for (let pattern = 0; pattern < known; pattern += 1) {
      const sum = sums[pattern]!
      sums[pattern] = sum + value
      sums[pattern + known] = sum - value
    }
  }
  return sums
}

/** Values whose signs one random byte decides, and stretches of so many that are added in one pass over the sums. */
const stretch = 8
const together = 4

/**
 * Sums under random sign patterns. Values go by eights: the sums of all 256 patterns of eight are made once, and each
 * random byte picks one, which makes it as cheap as a table look-up per eight queries. Every measure gets the patterns
 * that it would get alone, in the same order.
 */
function randomSums(
  measures: readonly Float64Array[],
  permutations: number,
  seed: number,
): readonly Float64Array[] {
  const random = seededRandom(seed)
  const longest = measures.reduce((most, { length }) => Math.max(most, length), 0)
  // Four patterns use up the bytes of one random number.
  const fours = Math.ceil(permutations / 4)
  const sums = measures.map(() => new Float64Array(4 * fours))
  const bits = Array.from({ length: together }, () => new Uint32Array(fours))
  for (let start = 0; start < longest; start += stretch * together) {
    for (const some of bits) random.fill(some)
    for (const [at, values] of measures.entries()) {
      if (start < values.length) addRandomPatterns(sums[at]!, tablesFrom(values, start), bits)
    }
  }
  return sums.map((all) => all.subarray(0, permutations))
}

/** The sums of all patterns of each stretch; past the end, values are 0 and change nothing. */
const tablesFrom = (values: Float64Array, start: number): readonly Float64Array[] =>
  Array.from({ length: together }, (_, at) => {
    const own = new Float64Array(stretch)
    own.set(values.subarray(start + at * stretch, start + (at + 1) * stretch))
    return signedSums(own)
  })

/** Adds a pattern of each of the four tables to every sum, one after the other: the order decides the last digits. */
function addRandomPatterns(
  sums: Float64Array,
  [tableA, tableB, tableC, tableD]: readonly Float64Array[],
  [bitsA, bitsB, bitsC, bitsD]: readonly Uint32Array[],
): void {
  for (let four = 0; four < bitsA!.length; four += 1) {
    const a = bitsA![four]!
    const b = bitsB![four]!
    const c = bitsC![four]!
    const d = bitsD![four]!
    const turn = 4 * four
    sums[turn] = sums[turn]! + tableA![a & 255]! + tableB![b & 255]! + tableC![c & 255]! + tableD![d & 255]!
    sums[turn + 1] =
      sums[turn + 1]! +
      tableA![(a >>> 8) & 255]! +
      tableB![(b >>> 8) & 255]! +
      tableC![(c >>> 8) & 255]! +
      tableD![(d >>> 8) & 255]!
    sums[turn + 2] =
      sums[turn + 2]! +
      tableA![(a >>> 16) & 255]! +
      tableB![(b >>> 16) & 255]! +
      tableC![(c >>> 16) & 255]! +
      tableD![(d >>> 16) & 255]!
    sums[turn + 3] =
      sums[turn + 3]! + tableA![a >>> 24]! + tableB![b >>> 24]! + tableC![c >>> 24]! + tableD![d >>> 24]!
  }
}

/**
 * Holm's step-down correction: p-values adjusted so that, rejecting those below 0.05, the chance of any false rejection
 * in the family stays below 0.05.
 *
 * @returns in the order given; none below its own p-value, none above 1
 * @see Holm, Scandinavian Journal of Statistics 1979
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = new Array<number>(pValues.length)
  let highest = 0
  for (const [place, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, pValues[index]! * (pValues.length - place)))
    adjusted[index] = highest
  }
  return adjusted
}
