import { once } from '../../domain/once.ts'
import type { TokenTable } from '../../domain/text/token-table.ts'

/** Marks a piece that continues a word. No word of `splitWords` starts with it. */
export const continuation = '##'

/** Tokens 0 to 255: the bytes. They read as no word does, since words hold no `<`. */
export const byteTokens: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).padStart(2, '0')}>`,
)

/** Nats that a byte costs: more than any piece, so that bytes stand only for characters that have none. */
const byteCost = 40

/**
 * Words written together keep their tokens (`apiendpoint`: api, endpoint): a whole word may follow three characters or
 * more and has as many itself, lest `sponge` become s and pong. On tools not learned from, this took a tenth off what a
 * word without a token of its own costs to tell (28.0 to 25.2 nats of a unigram model of 40,000 tokens).
 */
const shortestCompounded = 3

/** Cuts words into the tokens of one list. */
export type WordSegmenter = {
  /** The token that is this whole word, or -1. */
  wholeWord(word: string): number
  /**
   * The word's tokens in order: itself where it is a token, else its cheapest pieces, shorter words and the UTF-8 bytes
   * of characters without a piece among them. At least one for every word that is not empty.
   */
  segment(word: string): readonly number[]
}

/**
 * A segmenter over a table of tokens whose first 256 are {@link byteTokens}. A cheapest path over the places of the word
 * (Viterbi) finds the pieces.
 *
 * @param costOf - what a token costs, in nats: minus the logarithm of its probability up to a constant. By default the
 * logarithm of its rank, which is that by Zipf's law when the tokens are ordered by use
 * @see Kudo, ACL 2018, section 3.2: the unigram model of subwords
 */
export function wordSegmenter(
  { indexOf, offsets, size }: TokenTable,
  costOf: (id: number) => number = (id) => Math.log(id - byteTokens.length + 2),
): WordSegmenter {
  /** UTF-16 units of the longest token; found when a first word is cut, since most words are whole. */
  const longestToken = once(() => {
    let longest = 1
    for (let id = 0; id < size; id += 1) longest = Math.max(longest, offsets[id + 1]! - offsets[id]!)
    return longest
  })

  const wholeWord = (word: string): number => indexOf(word, 0, word.length)

  function cheapestPieces(word: string): readonly number[] {
    const longest = longestToken()
    const length = word.length
    const cost = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY)
    const cameFrom = new Int32Array(length + 1)
    /** The token that ends at a place of the cheapest path; -1 for the bytes of one character. */
    const lastToken = new Int32Array(length + 1)
    cost[0] = 0
    const reach = (from: number, to: number, id: number, price: number): void => {
      if (cost[from]! + price >= cost[to]!) return
      cost[to] = cost[from]! + price
      cameFrom[to] = from
      lastToken[to] = id
    }
    for (let from = 0; from < length; from += 1) {
      if (cost[from] === Number.POSITIVE_INFINITY) continue // between the halves of a surrogate pair
      const next = from + (word.codePointAt(from)! > 0xffff ? 2 : 1)
      reach(from, next, -1, byteCost * Buffer.byteLength(word.slice(from, next)))
      const rest = from === 0 ? word : continuation + word.slice(from)
      const mark = from === 0 ? 0 : continuation.length
      for (let to = next; to <= length && to - from <= longest; to += 1) {
        const id = indexOf(rest, 0, to - from + mark)
        if (id >= 0) reach(from, to, id, costOf(id))
        if (from < shortestCompounded || to - from < shortestCompounded) continue
        const compounded = indexOf(word, from, to)
        if (compounded >= 0) reach(from, to, compounded, costOf(compounded))
      }
    }
    const ids: number[] = []
    for (let to = length; to > 0; to = cameFrom[to]!) {
      const id = lastToken[to]!
      if (id >= 0) ids.push(id)
      else ids.push(...Buffer.from(word.slice(cameFrom[to], to)).reverse())
    }
    return ids.reverse()
  }

  return {
    wholeWord,
    segment(word) {
      const whole = wholeWord(word)
      return whole >= 0 ? [whole] : cheapestPieces(word)
    },
  }
}
