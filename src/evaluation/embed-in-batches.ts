import type { EmbeddingModel } from '../retrieval/ports.ts'

/** Documents embedded at once: between two such batches a run can be stopped. */
const documentsAtOnce = 256

/** A model that is told of queries before they are searched, so that many are embedded at once. */
export type BatchedModel = EmbeddingModel & {
  /** Embeds the queries of a batch; forgets those of the batch before. */
  prepare(queries: readonly string[]): Promise<void>
}

/**
 * Puts batches before a model. A query that was not prepared is embedded alone.
 *
 * @param signal - stops between two batches of documents
 */
export function embedInBatches(model: EmbeddingModel, signal?: AbortSignal): BatchedModel {
  let prepared: ReadonlyMap<string, Float32Array> = new Map()
  const inSteps = async <T>(
    all: readonly T[],
    embed: (some: readonly T[]) => Promise<readonly Float32Array[]>,
    ownSignal = signal,
  ): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (let start = 0; start < all.length; start += documentsAtOnce) {
      ownSignal?.throwIfAborted()
      vectors.push(...(await embed(all.slice(start, start + documentsAtOnce))))
    }
    return vectors
  }
  return {
    id: model.id,
    dimensions: model.dimensions,
    ...(model.ranker ? { ranker: model.ranker } : {}),
    ...(model.embedInstructed
      ? { embedInstructed: (query, instruction) => model.embedInstructed!(query, instruction, signal) }
      : {}),
    ...(model.embedCards ? { embedCards: (cards) => inSteps(cards, (some) => model.embedCards!(some)) } : {}),
    async prepare(queries) {
      const distinct = [...new Set(queries)]
      const vectors = await model.embed(distinct, 'query', signal)
      prepared = new Map(distinct.map((text, at) => [text, vectors[at]!]))
    },
    async embed(texts, role, ownSignal = signal) {
      if (role === 'query') {
        const known = texts.flatMap((text) => prepared.get(text) ?? [])
        return known.length === texts.length ? known : model.embed(texts, role, ownSignal)
      }
      return inSteps(texts, (some) => model.embed(some, role, ownSignal), ownSignal)
    },
    close: () => model.close(),
  }
}
