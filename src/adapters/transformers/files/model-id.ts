import { basename, isAbsolute } from 'node:path'
import type { CrossEncoderOptions, ModelOptions, TransformersOptions } from './options.ts'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'

/** What tells weights of one name apart: a fingerprint of a folder's files, the commit of a hub's repository where it is known. */
export type KnownWeights = { readonly fingerprint: string; readonly commit?: string }

/**
 * The id stored with vectors: everything that changes them, nothing that does not (threads, batches, where the
 * files lie). A folder is known by its name and a fingerprint of its weights, so that it may move, but not change.
 *
 * @param weights - by which files of one name are told apart
 */
export const modelId = (options: TransformersOptions, weights: KnownWeights): string =>
  idOf(options, weights, { pooling: options.pooling })

/**
 * The same for a cross-encoder: everything that changes its scores. How many candidates it reads does not.
 *
 * @param weights - by which files of one name are told apart
 */
export const crossEncoderId = (options: CrossEncoderOptions, weights: KnownWeights): string =>
  idOf(options, weights, {
    score: options.score,
    ...(options.task === undefined ? {} : { task: options.task }),
  })

function idOf(
  options: ModelOptions,
  { fingerprint, commit }: KnownWeights,
  own: { readonly [key: string]: string },
): string {
  const { model, dtype, maxTokens, queryPrefix, documentPrefix } = options
  const settings = new URLSearchParams({ dtype, ...own, maxTokens: String(maxTokens) })
  if (queryPrefix !== '') settings.set('queryPrefix', queryPrefix)
  if (documentPrefix !== '') settings.set('documentPrefix', documentPrefix)
  const version = isAbsolute(model) ? fingerprint : commit?.slice(0, 12)
  const name = isAbsolute(model) ? basename(model) : model
  return `transformers:${name}${version === undefined ? '' : `@${version}`}?${settings}`
}

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
export function settingsOfSpec(
  spec: string,
  { variable, example } = { variable: 'AUDITION_MODEL', example: 'Xenova/all-MiniLM-L6-v2' },
): { readonly [key: string]: unknown } {
  const [model = '', ...rest] = isTransformersSpec(spec) ? spec.slice(scheme.length).split('?') : []
  if (model === '') {
    throw new EmbeddingModelError(
      `${variable} is "${spec}", which names no model.`,
      `Write transformers:<absolute folder or hub id>, for example transformers:${example}.`,
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
