import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { encoderThread } from './encoder-thread.ts'
import { explainFailure } from './explain-failure.ts'
import { findModel } from './find-model.ts'
import { transformersUrl } from './find-package.ts'
import { modelId } from './model-id.ts'
import type { TransformersOptions } from './options.ts'
import type { DownloadProgress } from './protocol.ts'
import { weightsFingerprint } from './weights-fingerprint.ts'

/** What the model takes from its surroundings; all but `onDownload` is for tests. */
export type TransformersSurroundings = {
  /** Called while files of an allowed download arrive. */
  readonly onDownload?: (progress: DownloadProgress) => void
  /** URL of the transformers.js module. @defaultValue the version 4 installed for Audition */
  readonly packageUrl?: string
  /** Entry of the worker thread. @defaultValue the compiled `worker.js` beside this file */
  readonly workerEntry?: URL
}

/** Run from source, by a Node that takes TypeScript, the worker is the source beside this one. */
const besideThis = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/**
 * Loads an ONNX embedding model with transformers.js in a worker thread, so that the event loop stays free while
 * it computes. Queries go before documents; documents wait in slices of `batchSize`, so a query waits for at
 * most one slice while an index is built.
 *
 * @throws EmbeddingModelError when the package is not installed, or the model is missing, broken or not fitting
 */
export async function transformersModel(
  options: TransformersOptions,
  surroundings: TransformersSurroundings = {},
): Promise<EmbeddingModel> {
  const { dtype, pooling, maxTokens, threads, batchSize, queryPrefix, documentPrefix } = options
  const packageUrl = surroundings.packageUrl ?? transformersUrl(import.meta.url)
  const source = await findModel(options)
  const id = modelId(options, source.kind === 'folder' ? await weightsFingerprint(source.weights) : '')
  const thread = encoderThread({
    entry: surroundings.workerEntry ?? besideThis,
    settings: { packageUrl, source, dtype, pooling, maxTokens, threads },
    explain: (failure) => explainFailure(failure, source, options),
    onDownload: surroundings.onDownload ?? (() => {}),
  })
  const dimensions = await thread.dimensions()
  if (options.dimensions !== undefined && options.dimensions !== dimensions) {
    await thread.close()
    throw new EmbeddingModelError(
      `${options.model}: its vectors have ${dimensions} dimensions, but the settings ask for ${options.dimensions}.`,
      `Set dimensions to ${dimensions} or leave it out, or choose another model.`,
    )
  }

  async function embedBatch(texts: readonly string[], isQuery: boolean, signal?: AbortSignal) {
    const rows = await thread.encode(texts, isQuery, signal)
    if (rows.length === texts.length * dimensions) {
      return texts.map((_, row) => rows.slice(row * dimensions, (row + 1) * dimensions))
    }
    throw new EmbeddingModelError(
      `${options.model}: its vectors had ${dimensions} dimensions and now have ${rows.length / texts.length}.`,
      'The model files were changed while in use: restart Audition and index again.',
    )
  }

  return {
    id,
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
    close: () => thread.close(),
  }
}

/** Texts of like length share a batch, so that little is computed for padding. */
const shortestFirst = (texts: readonly string[]): readonly number[] =>
  [...texts.keys()].sort((a, b) => texts[a]!.length - texts[b]!.length || a - b)

function* batches(indexes: readonly number[], size: number): Generator<readonly number[]> {
  for (let start = 0; start < indexes.length; start += size) yield indexes.slice(start, start + size)
}
