import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { LearnedRanker } from '../../retrieval/rank/learned-ranker.ts'
import { modelOfParts, type PlainModel } from './model-of-parts.ts'
import { readReaderCard } from './reader-card.ts'
import { type ReadWeights, readWeights } from '../../vectors/weight-file.ts'
import { vectorCache } from '../../vectors/vector-cache.ts'

/** A reader, and what searches by it need. */
type ReaderOptions = {
  readonly folder: string
  /** SHA-256 of its weights: those that the ranker was trained with. */
  readonly sha256: string
  /** A ranker that looks at readings; without one the embedding's stands for it. */
  readonly ranker: LearnedRanker | undefined
  /** Folder for what was read of cards. */
  readonly readings: string
  /** Most cards of a kind that are read. */
  readonly mostCards: number
  /** Gives its file of weights. @defaultValue it is read from the folder */
  readonly read?: ReadWeights | undefined
}

/** Raised when the same weights read something else of the same text. */
const readingVersion = 1

/** Two threads read cards nearly twice as fast as one; a machine has more to do than that. */
export const mostThreads = 2

/**
 * Puts a reader beside an embedding. Its weights are opened when something is first read.
 *
 * @throws EmbeddingModelError when the reader's card is missing, damaged, or not that of these weights
 */
export function withReader(
  plain: PlainModel,
  { folder, sha256, ranker, readings, mostCards, read = readWeights }: ReaderOptions,
): PlainModel {
  const { hidden: dimensions, cardLimit, files } = readReaderCard(folder)
  if (files.weights.sha256 !== sha256) {
    throw new EmbeddingModelError(
      `${join(folder, 'model.json')}: is the card of another reader than the model was trained with.`,
      'Install Audition again, train the model anew, or set AUDITION_READER=none.',
    )
  }
  const cache = vectorCache({
    file: join(readings, `${sha256.slice(0, 16)}.bin`),
    salt: `${readingVersion} ${cardLimit}`,
    dimensions,
  })
  const open = async () => {
    const { openReader } = await import('./open-reader.ts')
    const file = join(folder, files.weights.file)
    // A file that cannot be read is told of by whoever opens it.
    const weights = await read(file).catch(() => undefined)
    const threads = Math.min(mostThreads, availableParallelism())
    return openReader(folder, { threads, ...(weights ? { weights } : {}) })
  }
  return modelOfParts(plain, { sha256, dimensions, open, cache, ranker, mostCards })
}
