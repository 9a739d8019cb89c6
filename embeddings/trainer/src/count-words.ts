import { eachChunk, joinedForm, wordsOfChunk } from '../../../src/vectors/embedding/split-words.ts'

/** Names of letters with digits (`s3`, `k8s`, `mp3`) count as words of their own up to this length. */
const maxMixedLength = 8
const mixed = /\p{N}/u

/**
 * How often each word stands in the texts, and each short name of letters with digits joined (`s3` beside s and 3).
 * Joined names of letters (`GitHub`) are left to those who write them as one word: most others are no words at all.
 */
export function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (word: string): void => {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const text of texts) {
    eachChunk(text, (from, to) => {
      const words = wordsOfChunk(text.slice(from, to))
      words.forEach(add)
      const joined = joinedForm(words)
      if (joined !== undefined && joined.length <= maxMixedLength && mixed.test(joined)) add(joined)
      return true
    })
  }
  return counts
}
