import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
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
export async function pinnedCommit(repository: Repository): Promise<string | undefined> {
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
export async function prepareDownload(
  repository: Repository,
  send: typeof globalThis.fetch,
): Promise<string> {
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
  const told = await get(`api/models/${model}/revision/${encodeURIComponent(revision)}`)
  const commit = told === undefined ? undefined : commitIn(told)
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
export const revisionFolder = (cacheDir: string, model: string, revision: string): string =>
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
