import { isAbsolute, join } from 'node:path'
import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import { isComplete, type ModelFiles, modelFiles } from './model-files.ts'
import type { ModelOptions } from './options.ts'

/** Where a model is loaded from: files on this machine, or the hub because the user allowed it. */
export type ModelSource =
  | ({ readonly kind: 'folder' } & ModelFiles)
  | { readonly kind: 'hub'; readonly model: string; readonly url: string; readonly cacheDir: string }

/**
 * Decides where a model comes from, without touching the network: its own folder, then `localModelPath`, then
 * earlier downloads in `cacheDir`, then the hub when downloads are allowed.
 *
 * @throws EmbeddingModelError when it is nowhere, or when the files found are not usable
 */
export async function findModel(options: ModelOptions): Promise<ModelSource> {
  const { model, dtype, cacheDir, localModelPath, allowDownload, hubUrl } = options
  if (isAbsolute(model)) return { kind: 'folder', ...(await modelFiles(model, dtype)) }
  for (const parent of localModelPath === undefined ? [cacheDir] : [localModelPath, cacheDir]) {
    const folder = join(parent, model)
    if (await isComplete(folder, dtype)) return { kind: 'folder', ...(await modelFiles(folder, dtype)) }
  }
  if (allowDownload) return { kind: 'hub', model, url: hubUrl, cacheDir }
  const local = localModelPath === undefined ? '' : `${join(localModelPath, model)} and `
  throw new EmbeddingModelError(
    `${model}: not on this machine with dtype ${dtype} (looked in ${local}${join(cacheDir, model)}).`,
    `Set allowDownload to true to fetch it once from ${hubUrl}, or copy the model's folder there and try again.`,
  )
}
