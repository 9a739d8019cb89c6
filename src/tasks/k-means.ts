import { randomOf } from '../probing/writing/schema-arguments.ts'
import { dot } from './texts.ts'

/** Rounds after which clusters hardly move. */
const mostRounds = 50

/**
 * Clusters vectors about k centres (k-means, its first centres spread out as k-means++ does) and gives the vector nearest to each.
 *
 * @param k - integer of 1..the number of vectors
 * @returns places of vectors, each once
 * @see Arthur & Vassilvitskii, SODA 2007
 */
export function kMeans(vectors: readonly Float32Array[], k: number, seed: number): readonly number[] {
  if (vectors.length === 0 || k === 0) return []
  let centres = firstCentres(vectors, k, seed)
  let assigned: readonly number[] = []
  for (let round = 0; round < mostRounds; round += 1) {
    const next = vectors.map((vector) => nearestOf(vector, centres))
    if (next.every((centre, place) => centre === assigned[place])) break
    assigned = next
    centres = centres.map((centre, at) => {
      const own = vectors.filter((_, place) => assigned[place] === at)
      return own.length === 0 ? centre : mean(own)
    })
  }
  const nearest = centres.map((centre, at) => {
    const own = vectors.flatMap((vector, place) =>
      assigned[place] === at ? [{ place, far: distance(vector, centre) }] : [],
    )
    return own.sort((a, b) => a.far - b.far || a.place - b.place)[0]?.place
  })
  return nearest.filter((place) => place !== undefined)
}

function firstCentres(vectors: readonly Float32Array[], k: number, seed: number): readonly Float32Array[] {
  const random = randomOf(`${seed} k-means`)
  const centres = [random.pick(vectors)]
  const far = vectors.map(() => Number.POSITIVE_INFINITY)
  while (centres.length < k) {
    for (const [place, vector] of vectors.entries())
      far[place] = Math.min(far[place]!, distance(vector, centres.at(-1)!))
    const total = far.reduce((sum, one) => sum + one, 0)
    let left = (random.whole(0, 999_999) / 1_000_000) * total
    const at = far.findIndex((one) => {
      left -= one
      return one > 0 && left < 0
    })
    centres.push(vectors[at < 0 ? centres.length % vectors.length : at]!)
  }
  return centres
}

const nearestOf = (vector: Float32Array, centres: readonly Float32Array[]): number =>
  centres.reduce(
    (best, centre, at) => {
      const far = distance(vector, centre)
      return far < best.far ? { at, far } : best
    },
    { at: 0, far: Number.POSITIVE_INFINITY },
  ).at

/** Squared. */
const distance = (one: Float32Array, other: Float32Array): number =>
  Math.max(0, dot(one, one) + dot(other, other) - 2 * dot(one, other))

function mean(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (const [place, value] of vector.entries()) sum[place]! += value
  return sum.map((value) => value / vectors.length)
}
