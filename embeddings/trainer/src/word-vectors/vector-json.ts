import { readFile } from 'node:fs/promises'
import { isJsonObject } from '../../../../src/domain/json.ts'
import { TrainingError } from '../training-error.ts'
import { collectWordVectors, type WordVectors } from './word-vectors.ts'

/** Reads `{words, vectors: {word: [values, further numbers]}, dimensions}`. */
export async function readVectorJson(file: string, wanted: ReadonlySet<string>): Promise<WordVectors> {
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
