import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { LearnedRanker } from '../../retrieval/rank/learned-ranker.ts'
import { modelOfParts, type PlainModel, cardText } from './model-of-parts.ts'
import { readReaderCard } from './reader-card.ts'
import { type ReadWeights, readWeights } from '../../vectors/weight-file.ts'
import { vectorCache } from '../../vectors/vector-cache.ts'
import { setImmediate } from 'node:timers/promises'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { openReader, type TextReader } from './open-reader.ts'

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
const mostThreads = 2

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

/** Texts that are computed before others may have the thread. */
const textsAtOnce = 64

/**
 * A reader as the model of a search: a small transformer that this process runs itself.
 *
 * @throws EmbeddingModelError when a file is missing, damaged, or not of this version; the message names it
 */
export async function readerModel(folder: string): Promise<EmbeddingModel> {
  const reader = openReader(folder, { threads: Math.min(mostThreads, availableParallelism()) })
  return {
    id: `reader:${reader.name}@${reader.sha256.slice(0, 12)}`,
    dimensions: reader.dimensions,
    embed: (texts, role, signal) =>
      inSteps(texts, role === 'query' ? reader.encodeQueries : reader.encodeCards, signal),
    embedCards: (cards) => inSteps(cards.map(cardText), reader.encodeCards),
    close: () => reader.close(),
  }
}

async function inSteps(
  texts: readonly string[],
  encode: TextReader['encodeCards'],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted()
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += textsAtOnce) {
    if (from > 0) await setImmediate()
    signal?.throwIfAborted()
    vectors.push(...encode(texts.slice(from, from + textsAtOnce)))
  }
  return vectors
}
