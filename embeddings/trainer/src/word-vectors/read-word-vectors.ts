import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { TrainingError } from '../training-error.ts'
import {
  collectWordVectors,
  frequentWords,
  type WordVectorCollector,
  type WordVectors,
} from './word-vectors.ts'
import { isJsonObject } from '../../../../src/domain/json.ts'

/** Lines between two looks at the signal. */
const stride = 10_000

/** Reads lines of a word and its values, without ever holding the whole text. */
async function readVectorText(
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

/**
 * Reads vectors of words from a file: GloVe's text (a word and its values a line; a first line of two counts, as word2vec
 * writes it, is passed over) or the JSON of wink-embeddings (`words`, `vectors`, `dimensions`). Words come most frequent
 * first in both.
 *
 * @param wanted - the words that are of use
 * @throws TrainingError for a file that cannot be read or is neither; it names the line or the word
 * @see Pennington, Socher & Manning, EMNLP 2014 (GloVe)
 */
export async function readWordVectors(
  file: string,
  wanted: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<WordVectors> {
  try {
    return (await startsWithBrace(file))
      ? await readVectorJson(file, wanted)
      : await readVectorText(createReadStream(file, 'utf8'), file, wanted, signal)
  } catch (error) {
    if (error instanceof TrainingError || signal?.aborted) throw error
    throw new TrainingError(`${file}: cannot be read.`, 'Give a file of word vectors.', { cause: error })
  }
}

async function startsWithBrace(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.toString('utf8', 0, bytesRead).trimStart().startsWith('{')
  } finally {
    await handle.close()
  }
}

/** Reads `{words, vectors: {word: [values, further numbers]}, dimensions}`. */
async function readVectorJson(file: string, wanted: ReadonlySet<string>): Promise<WordVectors> {
  const refuse = (what: string, cause?: unknown): TrainingError =>
    new TrainingError(
      `${file}: ${what}.`,
      'Give the JSON of wink-embeddings, or word vectors in the text format of GloVe.',
      { cause },
    )
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw refuse('cannot be read as JSON', cause)
  }
  if (!isJsonObject(json)) throw refuse('is not a JSON object')
  const { words, vectors, dimensions } = json
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1)
    throw refuse('"dimensions" is not a whole number of at least 1')
  if (!Array.isArray(words) || !isJsonObject(vectors)) throw refuse('"words" or "vectors" is missing')
  const collector = collectWordVectors(dimensions, wanted)
  for (const word of words) {
    const values: unknown =
      typeof word === 'string' && Object.hasOwn(vectors, word) ? vectors[word] : undefined
    if (!isVector(values, dimensions))
      throw refuse(`the vector of ${JSON.stringify(word)} is not ${dimensions} numbers`)
    collector.add(String(word), values)
  }
  return collector.collected()
}

const isVector = (value: unknown, dimensions: number): value is readonly number[] =>
  Array.isArray(value) && value.length >= dimensions && value.slice(0, dimensions).every(Number.isFinite)
