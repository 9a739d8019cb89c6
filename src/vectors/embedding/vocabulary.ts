import { byteTokens, wordSegmenter } from './segment-word.ts'
import { eachChunk, joinedForm, maxWordLength, wordsOfChunk } from './split-words.ts'
import { type TokenTable, tokenTable } from '../../domain/text/token-table.ts'

/** The tokens an embedding knows, and how a text becomes their ids. */
export type Vocabulary = {
  /** Number of tokens; ids are 0 to size - 1. */
  readonly size: number
  /**
   * Tokens by id: the 256 bytes (`<0x00>` to `<0xff>`), then words as `splitWords` gives them and pieces that continue a
   * word (`##ing`), most used first.
   */
  readonly tokens: readonly string[]
  /**
   * Token ids of a text in order, repeats kept, at most `limit` (an integer >= 0). A word the vocabulary has whole is
   * one token; another is cut into its likeliest pieces, characters without a piece into their UTF-8 bytes, so that no
   * word is lost. After the parts of a name of two or three words that the vocabulary also has joined (`GitHub`: git,
   * hub) stands the joined word (github).
   */
  encode(text: string, limit: number): Uint32Array
}

/** Chunks of text recur: their ids are kept. Bounded, and emptied when full. */
const cacheLimit = 100_000
const longestCached = 40

/**
 * @param tokens - as {@link Vocabulary.tokens}
 * @throws Error when the list does not start with the 256 bytes, or a token is empty or stands there twice
 */
export function vocabularyOf(tokens: readonly string[]): Vocabulary {
  return vocabularyIn(tokenTable(tokens))
}

/** @throws Error when the table does not start with the 256 bytes */
export function vocabularyIn(table: TokenTable): Vocabulary {
  byteTokens.forEach((byte, id) => {
    const token = table.at(id)
    if (token !== byte) throw new Error(`Token ${id} is ${JSON.stringify(token)} and not the byte ${byte}.`)
  })
  const { size } = table
  const segmenter = wordSegmenter(table)

  const cache = new Map<string, readonly number[]>()
  function idsOfChunk(chunk: string): readonly number[] {
    const known = cache.get(chunk)
    if (known !== undefined) return known
    const words = wordsOfChunk(chunk)
    const ids = words.flatMap(segmenter.segment)
    const joinedWord = joinedForm(words)
    const joinedId = joinedWord === undefined ? -1 : segmenter.wholeWord(joinedWord)
    if (joinedId >= 0) ids.push(joinedId)
    if (chunk.length <= longestCached) {
      if (cache.size >= cacheLimit) cache.clear()
      // A copy, since a part of a text keeps the whole text in memory.
      cache.set(Buffer.from(chunk, 'utf16le').toString('utf16le'), ids)
    }
    return ids
  }

  let tokens: readonly string[] | undefined
  /** Ids of the text being encoded. */
  let found = new Uint32Array(256)
  return {
    size,
    get tokens() {
      tokens ??= Array.from({ length: size }, (_, id) => table.at(id))
      return tokens
    },
    encode(text, limit) {
      let count = 0
      eachChunk(text, (from, to, isPlain) => {
        // Most chunks of prose are a token as they stand.
        const whole = isPlain && to - from <= maxWordLength ? table.indexOf(text, from, to) : -1
        if (whole >= 0) {
          if (count === found.length) found = grown(found, count)
          if (count < limit) found[count++] = whole
          return count < limit
        }
        const ids = idsOfChunk(text.slice(from, to))
        const taken = Math.min(ids.length, limit - count)
        if (count + taken > found.length) found = grown(found, count + taken)
        for (let place = 0; place < taken; place += 1) found[count + place] = ids[place]!
        count += taken
        return count < limit
      })
      return found.slice(0, count)
    },
  }
}

function grown(list: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * least)
  larger.set(list)
  return larger
}
