import { isAbsolute, join } from 'node:path'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'
import { pinnedCommit, prepareDownload, revisionFolder } from './hub-repository.ts'
import { isComplete, type ModelFiles, modelFiles, otherDtypes } from './model-files.ts'
import type { ModelOptions } from './options.ts'

/** Where a model is loaded from: files on this machine, or the hub because the user allowed it. */
export type ModelSource =
  | ({
      readonly kind: 'folder'
      /** The commit of the hub that the files are of, where that is known. */
      readonly commit?: string
    } & ModelFiles)
  | {
      readonly kind: 'hub'
      readonly model: string
      readonly url: string
      readonly cacheDir: string
      /** A commit, or what was asked for when the hub did not tell one. */
      readonly revision: string
      /** Where its files come to lie. */
      readonly folder: string
    }

/**
 * Decides where a model comes from: its own folder, then `localModelPath`, then earlier downloads in `cacheDir`, then
 * the hub when downloads are allowed. Only then the network is asked: for the commit, and for how the model wants to be used.
 *
 * @param fetch - the way to the hub
 * @throws EmbeddingModelError when it is nowhere, or when the files found are not usable
 */
export async function findModel(
  options: ModelOptions,
  fetch: typeof globalThis.fetch | undefined,
): Promise<ModelSource> {
  const { model, dtype, revision, cacheDir, localModelPath, allowDownload, hubUrl } = options
  if (isAbsolute(model)) return { kind: 'folder', ...(await modelFiles(model, dtype)) }
  const commit = await pinnedCommit(options)
  const places = [
    ...(localModelPath === undefined ? [] : [{ folder: join(localModelPath, model) }]),
    ...(commit === undefined ? [] : [{ folder: revisionFolder(cacheDir, model, commit), commit }]),
    {
      folder: revisionFolder(cacheDir, model, revision ?? 'main'),
      ...(revision === undefined ? {} : { commit: revision }),
    },
  ]
  for (const { folder, ...known } of places)
    if (await isComplete(folder, dtype))
      return { kind: 'folder', ...known, ...(await modelFiles(folder, dtype)) }
  if (allowDownload) {
    const wanted = fetch === undefined ? (revision ?? 'main') : await prepareDownload(options, fetch)
    const folder = revisionFolder(cacheDir, model, wanted)
    return { kind: 'hub', model, url: hubUrl, cacheDir, revision: wanted, folder }
  }
  const others = (await Promise.all(places.map(({ folder }) => otherDtypes(folder)))).flat()
  throw new EmbeddingModelError(
    `${model}: not on this machine with dtype ${dtype} (looked in ${places.map(({ folder }) => folder).join(' and ')}).`,
    others.length > 0
      ? `Set dtype=${others[0]}, which is there, or set allowDownload to true to fetch it from ${hubUrl}.`
      : `Set allowDownload to true to fetch it once from ${hubUrl}, or copy the model's folder there and try again.`,
  )
}
