import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { DatasetError, type DownloadProgress } from '../../../src/evaluation/datasets/dataset.ts'
import type { Manifest, ManifestSource } from '../../../evals/benchmarks/src/manifest.ts'
import { downloadBenchmark, readRecord } from '../../../evals/benchmarks/src/download/download-benchmark.ts'
import { type Answer, file, fileServer, gitBlob, json, sha256, status } from '../../fixtures/file-server.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const commit = 'c0ffee'.repeat(6).padEnd(40, '0')
const large = 'kite '.repeat(20_000)

const manifest = (...sources: readonly ManifestSource[]): Manifest => ({
  name: 'kites',
  title: 'Kites',
  licence: 'ours',
  split: 'all',
  measures: ['ndcg@10'],
  sources: [...sources],
})

const hub: ManifestSource = {
  hub: 'huggingface',
  repository: 'sky/kites',
  revision: 'main',
  files: ['*/queries-*.parquet', '**/notes.txt'],
  folder: 'queries',
}

const entry = (path: string, contents: string, isLarge = true) => ({
  type: 'file',
  path,
  size: isLarge ? Buffer.byteLength(contents) : contents.length,
  oid: gitBlob(contents),
  ...(isLarge ? { lfs: { oid: sha256(contents), size: Buffer.byteLength(contents), pointerSize: 133 } } : {}),
})

/** A hub with three files of ours, its list in two pages. */
const hubAnswers = (changes: { readonly [path: string]: Answer | readonly Answer[] } = {}) => ({
  '/api/datasets/sky/kites/revision/main': json({ id: 'sky/kites', sha: commit }),
  [`/api/datasets/sky/kites/tree/${commit}?recursive=true`]: json(
    [{ type: 'directory', path: 'a', size: 0, oid: 'x' }, entry('a/queries-0.parquet', large)],
    { link: `</api/datasets/sky/kites/tree/${commit}?recursive=true&cursor=2>; rel="next"` },
  ),
  [`/api/datasets/sky/kites/tree/${commit}?recursive=true&cursor=2`]: json([
    entry('b/queries-0.parquet', 'small one'),
    entry('deep/er/notes.txt', 'a note', false),
    entry('README.md', 'not asked for', false),
  ]),
  [`/datasets/sky/kites/resolve/${commit}/a/queries-0.parquet`]: file(large),
  [`/datasets/sky/kites/resolve/${commit}/b/queries-0.parquet`]: file('small one'),
  [`/datasets/sky/kites/resolve/${commit}/deep/er/notes.txt`]: file('a note'),
  ...changes,
})

const optionsFor = (address: string) => ({
  addresses: { huggingface: address, github: address },
  retryDelayMs: 1,
  fetch: httpGuard().fetch('user'),
})

