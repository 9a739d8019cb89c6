import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { DatasetError } from '../../../src/evaluation/datasets/dataset.ts'
import { fetchFile } from '../../../evals/benchmarks/src/download/fetch-file.ts'
import {
  brokenAfter,
  file,
  fileServer,
  gitBlob,
  sha256,
  silent,
  status,
  wholeFile,
} from '../../fixtures/file-server.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const contents = 'A kite is a tethered craft. '.repeat(4000)
const size = Buffer.byteLength(contents)
const soon = { retryDelayMs: 1, fetch: httpGuard().fetch('user') }

const target = () => join(temporaryFolder(), 'below', 'kites.txt')
const leftBeside = (path: string) => readdirSync(join(path, '..'))

/** A network that gives so many bytes per request, and then breaks as fetch does when a connection ends early. */
function breakingFetch(...bytesPerRequest: readonly number[]) {
  const asked: { readonly range: string | null; readonly ifRange: string | null }[] = []
  const answer = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers)
    const from = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? 0)
    const sent = bytesPerRequest[asked.length] ?? 0
    asked.push({ range: headers.get('range'), ifRange: headers.get('if-range') })
    const bytes = Buffer.from(contents).subarray(from, from + sent)
    let given = false
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (!given) stream.enqueue(new Uint8Array(bytes))
        else if (from + sent >= size) stream.close()
        else stream.error(new TypeError('terminated'))
        given = true
      },
    })
    const extent = from === 0 ? {} : { 'content-range': `bytes ${from}-${size - 1}/${size}` }
    const all = { etag: '"one"', 'content-length': String(size - from), ...extent }
    return new Response(body, { status: from === 0 ? 200 : 206, headers: all })
  }
  return { fetch: answer as typeof fetch, asked }
}

