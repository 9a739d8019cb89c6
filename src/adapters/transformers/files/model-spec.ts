import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'

const scheme = 'transformers:'
const numbers = ['maxTokens', 'dimensions', 'batchSize', 'threads', 'depth']
const switches = ['allowDownload']

/** Whether a model setting names a transformers.js model. */
export const isTransformersSpec = (spec: string): boolean => spec.startsWith(scheme)

/**
 * Reads a model written on one line, for an environment variable or a flag:
 * `transformers:<folder or hub id>?dtype=fp32&pooling=cls`. After the question mark stand settings, encoded as in a URL.
 *
 * @returns an object for `transformersOptions` or `crossEncoderOptions`, which checks it
 * @throws EmbeddingModelError when the scheme or the model is missing
 */
export function settingsOfSpec(spec: string): { readonly [key: string]: unknown } {
  const [model = '', ...rest] = isTransformersSpec(spec) ? spec.slice(scheme.length).split('?') : []
  if (model === '') {
    throw new EmbeddingModelError(
      `"${spec}" names no transformers model.`,
      'Write transformers:<absolute folder or hub id>, for example transformers:Xenova/all-MiniLM-L6-v2.',
    )
  }
  const given = Object.fromEntries(new URLSearchParams(rest.join('?')))
  const typed = Object.entries(given).map(([key, value]) => [key, typedValue(key, value)])
  return { ...Object.fromEntries(typed), model }
}

/** A value that does not parse stays text, so that the check of the settings names it. */
function typedValue(key: string, text: string): unknown {
  if (numbers.includes(key) && /^\d+$/.test(text)) return Number(text)
  if (switches.includes(key) && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
