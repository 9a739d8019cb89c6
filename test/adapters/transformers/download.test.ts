import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/options.ts'
import type { DownloadProgress } from '../../../src/adapters/transformers/protocol.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-model.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

const path = '/acme/tiny/resolve/main/'
let folder: string
let compiled: CompiledTransformers
let cacheDir: string
let requests: string[]
let answer: (file: string, response: ServerResponse) => void

/** A hub on this machine that holds one model, acme/tiny. */
const hub = createServer((request, response) => {
  requests.push(request.url ?? '')
  if (request.url?.startsWith(path)) answer(request.url.slice(path.length).replace(/^\/+/, ''), response)
  else response.writeHead(404).end()
})
const hubUrl = () => `http://127.0.0.1:${(hub.address() as AddressInfo).port}`

async function serve(file: string, response: ServerResponse): Promise<void> {
  const content = await readFile(join(folder, 'tiny', file)).catch(() => null)
  if (content === null) response.writeHead(404).end()
  else response.writeHead(200, { 'content-length': content.length }).end(content)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-hub-'))
  compiled = await compiledTransformers()
  await writeTinyBert(join(folder, 'tiny'))
})
beforeEach(async () => {
  cacheDir = await mkdtemp(join(folder, 'cache-'))
  requests = []
  answer = (file, response) => void serve(file, response)
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve))
})
afterEach(
  () =>
    new Promise((resolve) => {
      hub.close(resolve)
      hub.closeAllConnections()
    }),
)
afterAll(async () => {
  await compiled.remove()
  await rm(folder, { recursive: true })
})

const load = (settings: object, onDownload: (progress: DownloadProgress) => void = () => {}) =>
  transformersModel(
    transformersOptions({ model: 'acme/tiny', hubUrl: hubUrl(), ...settings }, { cacheDir }),
    {
      workerEntry: compiled.entry,
      onDownload,
    },
  )

test('without consent nothing is asked of the network', async () => {
  await expect(load({})).rejects.toMatchObject({ name: 'EmbeddingModelError' })
  expect(requests).toEqual([])
})

test('with consent a model is fetched once, and loads offline from then on', async () => {
  const progress: DownloadProgress[] = []
  const fetched = await load({ allowDownload: true }, (event) => progress.push(event))
  const [vector] = await fetched.embed(['review a lease'], 'query')
  await fetched.close()
  const weights = progress.filter(({ file }) => file.endsWith('model_quantized.onnx')).at(-1)
  expect(weights).toMatchObject({ loadedBytes: weights?.totalBytes })
  expect(weights?.totalBytes).toBeGreaterThan(500)

  requests = []
  const cached = await load({})
  expect(cached.id).toBe(fetched.id)
  expect(await cached.embed(['review a lease'], 'query')).toEqual([vector])
  await cached.close()
  expect(requests).toEqual([])
})

test('a model beside others in localModelPath is found by its id, and is not fetched', async () => {
  await writeTinyBert(join(folder, 'models', 'acme', 'tiny'))
  const model = await load({ localModelPath: join(folder, 'models'), allowDownload: true })
  expect(model.id).toBe('transformers:acme/tiny?dtype=q8&pooling=mean&maxTokens=512')
  await model.close()
  expect(requests).toEqual([])
})

test.each([
  { status: 404, remedy: 'dtype q8' },
  { status: 401, remedy: 'HF_TOKEN' },
  { status: 503, remedy: 'Check the network' },
])('an answer $status of the hub is told with what to do', async ({ status, remedy }) => {
  answer = (_, response) => response.writeHead(status).end()
  await expect(load({ allowDownload: true })).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining('acme/tiny'),
    remedy: expect.stringContaining(remedy),
  })
})

test('a dtype the hub does not have is told', async () => {
  await expect(load({ allowDownload: true, dtype: 'q4' })).rejects.toMatchObject({
    message: expect.stringContaining('model_q4.onnx'),
    remedy: expect.stringContaining('dtype q4'),
  })
})

test('being offline is told', async () => {
  const unreachable = 'http://127.0.0.1:9'
  await expect(load({ allowDownload: true, hubUrl: unreachable })).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining(unreachable),
    remedy: expect.stringContaining('copy the model folder'),
  })
})

test('a download that breaks off leaves nothing half-written, and can be tried again', async () => {
  answer = (file, response) => {
    if (!file.endsWith('.onnx')) return void serve(file, response)
    response.writeHead(200, { 'content-length': 5000 })
    response.write(Buffer.alloc(1000))
    setImmediate(() => response.destroy())
  }
  await expect(load({ allowDownload: true })).rejects.toMatchObject({ name: 'EmbeddingModelError' })
  expect(existsSync(join(cacheDir, 'acme/tiny/onnx/model_quantized.onnx'))).toBe(false)
  answer = (file, response) => void serve(file, response)
  const model = await load({ allowDownload: true })
  expect(await model.embed(['lease'], 'query')).toHaveLength(1)
  await model.close()
})
