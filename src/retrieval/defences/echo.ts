import { wordBytes } from '../facts/plain-words.ts'

/** Words in a row from which a card repeats a request. */
const leastRun = 4
/** Longest run needed before anything counts. */
const tellingRun = 5

/** How much of a request, in words, stands in a card's description in the same order, 0..1. */
type EchoReader = (description: Uint8Array) => number

/** Reads off single cards how far they repeat a request word for word. */
export function echoReader(text: string): EchoReader {
  const query = wordBytes(text, text.length)
  const places = new Map<number, number[]>()
  for (let at = 0; at + 2 < query.length; at++) {
    const key = keyAt(query, at)
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  }
  const repeated = new Uint8Array(query.length)
  return (words) => {
    repeated.fill(0)
    let longest = 0
    for (let at = 0; at + 2 < words.length; at++) {
      for (const place of places.get(keyAt(words, at)) ?? []) {
        // Within a run that was followed from its start.
        if (at > 0 && place > 0 && words[at - 1] === query[place - 1]) continue
        let run = 3
        while (
          place + run < query.length &&
          at + run < words.length &&
          query[place + run] === words[at + run]
        )
          run++
        if (run < leastRun) continue
        repeated.fill(1, place, place + run)
        longest = Math.max(longest, run)
      }
    }
    return longest >= tellingRun ? sum(repeated) / query.length : 0
  }
}

const keyAt = (words: Uint8Array, at: number): number =>
  (words[at]! << 16) | (words[at + 1]! << 8) | words[at + 2]!

const sum = (marks: Uint8Array): number => marks.reduce((total, mark) => total + mark, 0)
