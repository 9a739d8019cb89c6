import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatasetError, type DownloadOptions } from '../../../../src/evaluation/datasets/dataset.ts'
import { get, PassingFailure, refusal, withRetries } from './request.ts'

/** A file on a hub. */
export type RemoteFile = {
  readonly url: string
  /** Bytes, when the hub says so. */
  readonly size?: number
  /** When the hub or the manifest says so. */
  readonly sha256?: string
  /** Git's name of the contents, which hubs give for small files: SHA-1 over a header and the bytes. */
  readonly gitBlob?: string
}

/** What was put in place. */
export type FetchedFile = { readonly size: number; readonly sha256: string }

/**
 * Downloads a file and puts it in place whole: until its checksum is right it stands as `<to>.part`. A part that an
 * earlier call left is continued when the server still has the same file, and started anew when it has not, or does not
 * know ranges.
 *
 * @param onBytes - called with the bytes of the file that are here, resumed ones included
 * @throws DatasetError when the server refuses, cannot be reached, or gives something else than was expected
 */
export async function fetchFile(
  remote: RemoteFile,
  to: string,
  options: DownloadOptions,
  onBytes: (bytes: number) => void = () => {},
): Promise<FetchedFile> {
  await mkdir(dirname(to), { recursive: true })
  const part = `${to}.part`
  const startedWith = await sizeOf(part)
  await withRetries(() => fetchPart(remote, part, options, onBytes), options)
  let found = await digestsOf(part, remote)
  if (found.wrong !== undefined && startedWith > 0) {
    // What an earlier call left may be of another version: once from the start before giving up.
    await forget(part)
    await withRetries(() => fetchPart(remote, part, options, onBytes), options)
    found = await digestsOf(part, remote)
  }
  if (found.wrong !== undefined) {
    await forget(part)
    throw new DatasetError(
      `${remote.url}: what arrived is not the file that was expected (${found.wrong}).`,
      'Download it again; if that does not help, the file was changed on the server.',
    )
  }
  await rename(part, to)
  await rm(tagOf(part), { force: true })
  return { size: found.size, sha256: found.sha256 }
}

/** SHA-256 of a file and its size. */
export async function fingerprintOfFile(path: string): Promise<FetchedFile> {
  const sha256 = createHash('sha256')
  let size = 0
  for await (const bytes of createReadStream(path)) {
    sha256.update(bytes as Buffer)
    size += (bytes as Buffer).length
  }
  return { size, sha256: sha256.digest('hex') }
}

/** One attempt: continues the part file to its end, or throws. */
async function fetchPart(
  remote: RemoteFile,
  part: string,
  options: DownloadOptions,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const tag = await readFile(tagOf(part), 'utf8').catch(() => '')
  const isSafeToContinue = tag !== '' || remote.sha256 !== undefined || remote.gitBlob !== undefined
  let here = isSafeToContinue ? await sizeOf(part) : 0
  if (remote.size !== undefined && here > remote.size) here = 0
  if (here > 0 && here === remote.size) return
  const range: Record<string, string> =
    here === 0 ? {} : { range: `bytes=${here}-`, ...(tag === '' ? {} : { 'if-range': tag }) }
  await get(remote.url, range, options, async ({ response, pieces }) => {
    if (response.status === 416 && here > 0) {
      await forget(part)
      throw new PassingFailure(
        new DatasetError(`${remote.url}: the server refuses to continue.`, 'Download it again.'),
      )
    }
    if (!response.ok || response.body === null) throw refusal(remote.url, response.status)
    const continues = response.status === 206
    const { start, total } = extentOf(response)
    if (continues && start !== here) {
      await forget(part)
      throw new PassingFailure(
        new DatasetError(`${remote.url}: the server sent another range.`, 'Download it again.'),
      )
    }
    let written = continues ? here : 0
    if (!continues) await writeFile(tagOf(part), strongTag(response))
    const file = await open(part, written > 0 ? 'a' : 'w')
    try {
      for await (const bytes of pieces()) {
        await file.write(bytes)
        written += bytes.length
        onBytes(written)
      }
    } finally {
      await file.close()
    }
    const expected = total ?? remote.size
    if (expected !== undefined && written !== expected) {
      throw new PassingFailure(
        new DatasetError(
          `${remote.url}: only ${written} of ${expected} bytes arrived.`,
          'Run the download again: it goes on where it stopped.',
        ),
      )
    }
  })
}

/** Where the body starts, and how large the whole file is, as far as the headers say. */
function extentOf(response: Response): { readonly start: number; readonly total?: number } {
  const [, start, total] =
    /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (start !== undefined) {
    return { start: Number(start), ...(total === undefined || total === '*' ? {} : { total: Number(total) }) }
  }
  const length = response.headers.get('content-length')
  return { start: 0, ...(length === null || response.status === 206 ? {} : { total: Number(length) }) }
}

/** Only a strong tag says that bytes are the same. */
const strongTag = (response: Response): string => {
  const tag = response.headers.get('etag') ?? ''
  return tag.startsWith('"') ? tag : ''
}

async function digestsOf(
  path: string,
  remote: RemoteFile,
): Promise<FetchedFile & { readonly wrong?: string }> {
  const found = await fingerprintOfFile(path)
  if (remote.size !== undefined && found.size !== remote.size) {
    return { ...found, wrong: `${found.size} bytes, not ${remote.size}` }
  }
  if (remote.sha256 !== undefined && found.sha256 !== remote.sha256) {
    return { ...found, wrong: `sha256 ${found.sha256}, not ${remote.sha256}` }
  }
  if (remote.sha256 === undefined && remote.gitBlob !== undefined) {
    const blob = createHash('sha1').update(`blob ${found.size}\0`)
    for await (const bytes of createReadStream(path)) blob.update(bytes as Buffer)
    const name = blob.digest('hex')
    if (name !== remote.gitBlob) return { ...found, wrong: `git blob ${name}, not ${remote.gitBlob}` }
  }
  return found
}

const tagOf = (part: string): string => `${part}.etag`

async function forget(part: string): Promise<void> {
  await rm(part, { force: true })
  await rm(tagOf(part), { force: true })
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0