describe('a benchmark on the Hugging Face hub', () => {
  test('is fetched at the commit its branch stands for, and noted with checksums', async () => {
    const { address, asked } = await fileServer(hubAnswers())
    const folder = join(temporaryFolder(), 'kites')
    const seen: DownloadProgress[] = []
    const report = await downloadBenchmark(manifest(hub), folder, {
      ...optionsFor(address),
      onProgress: (progress) => seen.push(progress),
    })
    const bytes = large.length + 'small one'.length + 'a note'.length
    expect(report).toEqual({
      folder,
      sources: [{ repository: 'sky/kites', revision: commit }],
      files: 3,
      kept: 0,
      bytes,
    })
    expect(readFileSync(join(folder, 'queries/a/queries-0.parquet'), 'utf8')).toBe(large)
    expect(readFileSync(join(folder, 'queries/deep/er/notes.txt'), 'utf8')).toBe('a note')
    expect(existsSync(join(folder, 'queries/README.md'))).toBe(false)
    expect(asked.every(({ path }) => !path.includes('README'))).toBe(true)
    expect(seen.at(-1)).toEqual({
      file: expect.any(String),
      files: 3,
      filesDone: 3,
      receivedBytes: bytes,
      totalBytes: bytes,
    })
    const record = await readRecord(folder)
    expect(record!.sources).toEqual([{ repository: 'sky/kites', revision: commit }])
    expect(Object.entries(record!.files).map(([path, { sha256: sum }]) => [path, sum])).toEqual([
      ['queries/a/queries-0.parquet', sha256(large)],
      ['queries/b/queries-0.parquet', sha256('small one')],
      ['queries/deep/er/notes.txt', sha256('a note')],
    ])
  })

  test('is not fetched again; a file that was damaged or deleted is', async () => {
    const { address, asked } = await fileServer(hubAnswers())
    const folder = temporaryFolder()
    await downloadBenchmark(manifest(hub), folder, optionsFor(address))
    const fetched = () =>
      asked.filter(({ path }) => path.startsWith('/datasets/')).map(({ path }) => path.split('/').at(-2))
    expect(fetched()).toHaveLength(3)
    expect((await downloadBenchmark(manifest(hub), folder, optionsFor(address))).kept).toBe(3)
    expect(fetched()).toHaveLength(3)
    writeFileSync(join(folder, 'queries/a/queries-0.parquet'), 'x'.repeat(large.length))
    expect((await downloadBenchmark(manifest(hub), folder, optionsFor(address))).kept).toBe(2)
    expect(fetched().slice(3)).toEqual(['a'])
    expect(readFileSync(join(folder, 'queries/a/queries-0.parquet'), 'utf8')).toBe(large)
  })

  test('whose download failed half way keeps what it has, and goes on from there', async () => {
    const path = `/datasets/sky/kites/resolve/${commit}/b/queries-0.parquet`
    const { address } = await fileServer(hubAnswers({ [path]: [status(403), file('small one')] }))
    const folder = temporaryFolder()
    await expect(downloadBenchmark(manifest(hub), folder, optionsFor(address))).rejects.toThrow('(403)')
    const report = await downloadBenchmark(manifest(hub), folder, optionsFor(address))
    expect(report.files).toBe(3)
    expect(readFileSync(join(folder, 'queries/b/queries-0.parquet'), 'utf8')).toBe('small one')
  })

  test('has at most two files on their way at a time', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `set-${index}/queries-0.parquet`)
    const open: (() => void)[] = []
    let most = 0
    let answered = 0
    // Each answer waits until two requests are open, or the last one is alone; a third would show in between.
    const patient: Answer = (_, response) => {
      open.push(() => {
        answered += 1
        response.writeHead(200).end('x')
      })
      most = Math.max(most, open.length)
      if (open.length < 2 && answered + open.length < names.length) return
      setTimeout(() => open.shift()?.(), 20)
      if (answered + open.length === names.length) setTimeout(() => open.shift()?.(), 40)
    }
    const { address } = await fileServer({
      '/api/datasets/sky/kites/revision/main': json({ sha: commit }),
      [`/api/datasets/sky/kites/tree/${commit}?recursive=true`]: json(names.map((name) => entry(name, 'x'))),
      ...Object.fromEntries(names.map((name) => [`/datasets/sky/kites/resolve/${commit}/${name}`, patient])),
    })
    await downloadBenchmark(manifest(hub), temporaryFolder(), optionsFor(address))
    expect(most).toBe(2)
  })

  test.each([
    { path: '../outside/queries-0.parquet' },
    { path: 'a/../../queries-0.parquet' },
    { path: '/etc/queries-0.parquet' },
    { path: 'c:/x/queries-0.parquet' },
    { path: 'a\\..\\queries-0.parquet' },
  ])('that names a file outside its folder is refused: $path', async ({ path }) => {
    const tree = `/api/datasets/sky/kites/tree/${commit}?recursive=true`
    const { address, asked } = await fileServer(hubAnswers({ [tree]: json([entry(path, 'evil')]) }))
    const source = { ...hub, files: ['**'] }
    await expect(downloadBenchmark(manifest(source), temporaryFolder(), optionsFor(address))).rejects.toThrow(
      'leads out of its folder',
    )
    expect(asked.filter((each) => each.path.startsWith('/datasets/'))).toEqual([])
  })

  test.each([
    {
      why: 'it is not there',
      change: { '/api/datasets/sky/kites/revision/main': status(404) },
      message: '(404)',
    },
    {
      why: 'no file matches',
      change: { [`/api/datasets/sky/kites/tree/${commit}?recursive=true`]: json([]) },
      message: 'has no file like',
    },
    {
      why: 'the answer is a page',
      change: { '/api/datasets/sky/kites/revision/main': file('<html>') },
      message: 'not JSON',
    },
    {
      why: 'the answer has another form',
      change: { '/api/datasets/sky/kites/revision/main': json({ commit: 7 }) },
      message: 'another form',
    },
    {
      why: 'the list goes on elsewhere',
      change: {
        [`/api/datasets/sky/kites/tree/${commit}?recursive=true`]: json([], {
          link: '<http://example.org/next>; rel="next"',
        }),
      },
      message: 'goes on at another server',
    },
  ])('is refused when $why', async ({ change, message }) => {
    const { address } = await fileServer(hubAnswers(change))
    const downloading = downloadBenchmark(manifest(hub), temporaryFolder(), optionsFor(address))
    await expect(downloading).rejects.toThrow(DatasetError)
    await expect(downloading).rejects.toThrow(message)
  })

  test('stops when it is told to', async () => {
    const { address } = await fileServer(hubAnswers())
    const stop = new AbortController()
    const downloading = downloadBenchmark(manifest(hub), temporaryFolder(), {
      ...optionsFor(address),
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(downloading).rejects.toThrow('enough')
  })
})

