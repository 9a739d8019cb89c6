import { basename, isAbsolute } from 'node:path'
import type { CrossEncoderOptions, ModelOptions, TransformersOptions } from './options.ts'

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
  idOf(options, weights, { score: options.score })

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
