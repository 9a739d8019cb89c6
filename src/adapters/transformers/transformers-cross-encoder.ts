import type { CrossEncoder } from '../../retrieval/rank/cross-encoder.ts'
import { batches, shortestFirst } from './batches.ts'
import { crossEncoderId } from './files/model-id.ts'
import { openThread, type TransformersSurroundings } from './open-thread.ts'
import type { CrossEncoderOptions } from './files/options.ts'

/**
 * Loads an ONNX cross-encoder (a sequence classifier over query and document) with transformers.js in a worker thread.
 *
 * @throws EmbeddingModelError when the package is not installed, or the model is missing, broken or no cross-encoder
 */
export async function transformersCrossEncoder(
  given: CrossEncoderOptions,
  surroundings: TransformersSurroundings = {},
): Promise<CrossEncoder> {
  const { thread, options, weights } = await openThread(
    given,
    () => ({ kind: 'relevance' }),
    'cross-encoder',
    surroundings,
  )
  const { batchSize, queryPrefix, documentPrefix, score } = options
  await thread.width()
  return {
    id: crossEncoderId(options, weights),
    async score(query, documents, signal) {
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
