import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import type { ModelSource } from './files/find-model.ts'
import { installLine } from './files/find-package.ts'
import type { ModelOptions } from './files/options.ts'
import type { Failure } from './protocol.ts'

/** Turns what the worker reports into an error that names the model and the way out. */
export function explainFailure(
  failure: Failure,
  source: ModelSource,
  { model, dtype, hubUrl }: ModelOptions,
): EmbeddingModelError {
  const { during, message, remedy, status } = failure
  const said = message.trim().replace(/\.$/, '')
  if (remedy !== undefined) return new EmbeddingModelError(`${model}: ${message}`, remedy)
  if (during === 'import') {
    return new EmbeddingModelError(
      `@huggingface/transformers is installed but does not load: ${said}.`,
      `Install it again: \`${installLine}\`.`,
    )
  }
  if (during === 'compute') {
    return new EmbeddingModelError(
      `${model}: the model could not compute these texts: ${said}.`,
      'Lower maxTokens or batchSize; if that does not help, the model files do not belong together.',
    )
  }
  if (source.kind === 'folder') {
    return new EmbeddingModelError(
      `${source.folder}: the model cannot be loaded: ${said}.`,
      'A file is damaged, missing or not for ONNX Runtime: copy or download the model again.',
    )
  }
  if (status === 404) {
    const lacksWeights = /\.onnx\b/.test(message)
    const others =
      dtype === 'fp32' ? 'Many repositories hold quantised weights: try dtype=q8.' : tryFp32(model)
    return new EmbeddingModelError(
      `${model}: ${said}.`,
      lacksWeights
        ? `The repository has no weights of dtype ${dtype}. ${others}`
        : `Check the id, and that it has ONNX weights of dtype ${dtype}; on the hub these have the tag "transformers.js".`,
    )
  }
  if (status === 401 || status === 403) {
    return new EmbeddingModelError(
      `${model}: ${said}.`,
      'Check the id: there is no such model, or it is private or gated and needs the variable HF_TOKEN.',
    )
  }
  return new EmbeddingModelError(
    `${model}: could not be fetched from ${hubUrl} and loaded: ${said}.`,
    'Check the network and try again, or copy the model folder from a machine that has it: see docs/models.md.',
  )
}

/** Most repositories hold these weights, some no other. */
const tryFp32 = (model: string): string =>
  `Most hold model.onnx: set dtype=fp32, as in transformers:${model}?dtype=fp32&allowDownload=true.`
