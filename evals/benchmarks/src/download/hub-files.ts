import { z } from 'zod'
import { DatasetError, type DownloadOptions } from '../../../../src/evaluation/datasets/dataset.ts'
import type { ManifestSource } from '../manifest.ts'
import type { RemoteFile } from './fetch-file.ts'
import { get, refusal, withRetries } from './request.ts'

/** A file on a hub, and where it goes below the benchmark's folder. */
export type HubFile = RemoteFile & { readonly path: string }

/** The files of a source at one commit. */
type HubListing = {
  readonly repository: string
  readonly revision: string
  readonly files: readonly HubFile[]
}

/**
 * Finds the files a manifest asks for. The Hugging Face hub is asked for the commit and its list of files, with sizes and
 * checksums; files on GitHub are named by the manifest itself.
 *
 * @throws DatasetError when the source can only be fetched by hand, the hub cannot be reached, or nothing matches
 */
export async function hubListing(source: ManifestSource, options: DownloadOptions): Promise<HubListing> {
  if (source.hub === 'manual') {
    throw new DatasetError(
      `This benchmark cannot be downloaded for you: it is at ${source.address}.`,
      source.instructions,
    )
  }
  const below = (path: string) => (source.folder === undefined ? path : `${source.folder}/${path}`)
  if (source.hub === 'github') {
    const base = options.addresses?.github ?? 'https://raw.githubusercontent.com'
    const files = source.files.map(({ path, sha256 }) => ({
      path: below(path),
      url: `${base}/${source.repository}/${source.revision}/${encoded(path)}`,
      ...(sha256 === undefined ? {} : { sha256 }),
    }))
    return { repository: source.repository, revision: source.revision, files }
  }
  const base = options.addresses?.huggingface ?? 'https://huggingface.co'
  const api = `${base}/api/datasets/${source.repository}`
  const { json } = await jsonAt(`${api}/revision/${encodeURIComponent(source.revision)}`, options)
  const { sha } = parsed(commitSchema, json, api)
  const wanted = source.files.map(patternOf)
  const entries = await treeOf(`${api}/tree/${sha}?recursive=true`, base, options)
  const files = entries
    .filter(({ type, path }) => type === 'file' && wanted.some((pattern) => pattern.test(path)))
    .map(({ path, size, oid, lfs }) => ({
      path: below(safe(path, api)),
      url: `${base}/datasets/${source.repository}/resolve/${sha}/${encoded(path)}`,
      size: lfs?.size ?? size,
      ...(lfs === undefined ? { gitBlob: oid } : { sha256: lfs.oid }),
    }))
  if (files.length > 0) return { repository: source.repository, revision: sha, files }
  throw new DatasetError(
    `${source.repository} has no file like ${source.files.join(', ')} at ${sha}.`,
    'The benchmark may have been rearranged: download it by hand and give its folder.',
  )
}

const commitSchema = z.object({ sha: z.string().regex(/^[\da-f]{7,64}$/) })

const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number().int().nonnegative(),
    oid: z.string(),
    lfs: z
      .object({ oid: z.string().regex(/^[\da-f]{64}$/), size: z.number().int().nonnegative() })
      .optional(),
  }),
)

/** Every page of a list of files; the hub names the next one in a header. */
async function treeOf(
  first: string,
  base: string,
  options: DownloadOptions,
): Promise<z.infer<typeof treeSchema>> {
  const entries: z.infer<typeof treeSchema> = []
  for (let url: string | undefined = first; url !== undefined; ) {
    const page: { readonly json: unknown; readonly next?: string } = await jsonAt(url, options)
    entries.push(...parsed(treeSchema, page.json, url))
    url = page.next === undefined ? undefined : new URL(page.next, base).href
    if (url !== undefined && new URL(url).origin !== new URL(base).origin) {
      throw new DatasetError(`${first}: the list of files goes on at another server.`, 'Download it by hand.')
    }
  }
  return entries
}

const jsonAt = (
  url: string,
  options: DownloadOptions,
): Promise<{ readonly json: unknown; readonly next?: string }> =>
  withRetries(
    () =>
      get(url, { accept: 'application/json' }, options, async ({ response, pieces }) => {
        if (!response.ok) throw refusal(url, response.status)
        const text = await textOf(url, pieces())
        const [, next] = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
        try {
          return { json: JSON.parse(text) as unknown, ...(next === undefined ? {} : { next }) }
        } catch (cause) {
          throw new DatasetError(`${url}: the answer is not JSON.`, 'Try again later.', { cause })
        }
      }),
    options,
  )

/** Bytes a list of files may have. */
const mostBytes = 32 * 1024 * 1024

async function textOf(url: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const bytes of pieces) {
    size += bytes.length
    if (size > mostBytes) throw new DatasetError(`${url}: the answer is too long.`, 'Download it by hand.')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parsed<T>(schema: z.ZodType<T>, json: unknown, url: string): T {
  const { success, data, error } = schema.safeParse(json)
  if (success) return data
  throw new DatasetError(
    `${url}: the answer has another form than expected.`,
    'Download it by hand and give its folder.',
    {
      cause: error,
    },
  )
}

/** A path the hub names must stay below the folder it is put in. */
function safe(path: string, where: string): string {
  const isInside =
    !/[\\\p{Cc}]|^[a-z]:/iu.test(path) &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  if (isInside) return path
  throw new DatasetError(
    `${where}: the path ${JSON.stringify(path)} leads out of its folder.`,
    'Download it by hand.',
  )
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** `*` stands for a part of a name, `**` for any path. */
function patternOf(glob: string): RegExp {
  const pieces = glob.split(/(\*\*\/?|\*)/).map((piece) => {
    if (piece === '**/') return '(?:.*/)?'
    if (piece === '**') return '.*'
    return piece === '*' ? '[^/]*' : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${pieces.join('')}$`)
}
