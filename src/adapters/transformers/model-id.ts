import { basename, isAbsolute } from 'node:path'
import type { CrossEncoderOptions, ModelOptions, TransformersOptions } from './options.ts'

/**
 * The id stored with vectors: everything that changes them, nothing that does not (threads, batches, where the
 * files lie). A folder is known by its name and a fingerprint of its weights, so that it may move, but not change.
 *
 * @param fingerprint - of the weights; used for a folder only, a hub id names its weights
 */
export const modelId = (options: TransformersOptions, fingerprint: string): string =>
  idOf(options, fingerprint, { pooling: options.pooling })

/**
 * The same for a cross-encoder: everything that changes its scores. How many candidates it reads does not.
 *
 * @param fingerprint - of the weights; used for a folder only
 */
export const crossEncoderId = (options: CrossEncoderOptions, fingerprint: string): string =>
  idOf(options, fingerprint, { score: options.score })

function idOf(options: ModelOptions, fingerprint: string, own: { readonly [key: string]: string }): string {
  const { model, dtype, maxTokens, queryPrefix, documentPrefix } = options
  const settings = new URLSearchParams({ dtype, ...own, maxTokens: String(maxTokens) })
  if (queryPrefix !== '') settings.set('queryPrefix', queryPrefix)
  if (documentPrefix !== '') settings.set('documentPrefix', documentPrefix)
  const name = isAbsolute(model) ? `${basename(model)}@${fingerprint}` : model
  return `transformers:${name}?${settings}`
}
