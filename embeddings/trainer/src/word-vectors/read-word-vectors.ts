import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { TrainingError } from '../training-error.ts'
import { readVectorJson } from './vector-json.ts'
import { readVectorText } from './vector-text.ts'
import type { WordVectors } from './word-vectors.ts'

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
