import { basename, isAbsolute } from 'node:path'
import type { TransformersOptions } from './options.ts'

/**
 * The id stored with vectors: everything that changes them, nothing that does not (threads, batches, where the
 * files lie). A folder is known by its name and a fingerprint of its weights, so that it may move, but not change.
 *
 * @param fingerprint - of the weights; used for a folder only, a hub id names its weights
 */
export function modelId(options: TransformersOptions, fingerprint: string): string {
  const { model, dtype, pooling, maxTokens, queryPrefix, documentPrefix } = options
  const settings = new URLSearchParams({ dtype, pooling, maxTokens: String(maxTokens) })
  if (queryPrefix !== '') settings.set('queryPrefix', queryPrefix)
  if (documentPrefix !== '') settings.set('documentPrefix', documentPrefix)
  const name = isAbsolute(model) ? `${basename(model)}@${fingerprint}` : model
  return `transformers:${name}?${settings}`
}
