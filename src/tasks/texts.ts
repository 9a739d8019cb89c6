import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import { analyze } from '../retrieval/text/analyze.ts'

/**
 * ROUGE-L of two texts, 0..1: the harmonic mean of the shares that their longest common subsequence of words has of each.
 *
 * @see Lin, ROUGE, ACL 2004 workshop, section 3
 */
export function rougeL(one: string, other: string): number {
  const [left, right] = [plainWords(one), plainWords(other)]
  if (left.length === 0 || right.length === 0) return 0
  let before = new Uint16Array(right.length + 1)
  for (const word of left) {
    const row = new Uint16Array(right.length + 1)
    for (const [place, against] of right.entries())
      row[place + 1] = word === against ? before[place]! + 1 : Math.max(before[place + 1]!, row[place]!)
    before = row
  }
  const common = before[right.length]!
  return common === 0 ? 0 : (2 * common) / (left.length + right.length)
}

/** Tasks that say the same: near enough that one of them measures nothing more. */
const mostAlike = 0.8

/** Whether a text says what one of these says. */
export const isAmong = (text: string, others: Iterable<string>): boolean => {
  for (const other of others) if (rougeL(text, other) >= mostAlike) return true
  return false
}

/** Of two unit vectors. */
export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let place = 0; place < one.length; place += 1) sum += one[place]! * other[place]!
  return sum
}

/** The mean of vectors, of length 1; zeros where they cancel out. */
export function centroid(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [place, value] of vector.entries()) sum[place]! += value
  return unit(sum)
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** Unit vectors by words alone, weighed by how few of the texts have them: for where no model makes any. */
export function wordVectors(texts: readonly string[]): readonly Float32Array[] {
  const terms = texts.map((text) => analyze(text))
  const places = new Map<string, number>()
  const uses = new Map<string, number>()
  for (const own of terms)
    for (const term of new Set(own)) {
      if (!places.has(term)) places.set(term, places.size)
      uses.set(term, (uses.get(term) ?? 0) + 1)
    }
  return terms.map((own) => {
    const vector = new Float32Array(places.size)
    for (const term of own) vector[places.get(term)!]! += Math.log(1 + texts.length / uses.get(term)!)
    return unit(vector)
  })
}