const github = (sum?: string): ManifestSource => ({
  hub: 'github',
  repository: 'sky/kites',
  revision: 'abc123',
  files: [{ path: 'data/tools.json', ...(sum === undefined ? {} : { sha256: sum }) }],
})

describe('a benchmark on GitHub', () => {
  test('is fetched file by file, and checked by the manifest’s checksum', async () => {
    const { address } = await fileServer({ '/sky/kites/abc123/data/tools.json': file('[]') })
    const folder = temporaryFolder()
    await downloadBenchmark(manifest(github(sha256('[]'))), folder, optionsFor(address))
    expect(readFileSync(join(folder, 'data/tools.json'), 'utf8')).toBe('[]')
    const wrong = downloadBenchmark(manifest(github(sha256('{}'))), temporaryFolder(), optionsFor(address))
    await expect(wrong).rejects.toThrow('not the file that was expected')
  })

  test('without a checksum is checked by the one noted at the first download', async () => {
    const path = '/sky/kites/abc123/data/tools.json'
    const { address, asked } = await fileServer({ [path]: [file('[1]'), file('[2]')] })
    const folder = temporaryFolder()
    await downloadBenchmark(manifest(github()), folder, optionsFor(address))
    await downloadBenchmark(manifest(github()), folder, optionsFor(address))
    expect(asked).toHaveLength(1)
    writeFileSync(join(folder, 'data/tools.json'), 'damaged')
    await expect(downloadBenchmark(manifest(github()), folder, optionsFor(address))).rejects.toThrow(
      'not the file that was expected',
    )
  })
})

describe('a benchmark that can only be had by hand', () => {
  test('says where, and what to do', async () => {
    const source: ManifestSource = {
      hub: 'manual',
      address: 'https://example.org/kites',
      instructions: 'Unpack it.',
    }
    const failure = await downloadBenchmark(
      manifest(source),
      temporaryFolder(),
      optionsFor('https://example.org'),
    ).catch((error: unknown) => error)
    expect(String(failure)).toContain('https://example.org/kites')
    expect((failure as DatasetError).remedy).toBe('Unpack it.')
  })
})

describe('the record of a download', () => {
  test('of another program is passed over', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'download.json'), '{"by": "somebody else"}')
    expect(await readRecord(folder)).toBeUndefined()
  })

  test('that is damaged is named', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'download.json'), '{"format": "audition-download/1", "na')
    await expect(readRecord(folder)).rejects.toThrow('download.json: the record of the download is damaged')
  })
})
