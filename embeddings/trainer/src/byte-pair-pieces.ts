import { continuation } from '../../../src/vectors/embedding/segment-word.ts'
import { heapOf } from './heap.ts'

export type CountedWord = readonly [word: string, count: number]

/** Room for symbols in a pair's key: left * span + right stays a safe integer. */
const span = 2 ** 24

type Pair = {
  readonly left: number
  readonly right: number
  count: number
  /** Words in which the pair arose; in some it may have gone since, or a word may stand here twice. */
  readonly words: number[]
}

/** A pair with the count it had when it was queued. */
type Queued = { readonly pair: Pair; readonly count: number }

/** The most frequent first, ties by the symbols' order of appearance. */
const isBefore = (a: Queued, b: Queued): boolean =>
  a.count !== b.count
    ? a.count > b.count
    : a.pair.left !== b.pair.left
      ? a.pair.left < b.pair.left
      : a.pair.right < b.pair.right

/** Characters of a word as symbols, all but the first with the mark of a continuation. */
const charactersOf = (word: string): string[] =>
  Array.from(word, (character, place) => (place === 0 ? character : continuation + character))

/** Characters in code-unit order with how often they stand in the words. */
function countCharacters(words: readonly CountedWord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word, count] of words)
    for (const symbol of charactersOf(word)) counts.set(symbol, (counts.get(symbol) ?? 0) + count)
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Pieces of words with their counts when they arose, by byte-pair encoding: the characters, then again and again the most frequent neighbours as one
 * piece. Pieces inside a word carry the mark {@link continuation}. Counts of pairs are mended where a merge changes
 * them, so that a merge costs no more than the words it touches. The order of `words` does not matter.
 *
 * @param words - each once
 * @param size - pieces at most, characters included
 * @param minimumCount - a pair or character that is rarer makes no piece
 * @see Sennrich, Haddow & Birch, ACL 2016, section 3.2
 */
export function bytePairPieces(
  words: readonly CountedWord[],
  size: number,
  minimumCount: number,
  onPiece: (done: number) => void = () => {},
): CountedWord[] {
  const characters = countCharacters(words)
  const texts = [...characters.keys()]
  const symbols = new Map(texts.map((text, symbol) => [text, symbol]))
  const split = words.map(([word]) => charactersOf(word).map((symbol) => symbols.get(symbol)!))

  const pairs = new Map<number, Pair>()
  const queue = heapOf(isBefore)
  let changed = new Set<Pair>()
  const addPair = (left: number, right: number, word: number): void => {
    const key = left * span + right
    let pair = pairs.get(key)
    if (pair === undefined) {
      pair = { left, right, count: 0, words: [] }
      pairs.set(key, pair)
    }
    pair.count += words[word]![1]
    if (pair.words.at(-1) !== word) pair.words.push(word)
    changed.add(pair)
  }
  const removePair = (left: number, right: number, word: number): void => {
    const pair = pairs.get(left * span + right)
    // A count that falls is noticed when the pair comes up.
    if (pair !== undefined) pair.count -= words[word]![1]
  }
  const queueChanged = (): void => {
    for (const pair of changed) if (pair.count >= minimumCount) queue.push({ pair, count: pair.count })
    changed = new Set()
  }

  /** Joins every left-right of a word, and counts its neighbours anew. */
  function mergeIn(word: number, left: number, right: number, merged: number): void {
    const before = split[word]!
    const after: number[] = []
    for (let place = 0; place < before.length; place += 1) {
      if (before[place] === left && before[place + 1] === right) {
        after.push(merged)
        place += 1
      } else after.push(before[place]!)
    }
    if (after.length === before.length) return
    for (let place = 1; place < before.length; place += 1)
      removePair(before[place - 1]!, before[place]!, word)
    split[word] = after
    for (let place = 1; place < after.length; place += 1) addPair(after[place - 1]!, after[place]!, word)
  }

  split.forEach((parts, word) => {
    for (let place = 1; place < parts.length; place += 1) addPair(parts[place - 1]!, parts[place]!, word)
  })
  queueChanged()

  const pieces: CountedWord[] = [...characters].filter(([, count]) => count >= minimumCount).slice(0, size)
  while (pieces.length < size) {
    const top = queue.pop()
    if (top === undefined) break
    const { pair, count } = top
    if (pair.count !== count) {
      if (pair.count >= minimumCount && pair.count < count) queue.push({ pair, count: pair.count })
      continue
    }
    const text = texts[pair.left]! + texts[pair.right]!.slice(continuation.length)
    const merged = symbols.get(text) ?? texts.length
    if (merged === texts.length) {
      texts.push(text)
      symbols.set(text, merged)
      pieces.push([text, count])
      onPiece(pieces.length)
    }
    pairs.delete(pair.left * span + pair.right)
    pair.count = 0 // the pair may stand in the queue a second time
    for (const word of pair.words) mergeIn(word, pair.left, pair.right, merged)
    queueChanged()
  }
  return pieces
}
