import { once } from '../../domain/once.ts'
import { tokenRows } from '../kernels/token-rows.ts'
import { type LearnedVectors, quantiseVectors, type TokenVectors } from './token-vectors.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Part of a text that is read with a weight of its own, for example a card's name. */
export type EmbeddingField = {
  readonly name: string
  /** Tokens of it that are read. Integer >= 1. */
  readonly limit: number
  /** How much its tokens count, > 0. */
  readonly weight: number
}

/** The weights of a static two-tower embedding, quantised. */
export type StaticWeights = TokenVectors & {
  readonly vocabulary: Vocabulary
  /** Tokens of a query that are read. */
  readonly queryLimit: number
  /** Fields of a document in the order they are read; the sum of their limits bounds a document. */
  readonly fields: readonly EmbeddingField[]
  /** Vectors of the same tokens by which words are matched one by one. @defaultValue those of the embedding itself */
  readonly interaction?: TokenVectors
}

/**
 * Turns queries and documents into unit vectors: the weighted mean of their tokens' vectors, each tower with its own
 * weights, divided by its length. A text without any token gives the zero vector.
 */
export type StaticEmbedding = {
  readonly dimensions: number
  readonly tokens: TokenSpace
  query(text: string): Float32Array
  /** @param texts - by the name of the field; a missing field is empty, an unknown one is not read */
  document(texts: { readonly [field: string]: string }): Float32Array
}

export function staticEmbedding(weights: StaticWeights): StaticEmbedding {
  const { dimensions, vocabulary, rows, queryFactors, documentFactors, queryLimit, fields } = weights
  /** Made when a text is first read: a program that reads none pays nothing. */
  const table = once(() => tokenRows(rows, dimensions, weights.memory))
  return {
    dimensions,
    tokens: tokenSpace(vocabulary, weights.interaction ?? weights),
    query(text) {
      const tokens = vocabulary.encode(text, queryLimit)
      const factors = new Float64Array(tokens.length)
      for (let place = 0; place < tokens.length; place++) factors[place] = queryFactors[tokens[place]!]!
      return unit(table().weightedSum(tokens, factors))
    },
    document(texts) {
      const tokens: number[] = []
      const factors: number[] = []
      for (const { name, limit, weight } of fields) {
        const text = texts[name]
        if (!text) continue
        for (const token of vocabulary.encode(text, limit)) {
          tokens.push(token)
          factors.push(documentFactors[token]! * weight)
        }
      }
      return unit(table().weightedSum(tokens, factors))
    },
  }
}

function unit(sum: Float64Array): Float32Array {
  let squares = 0
  for (let at = 0; at < sum.length; at++) squares += sum[at]! * sum[at]!
  const inverse = squares > 0 ? 1 / Math.sqrt(squares) : 0
  const vector = new Float32Array(sum.length)
  for (let at = 0; at < sum.length; at++) vector[at] = sum[at]! * inverse
  return vector
}

/** The tokens of texts one by one, for matching words with words near in meaning. */
export type TokenSpace = {
  /** Distinct tokens of a text's first `limit` ones, in order. */
  tokensOf(text: string, limit: number): Uint32Array
  /** How much a token counts in a query, and in a document: its vector's length times its weight, >= 0. */
  queryWeight(token: number): number
  documentWeight(token: number): number
  /**
   * Cosines of each token of one list with each of the other, row by row; 1 for a token with itself. Quickest when the
   * second list is the shorter one.
   */
  cosines(tokens: ArrayLike<number>, others: ArrayLike<number>): Float32Array
}

function tokenSpace(
  vocabulary: Vocabulary,
  { dimensions, rows, queryFactors, documentFactors, memory }: TokenVectors,
): TokenSpace {
  /** Made when tokens are first matched: a program that matches none pays nothing. */
  const table = once(() => tokenRows(rows, dimensions, memory))
  const lengths = new Float32Array(vocabulary.size).fill(Number.NaN)
  /** Length of a token's row, reckoned when it is first asked for. */
  const lengthOf = (token: number): number => {
    const known = lengths[token]!
    if (!Number.isNaN(known)) return known
    let squares = 0
    for (let at = token * dimensions; at < (token + 1) * dimensions; at++) squares += rows[at]! * rows[at]!
    lengths[token] = Math.sqrt(squares)
    return lengths[token]!
  }
  return {
    tokensOf: (text, limit) => Uint32Array.from(new Set(vocabulary.encode(text, limit))),
    queryWeight: (token) => lengthOf(token) * queryFactors[token]!,
    documentWeight: (token) => lengthOf(token) * documentFactors[token]!,
    cosines(tokens, others) {
      const cosines = table().dots(tokens, others)
      const otherLengths = Float32Array.from(others, lengthOf)
      for (let i = 0, at = 0; i < tokens.length; i++) {
        const token = tokens[i]!
        const length = lengthOf(token)
        for (let j = 0; j < others.length; j++, at++) {
          const product = length * otherLengths[j]!
          cosines[at] = others[j] === token ? 1 : product > 0 ? cosines[at]! / product : 0
        }
      }
      return cosines
    },
  }
}

/** What training learned of a two-tower embedding, before it is quantised. */
export type LearnedWeights = LearnedVectors & {
  readonly vocabulary: Vocabulary
  readonly queryLimit: number
  readonly fields: readonly EmbeddingField[]
}

/** Rounds the vectors to 8 bits. */
export const quantise = (learned: LearnedWeights): StaticWeights => {
  const { vocabulary, queryLimit, fields } = learned
  return { ...quantiseVectors(learned), vocabulary, queryLimit, fields }
}