describe('a file', () => {
  test('is put in place whole, checked, and nothing is left beside it', async () => {
    const { address } = await fileServer({ '/kites.txt': file(contents) })
    const to = target()
    const seen: number[] = []
    const fetched = await fetchFile(
      { url: `${address}/kites.txt`, size, sha256: sha256(contents) },
      to,
      soon,
      (bytes) => seen.push(bytes),
    )
    expect(fetched).toEqual({ size, sha256: sha256(contents) })
    expect(readFileSync(to, 'utf8')).toBe(contents)
    expect(leftBeside(to)).toEqual(['kites.txt'])
    expect(seen.at(-1)).toBe(size)
    expect([...seen].sort((a, b) => a - b)).toEqual(seen)
  })

  test('that breaks off is continued where it stopped', async () => {
    const { fetch, asked } = breakingFetch(30_000, 20_000, size)
    const to = target()
    await fetchFile({ url: 'http://hub.test/kites.txt', sha256: sha256(contents) }, to, { ...soon, fetch })
    expect(readFileSync(to, 'utf8')).toBe(contents)
    expect(asked).toEqual([
      { range: null, ifRange: null },
      { range: 'bytes=30000-', ifRange: '"one"' },
      { range: 'bytes=50000-', ifRange: '"one"' },
    ])
  })

  test('whose connection a real server breaks is fetched whole in the end', async () => {
    const { address, asked } = await fileServer({
      '/kites.txt': [brokenAfter(30_000, contents), brokenAfter(20_000, contents), file(contents)],
    })
    const to = target()
    await fetchFile({ url: `${address}/kites.txt`, sha256: sha256(contents) }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
    expect(asked).toHaveLength(3)
  })

  test('that an earlier call left in part is continued', async () => {
    const { address, asked } = await fileServer({ '/kites.txt': file(contents) })
    const to = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${to}.part`, contents.slice(0, 1234))
    await fetchFile({ url: `${address}/kites.txt`, sha256: sha256(contents) }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
    expect(asked.map(({ range }) => range)).toEqual(['bytes=1234-'])
  })

  test('that is here whole but was not yet put in place is not asked for', async () => {
    const to = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${to}.part`, contents)
    await fetchFile({ url: 'http://127.0.0.1:9/none', size, sha256: sha256(contents) }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
  })

  test.each([
    { why: 'the server knows no ranges', answers: [wholeFile(contents)] },
    { why: 'the server refuses the range (416)', answers: [status(416), file(contents)] },
    {
      why: 'the server sends another range',
      answers: [status(206, { 'content-range': `bytes 7-9/${size}` }), file(contents)],
    },
  ])('starts anew when $why', async ({ answers }) => {
    const { address } = await fileServer({ '/kites.txt': answers })
    const to = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${to}.part`, contents.slice(0, 1234))
    await fetchFile({ url: `${address}/kites.txt`, sha256: sha256(contents) }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
  })

  test('starts anew when what was left is of another version: by its tag, or by the checksum', async () => {
    const { address, asked } = await fileServer({ '/kites.txt': file(contents) })
    const byTag = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${byTag}.part`, 'an older text')
    writeFileSync(`${byTag}.part.etag`, '"of the older text"')
    await fetchFile({ url: `${address}/kites.txt` }, byTag, soon)
    expect(readFileSync(byTag, 'utf8')).toBe(contents)
    const byChecksum = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${byChecksum}.part`, 'an older text')
    await fetchFile({ url: `${address}/kites.txt`, sha256: sha256(contents) }, byChecksum, soon)
    expect(readFileSync(byChecksum, 'utf8')).toBe(contents)
    expect(asked.map(({ range }) => range)).toEqual(['bytes=13-', 'bytes=13-', undefined])
  })

  test('without a tag or a checksum is never continued: parts might be of two versions', async () => {
    const { address, asked } = await fileServer({ '/kites.txt': file(contents, null) })
    const to = join(temporaryFolder(), 'kites.txt')
    writeFileSync(`${to}.part`, 'an older text')
    await fetchFile({ url: `${address}/kites.txt` }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
    expect(asked.map(({ range }) => range)).toEqual([undefined])
  })

  test('is checked by git’s name of it where the hub gives no other', async () => {
    const { address } = await fileServer({ '/kites.txt': file('small') })
    const to = target()
    await fetchFile({ url: `${address}/kites.txt`, gitBlob: gitBlob('small') }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe('small')
    const other = fetchFile({ url: `${address}/kites.txt`, gitBlob: gitBlob('other') }, target(), soon)
    await expect(other).rejects.toThrow('git blob')
  })

  test.each([
    { why: 'has another checksum', expected: { sha256: sha256('something else') }, message: 'sha256' },
    { why: 'has another size', expected: { size: size + 1 }, message: 'bytes' },
  ])('that $why is refused, and nothing is put in place', async ({ expected, message }) => {
    const { address } = await fileServer({ '/kites.txt': file(contents) })
    const to = target()
    const fetching = fetchFile({ url: `${address}/kites.txt`, ...expected }, to, soon)
    await expect(fetching).rejects.toThrow(DatasetError)
    await expect(fetching).rejects.toThrow(message)
    expect(existsSync(to)).toBe(false)
  })

  test('that goes on breaking off is given up, and what arrived is kept for the next call', async () => {
    const { fetch, asked } = breakingFetch(1000, 1000, 1000, 1000, size)
    const to = target()
    const fetching = fetchFile({ url: 'http://hub.test/kites.txt', size }, to, { ...soon, fetch })
    await expect(fetching).rejects.toThrow(DatasetError)
    expect(asked).toHaveLength(4)
    expect(readFileSync(`${to}.part`, 'utf8')).toBe(contents.slice(0, 4000))
    await fetchFile({ url: 'http://hub.test/kites.txt', size }, to, { ...soon, fetch })
    expect(asked.at(-1)!.range).toBe('bytes=4000-')
    expect(readFileSync(to, 'utf8')).toBe(contents)
  })

  test.each([
    { code: 404, attempts: 1, message: 'has no /kites.txt (404)' },
    { code: 403, attempts: 1, message: 'does not give /kites.txt to everybody (403)' },
    { code: 418, attempts: 1, message: 'answered 418' },
    { code: 503, attempts: 4, message: 'answered 503' },
    { code: 429, attempts: 4, message: 'answered 429' },
  ])('answered by $code fails after $attempts attempts, saying so', async ({ code, attempts, message }) => {
    const { address, asked } = await fileServer({ '/kites.txt': status(code) })
    await expect(fetchFile({ url: `${address}/kites.txt` }, target(), soon)).rejects.toThrow(message)
    expect(asked).toHaveLength(attempts)
  })

  test('of a server that is busy for a moment is fetched', async () => {
    const { address } = await fileServer({ '/kites.txt': [status(503), status(429), file(contents)] })
    const to = target()
    await fetchFile({ url: `${address}/kites.txt` }, to, soon)
    expect(readFileSync(to, 'utf8')).toBe(contents)
  })

  test('of a server that falls silent is given up after the timeout', async () => {
    const { address } = await fileServer({ '/kites.txt': silent })
    const fetching = fetchFile({ url: `${address}/kites.txt` }, target(), { ...soon, idleTimeoutMs: 40 })
    await expect(fetching).rejects.toThrow('was silent for 0.04 seconds')
  })

  test('of a server that is not there fails with what to do', async () => {
    const failure = await fetchFile({ url: 'http://127.0.0.1:9/kites.txt' }, target(), soon).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(DatasetError)
    expect(String(failure)).toContain('127.0.0.1:9 cannot be reached')
    expect((failure as DatasetError).remedy).toContain('Offline')
  })

  test('is stopped by its signal', async () => {
    const { address, asked } = await fileServer({ '/kites.txt': silent })
    const stop = new AbortController()
    const fetching = fetchFile({ url: `${address}/kites.txt` }, target(), { ...soon, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(fetching).rejects.toThrow('enough')
    expect(asked.length).toBeLessThanOrEqual(1)
  })
})
