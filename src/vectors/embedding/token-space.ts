import { type TokenRows, tokenRows } from '../kernels/token-rows.ts'
import type { TokenVectors } from './token-vectors.ts'
import type { Vocabulary } from './vocabulary.ts'

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

export function tokenSpace(
  vocabulary: Vocabulary,
  { dimensions, rows, queryFactors, documentFactors, memory }: TokenVectors,
): TokenSpace {
  let held: TokenRows | undefined
  /** Made when tokens are first matched: a program that matches none pays nothing. */
  const table = (): TokenRows => {
    held ??= tokenRows(rows, dimensions, memory)
    return held
  }
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
