import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { EmbeddingModelError } from '../retrieval/rank/embedding-model-error.ts'

/**
 * What reranks; null where nothing is configured.
 *
 * @param fetch - the way to a hub, where a download is allowed
 * @throws RemedyError when it cannot be opened
 */
export async function rerankerOf(
  { reranker, cache }: Config,
  fetch: typeof globalThis.fetch,
): Promise<CrossEncoderStage | null> {
  if (reranker === null) return null
  const { isTransformersSpec, settingsOfSpec } = await import('../adapters/transformers/files/model-id.ts')
  if (!isTransformersSpec(reranker)) {
    throw new EmbeddingModelError(
      `AUDITION_RERANKER is "${reranker}", which no adapter knows.`,
      'Write transformers:<folder or hub id>, or unset it to rank without a cross-encoder.',
    )
  }
  const { crossEncoderOptions } = await import('../adapters/transformers/files/options.ts')
  const { transformersCrossEncoder } = await import('../adapters/transformers/transformers-models.ts')
  const options = crossEncoderOptions(settingsOfSpec(reranker), { cacheDir: join(cache, 'models') })
  return { encoder: await transformersCrossEncoder(options, { fetch }), depth: options.depth }
}

/**
 * The reranker of a search that takes one where it can be had: one that cannot be opened fails when it is to read, as one that cannot
 * be reached does, and the search says so.
 */
export async function rerankerOrFailing(
  open: () => Promise<CrossEncoderStage | null>,
): Promise<CrossEncoderStage | null> {
  return open().catch((error: unknown) => ({
    encoder: { id: 'AUDITION_RERANKER', score: () => Promise.reject(error), close: async () => {} },
    depth: 1,
  }))
}
