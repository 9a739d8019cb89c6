import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { TrainingError } from '../training-error.ts'
import {
  collectWordVectors,
  frequentWords,
  type WordVectorCollector,
  type WordVectors,
} from './word-vectors.ts'

/** Lines between two looks at the signal. */
const stride = 10_000

/** Reads lines of a word and its values, without ever holding the whole text. */
export async function readVectorText(
  text: Readable,
  file: string,
  wanted: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<WordVectors> {
  let collector: WordVectorCollector | undefined
  let dimensions = 0
  let number = 0
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (number % stride === 0) signal?.throwIfAborted()
    const parts = line.trimEnd().split(' ')
    if (line.trim() === '' || (number === 1 && parts.length === 2)) continue
    if (collector === undefined) {
      dimensions = parts.length - 1
      collector = collectWordVectors(dimensions, wanted)
    }
    // GloVe has words with blanks (". . ."): the values are the last parts.
    const word = parts.slice(0, parts.length - dimensions).join(' ')
    if (number > frequentWords + 1 && !wanted.has(word)) continue
    const values = parts.slice(parts.length - dimensions).map(Number)
    if (parts.length <= dimensions || dimensions === 0 || !values.every(Number.isFinite))
      throw new TrainingError(
        `${file}: line ${number} is not a word and ${Math.max(1, dimensions)} numbers.`,
        'Give word vectors in the text format of GloVe; if the file was downloaded, download it again.',
      )
    collector.add(word, values)
  }
  if (collector === undefined) throw new TrainingError(`${file}: is empty.`, 'Give a file of word vectors.')
  return collector.collected()
}
