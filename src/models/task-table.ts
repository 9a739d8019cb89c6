import type { TaskScores } from '../domain/model-card.ts'
import { once } from '../domain/once.ts'
import { analyze } from '../retrieval/text/analyze.ts'
import { requestSurface } from './request-surface.ts'

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
  const counts = rows.map(({ task }) => counted(task))
  const frequencies = new Map<string, number>()
  for (const words of counts)
    for (const word of words.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
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
    for (const [word, weight] of weighted(words)) {
      const list = postings.get(word)
      if (list === undefined) postings.set(word, [[row, weight]])
      else list.push([row, weight])
    }
  return (text) => {
    const cosines = new Float32Array(rows.length)
    for (const [word, own] of weighted(counted(text)))
      for (const [row, weight] of postings.get(word) ?? []) cosines[row]! += own * weight
    return cosines
  }
}

function counted(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of analyze(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}
