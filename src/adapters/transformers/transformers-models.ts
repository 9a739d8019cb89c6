import { batches } from '../../domain/grouped.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import type { CrossEncoder } from '../../retrieval/rank/cross-encoder.ts'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { EncoderThread } from './encoder-thread.ts'
import { crossEncoderId, modelId } from './files/model-id.ts'
import { type CrossEncoderOptions, instructedQuery, type TransformersOptions } from './files/options.ts'
import { openThread, type TransformersSurroundings } from './open-thread.ts'

/**
 * Loads an ONNX embedding model with transformers.js in a worker thread, so that the event loop stays free while
 * it computes. Queries go before documents; documents wait in slices of `batchSize`, so a query waits for at
 * most one slice while an index is built.
 *
 * @throws EmbeddingModelError when the package is not installed, or the model is missing, broken or not fitting
 */
export async function transformersModel(
  given: TransformersOptions,
  surroundings: TransformersSurroundings = {},
): Promise<EmbeddingModel> {
  const { thread, options, weights } = await openThread(
    given,
    { what: 'embedding model', headOf: ({ pooling }) => ({ kind: 'embedding', pooling }) },
    surroundings,
  )
  const { batchSize, queryPrefix, documentPrefix } = options
  const dimensions = await thread.width()
  if (options.dimensions !== undefined && options.dimensions !== dimensions) {
    await thread.close()
    throw new EmbeddingModelError(
      `${options.model}: its vectors have ${dimensions} dimensions, but the settings ask for ${options.dimensions}.`,
      `Set dimensions to ${dimensions} or leave it out, or choose another model.`,
    )
  }

  const embedBatch = batchEmbedder(thread, dimensions, options.model)

  return {
    id: modelId(options, weights),
    dimensions,
    async embed(texts, role, signal) {
      signal?.throwIfAborted()
      const prefix = role === 'query' ? queryPrefix : documentPrefix
      const size = role === 'query' ? 1 : batchSize
      const vectors: Float32Array[] = Array(texts.length)
      for (const batch of batches(shortestFirst(texts), size)) {
        const prefixed = batch.map((index) => prefix + texts[index]!)
        const found = await embedBatch(prefixed, role === 'query', signal)
        batch.forEach((index, row) => {
          vectors[index] = found[row]!
        })
      }
      return vectors
    },
    ...(instructedQuery(queryPrefix, '', '') === undefined
      ? {}
      : {
          async embedInstructed(query: string, instruction: string, signal?: AbortSignal) {
            signal?.throwIfAborted()
            const [vector] = await embedBatch(
              [instructedQuery(queryPrefix, query, instruction)!],
              true,
              signal,
            )
            return vector!
          },
        }),
    close: () => thread.close(),
  }
}

/** @returns one vector for each text of a batch */
const batchEmbedder =
  (thread: EncoderThread, dimensions: number, model: string) =>
  async (texts: readonly string[], isQuery: boolean, signal?: AbortSignal) => {
    const rows = await thread.compute({ texts }, isQuery, signal)
    if (rows.length === texts.length * dimensions) {
      return texts.map((_, row) => rows.slice(row * dimensions, (row + 1) * dimensions))
    }
    throw new EmbeddingModelError(
      `${model}: its vectors had ${dimensions} dimensions and now have ${rows.length / texts.length}.`,
      'The model files were changed while in use: restart Audition and index again.',
    )
  }

/**
 * Loads an ONNX reranker (a sequence classifier over query and document, or a language model that answers yes or no) with transformers.js in a worker thread.
 *
 * @throws EmbeddingModelError when the package is not installed, or the model is missing, broken or no cross-encoder
 */
export async function transformersCrossEncoder(
  given: CrossEncoderOptions,
  surroundings: TransformersSurroundings = {},
): Promise<CrossEncoder> {
  const { thread, options, weights } = await openThread(
    given,
    {
      what: 'cross-encoder',
      headOf: ({ task }) => ({ kind: 'relevance', ...(task === undefined ? {} : { task }) }),
    },
    surroundings,
  )
  const { batchSize, queryPrefix, documentPrefix, score } = options
  await thread.width()
  return {
    id: crossEncoderId(options, weights),
    async score(query, documents, { signal } = {}) {
      signal?.throwIfAborted()
      const scores = new Float32Array(documents.length)
      for (const batch of batches(shortestFirst(documents), batchSize)) {
        const texts = batch.map((index) => documentPrefix + documents[index]!)
        const logits = await thread.compute({ query: queryPrefix + query, texts }, true, signal)
        batch.forEach((index, row) => {
          scores[index] = score === 'sigmoid' ? sigmoid(logits[row]!) : logits[row]!
        })
      }
      return scores
    },
    close: () => thread.close(),
  }
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** Texts of like length share a batch, so that little is computed for padding. */
const shortestFirst = (texts: readonly string[]): readonly number[] =>
  [...texts.keys()].sort((a, b) => texts[a]!.length - texts[b]!.length || a - b)
