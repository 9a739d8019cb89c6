import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { cardText } from './model-of-parts.ts'
import { openReader, type Reader } from './open-reader.ts'
import { mostThreads } from './with-reader.ts'

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
  encode: Reader['encodeCards'],
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
