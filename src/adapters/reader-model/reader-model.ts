import { setImmediate } from 'node:timers/promises'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { cardText } from './card-text.ts'
import { openReader, type ReaderOptions } from './open-reader.ts'

/** Cards that are computed before others may have the thread. */
const cardsAtOnce = 64

/**
 * A reader as the model of a search: a small transformer that this process runs itself.
 *
 * @throws EmbeddingModelError when a file is missing, damaged, or not of this version; the message names it
 */
export async function readerModel(folder: string, options?: ReaderOptions): Promise<EmbeddingModel> {
  const reader = openReader(folder, options)
  const cards = async (texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += cardsAtOnce) {
      if (from > 0) await setImmediate()
      signal?.throwIfAborted()
      vectors.push(...reader.encodeCards(texts.slice(from, from + cardsAtOnce)))
    }
    return vectors
  }
  return {
    id: `reader:${reader.name}@${reader.sha256.slice(0, 12)}`,
    dimensions: reader.dimensions,
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      return role === 'query' ? texts.map(reader.encodeQuery) : cards(texts, signal)
    },
    embedCards: (all) => cards(all.map(cardText)),
    close: () => reader.close(),
  }
}
