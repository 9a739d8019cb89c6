import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { boundsOf } from '../../../../src/domain/bounds.ts'
import { DatasetError, type DownloadOptions } from '../../../../src/evaluation/datasets/dataset.ts'
import type { Manifest } from '../manifest.ts'
import { type FetchedFile, fetchFile, fingerprintOfFile } from './fetch-file.ts'
import { type HubFile, hubListing } from './hub-files.ts'

/** Files downloaded at a time: enough to fill a line, few enough to be a good guest. */
const atOnce = 2

const recordSchema = z.object({
  format: z.literal('audition-download/1'),
  name: z.string(),
  sources: z.array(z.object({ repository: z.string(), revision: z.string() })),
  files: z.record(z.string(), z.object({ url: z.string(), size: z.number(), sha256: z.string() })),
})

/** What stands in a downloaded benchmark's `download.json`: which commits, and the checksum of every file. */
type DownloadRecord = z.infer<typeof recordSchema>

/** What a download did. */
type DownloadReport = {
  readonly folder: string
  readonly sources: readonly { readonly repository: string; readonly revision: string }[]
  readonly files: number
  /** Of these, files that were here already, whole. */
  readonly kept: number
  readonly bytes: number
}

/**
 * Downloads a benchmark into a folder, or completes what is there. Files that are here with the checksum of the hub, or
 * with the one noted when they were downloaded, stay; every other is fetched, and put in place whole. Never called
 * unless a person asks for it.
 *
 * @throws DatasetError that says what failed and what to do; whatever was fetched whole stays, and parts are continued
 */
export async function downloadBenchmark(
  manifest: Manifest,
  folder: string,
  options: DownloadOptions,
): Promise<DownloadReport> {
  const listings = []
  for (const source of manifest.sources) listings.push(await hubListing(source, options))
  const files = listings.flatMap((listing) => listing.files)
  const sources = listings.map(({ repository, revision }) => ({ repository, revision }))
  const before = await readRecord(folder)
  const record: DownloadRecord = {
    format: 'audition-download/1',
    name: manifest.name,
    sources,
    files: { ...before?.files },
  }
  await mkdir(folder, { recursive: true })

  const received = new Map<string, number>()
  let filesDone = 0
  let kept = 0
  const totalBytes = files.every(({ size }) => size !== undefined)
    ? files.reduce((sum, { size = 0 }) => sum + size, 0)
    : null
  const report = (file: string, bytes: number) => {
    received.set(file, bytes)
    const receivedBytes = [...received.values()].reduce((sum, each) => sum + each, 0)
    options.onProgress?.({ file, files: files.length, filesDone, receivedBytes, totalBytes })
  }

  // The first failure stops the other files, and so does the caller.
  const bounds = boundsOf({ callers: [options.signal] })
  const { signal } = bounds
  const limit = pLimit(atOnce)
  let writing = Promise.resolve()
  const fetchOne = async (file: HubFile): Promise<void> => {
    signal.throwIfAborted()
    const known = knownChecksum(file, before)
    const here = await wholeFile(join(folder, file.path), file, known)
    const fetched =
      here ??
      (await fetchFile(
        { ...file, ...(known === undefined ? {} : { sha256: known }) },
        join(folder, file.path),
        { ...options, signal },
        (bytes) => report(file.path, bytes),
      ))
    if (here !== undefined) kept += 1
    filesDone += 1
    record.files[file.path] = { url: file.url, ...fetched }
    writing = writing.then(() => writeRecord(folder, record))
    await writing
    report(file.path, fetched.size)
  }
  let first: unknown
  await Promise.all(
    files.map((file) =>
      limit(() =>
        fetchOne(file).catch((error: unknown) => {
          first ??= error
          bounds.stop(error)
        }),
      ),
    ),
  )
  bounds.release()
  if (first !== undefined) throw first
  const bytes = [...received.values()].reduce((sum, each) => sum + each, 0)
  return { folder, sources, files: files.length, kept, bytes }
}

/** The checksum of the hub or the manifest; else the one noted when the same address was last downloaded. */
function knownChecksum(file: HubFile, before: DownloadRecord | undefined): string | undefined {
  const noted = before?.files[file.path]
  return file.sha256 ?? (noted?.url === file.url ? noted.sha256 : undefined)
}

/** The file that is here, when it is the one that is wanted; undefined when it has to be fetched. */
async function wholeFile(
  path: string,
  file: HubFile,
  known: string | undefined,
): Promise<FetchedFile | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || known === undefined || (file.size !== undefined && file.size !== found.size))
    return undefined
  const fingerprint = await fingerprintOfFile(path)
  return fingerprint.sha256 === known ? fingerprint : undefined
}

/** The record of a folder; undefined when there is none. */
export async function readRecord(folder: string): Promise<DownloadRecord | undefined> {
  const path = join(folder, 'download.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined || !text.includes('audition-download/')) return undefined // none, or another program's
  try {
    return recordSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new DatasetError(
      `${path}: the record of the download is damaged.`,
      'Delete this file; the benchmark is then checked anew.',
      { cause },
    )
  }
}

async function writeRecord(folder: string, record: DownloadRecord): Promise<void> {
  const path = join(folder, 'download.json')
  const ordered = Object.fromEntries(Object.entries(record.files).sort(([a], [b]) => (a < b ? -1 : 1)))
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeFile(temporary, `${JSON.stringify({ ...record, files: ordered }, null, 2)}\n`)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
