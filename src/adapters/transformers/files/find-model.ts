import { dirname, isAbsolute, join } from 'node:path'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'
import { isComplete, type ModelFiles, modelFiles, otherDtypes } from './model-files.ts'
import type { ModelOptions } from './options.ts'
import { settingsFiles } from './repository-settings.ts'

type Repository = Pick<ModelOptions, 'model' | 'revision' | 'cacheDir' | 'hubUrl'>

const commitSchema = z.object({ sha: z.string().regex(/^[\da-f]{40}$/) })
/** Largest file of settings that is read. */
const mostBytes = 1024 * 1024

/** Where the commit is noted that a download of a branch was made of. */
const noteOf = ({ model, revision, cacheDir }: Repository): string =>
  join(cacheDir, model, `revision-${encodeURIComponent(revision ?? 'main')}`)

/** The commit that an earlier download was made of; undefined without one. */
async function pinnedCommit(repository: Repository): Promise<string | undefined> {
  const text = await readFile(noteOf(repository), 'utf8').catch(() => '')
  return /^[\da-f]{40}$/.exec(text.trim())?.[0]
}

/**
 * Looks up which commit a branch or tag is now, so that a download is of one commit and stays so, and fetches the small files in
 * which the repository says how it wants to be used.
 *
 * @param send - the way to the hub
 * @returns the commit; the revision as it was asked for when the hub does not tell
 */
async function prepareDownload(repository: Repository, send: typeof globalThis.fetch): Promise<string> {
  const { model, revision = 'main', cacheDir, hubUrl } = repository
  const get = async (path: string): Promise<string | undefined> => {
    const token = process.env.HF_TOKEN ?? process.env.HF_ACCESS_TOKEN
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    // What cannot be had here is asked for again by the download, whose errors tell more.
    const response = await send(`${hubUrl}${path}`, { headers }).catch(() => undefined)
    if (response?.ok !== true || Number(response.headers.get('content-length') ?? 0) > mostBytes)
      return undefined
    return response.text().catch(() => undefined)
  }
  const answer = await get(`api/models/${model}/revision/${encodeURIComponent(revision)}`)
  const commit = answer === undefined ? undefined : commitIn(answer)
  const wanted = commit ?? revision
  const folder = revisionFolder(cacheDir, model, wanted)
  for (const file of settingsFiles) {
    const text = await get(`${model}/resolve/${encodeURIComponent(wanted)}/${file}`)
    if (text !== undefined) await writeWhole(join(folder, file), text)
  }
  if (commit !== undefined) await writeWhole(noteOf(repository), `${commit}\n`)
  return wanted
}

/** Where transformers.js keeps the files of a revision. */
const revisionFolder = (cacheDir: string, model: string, revision: string): string =>
  revision === 'main' ? join(cacheDir, model) : join(cacheDir, model, revision)

function commitIn(text: string): string | undefined {
  try {
    return commitSchema.safeParse(JSON.parse(text)).data?.sha
  } catch {
    return undefined
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  await writeFile(part, text)
  await rename(part, file)
}

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
