import { addTo, countsOf } from '../domain/grouped.ts'
import type { TaskScores } from '../domain/model-card.ts'
import { once } from '../domain/once.ts'
import { analyze } from '../retrieval/text/analyze.ts'

/** A request that tasks are compared with, with its vectors of unit length by the models that made them. */
export type ModelTask = { readonly text: string; readonly vectors: ReadonlyMap<string, Float32Array> }

/** How a vector is compared with those of the rows, which are of the same model. */
export type RowVectors = {
  readonly model: string
  cosines(to: ModelTask, vector: Float32Array): ArrayLike<number>
}

/** Tasks that models were tried on, with what came of it. */
export type TaskTable = {
  readonly rows: readonly TaskScores[]
  /** How near each task is to a request, 0..1; 1 is the same request, but for white space and capitals, and no other. */
  nearness(to: ModelTask): Float32Array
}

/** What the surface of requests counts in their likeness, where what they are about counts 1. */
const surfaceWeight = 0.5
/** As near as another request can be. */
const nearest = 0.99

/** @param embedded - null where rows have no vectors: then words are compared, as where the request has none of their model */
export function taskTable(rows: readonly TaskScores[], embedded: RowVectors | null): TaskTable {
  const surfaces = rows.map(({ task }) => requestSurface(task))
  const squares = surfaces.map((surface) => dot(surface, surface))
  const words = once(() => wordCosines(rows))
  const plain = rows.map(({ task }) => plainText(task))
  return {
    rows,
    nearness(to) {
      const { text, vectors } = to
      const vector = embedded === null ? undefined : vectors.get(embedded.model)
      const about = vector === undefined ? words()(text) : embedded!.cosines(to, vector)
      const surface = requestSurface(text)
      const square = dot(surface, surface)
      const asked = plainText(text)
      return Float32Array.from(rows, (_, at) => {
        if (plain[at] === asked) return 1
        const sides = (1 + surfaceWeight * square) * (1 + surfaceWeight * squares[at]!)
        const cosine = (about[at]! + surfaceWeight * dot(surface, surfaces[at]!)) / Math.sqrt(sides)
        return Math.min(nearest, Math.max(0, cosine))
      })
    },
  }
}

const plainText = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** Cosines with rows of 8 bits that lie one after the other. */
export function cosinesWith(rows: Int8Array, vector: Float32Array): Float32Array {
  const { length } = vector
  const cosines = new Float32Array(Math.floor(rows.length / length))
  for (let at = 0; at < cosines.length; at += 1) {
    let [product, square] = [0, 0]
    for (let place = 0, from = at * length; place < length; place += 1) {
      const value = rows[from + place]!
      product += value * vector[place]!
      square += value * value
    }
    cosines[at] = square === 0 ? 0 : product / Math.sqrt(square)
  }
  return cosines
}

/** Cosines of weighted words: a rare word counts more (inverse document frequency), one that is repeated little more. */
export function wordCosines(rows: readonly Pick<TaskScores, 'task'>[]): (text: string) => Float32Array {
  const counts = rows.map(({ task }) => countsOf(analyze(task)))
  const frequencies = countsOf(counts.flatMap((words) => [...words.keys()]))
  const weighted = (words: ReadonlyMap<string, number>): Map<string, number> => {
    const weights = new Map<string, number>()
    for (const [word, count] of words) {
      const known = frequencies.get(word)
      if (known === undefined) continue
      weights.set(word, (1 + Math.log(count)) * (Math.log((1 + rows.length) / (1 + known)) + 1))
    }
    const length = Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight * weight, 0))
    return new Map([...weights].map(([word, weight]) => [word, weight / length]))
  }
  const postings = new Map<string, [row: number, weight: number][]>()
  for (const [row, words] of counts.entries())
    for (const [word, weight] of weighted(words)) addTo(postings, word, [row, weight])
  return (text) => {
    const cosines = new Float32Array(rows.length)
    for (const [word, own] of weighted(countsOf(analyze(text))))
      for (const [row, weight] of postings.get(word) ?? []) cosines[row]! += own * weight
    return cosines
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}

/** What the surface of a request shows: a number each, its mean and spread over 5,608 requests of eleven benchmarks (LLMRouter, train). */
const features: readonly (readonly [of: (text: string) => number, mean: number, spread: number])[] = [
  [({ length }) => Math.log1p(length), 4.99, 1.1],
  [(text) => Math.log1p(countOf(text, /\n/g)), 0.269, 0.72],
  [(text) => Math.log1p(countOf(text, /[0-9]/g)), 0.89, 1.1],
  [(text) => countOf(text, /[0-9]/g) / Math.max(1, text.length), 0.0145, 0.028],
  [(text) => countOf(text, /[A-Z]/g) / Math.max(1, text.length), 0.0227, 0.024],
  [has(/[$\\]/), 0.152, 0.36],
  [has(/\bdef |"""|>>>|```|\bassert\b|\breturn\b/), 0.0348, 0.18],
  [has(/\?/), 0.593, 0.49],
  [has(/[.?!]$/), 0.717, 0.45],
  [has(/^[a-z]/), 0.157, 0.36],
  [has(/^(?:who|when|where)\b/i), 0.101, 0.3],
  [has(/^(?:what|which|how|why)\b/i), 0.155, 0.36],
  [has(/\bhow (?:many|much)\b/i), 0.132, 0.34],
  [has(/^(?:write|create|implement|given)\b/i), 0.0909, 0.29],
  [has(/^\S*(?:\s+\S+){0,6}$/), 0.0583, 0.23],
  [(text) => (countOf(text, /[.!?]\s/g) > 2 ? 1 : 0), 0.244, 0.43],
  [has(/["“_]/), 0.135, 0.34],
]

/** Nothing is further from the mean than this. */
const farthest = 3

/**
 * What kind of request it is, whatever it is about: long or short, code, sums, a question. Of 5,608 requests that nine models did, its
 * likeness says as much of who does one well as that of words does.
 *
 * @returns its length is 1 on average
 */
export function requestSurface(request: string): Float32Array {
  const text = request.trim()
  return Float32Array.from(features, ([of, mean, spread]) => {
    const value = (of(text) - mean) / spread
    return Math.max(-farthest, Math.min(farthest, value)) / Math.sqrt(features.length)
  })
}

function has(pattern: RegExp): (text: string) => number {
  return (text) => (pattern.test(text) ? 1 : 0)
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
