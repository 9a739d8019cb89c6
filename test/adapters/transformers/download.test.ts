import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import type { FileProgress } from '../../../src/adapters/transformers/protocol.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-models.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

/** What `main` is on the hub. */
let commit = 'a'.repeat(40)
let folder: string
let compiled: CompiledTransformers
let cacheDir: string
let requests: string[]
let answer: (file: string, response: ServerResponse) => void

/** A hub on this machine that holds one model, acme/tiny. */
const hub = createServer((request, response) => {
  requests.push(request.url ?? '')
  const [, file] = /^\/acme\/tiny\/resolve\/[\w.-]+\/+(.*)$/.exec(request.url ?? '') ?? []
  if (request.url === '/api/models/acme/tiny/revision/main')
    response.writeHead(200).end(JSON.stringify({ sha: commit }))
  else if (file !== undefined) answer(file, response)
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

const load = (settings: object, onDownload: (progress: FileProgress) => void = () => {}) =>
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
  const progress: FileProgress[] = []
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

/** As the product loads it, with a way to the hub. */
const loadPinned = (settings: object) =>
  transformersModel(
    transformersOptions({ model: 'acme/tiny', hubUrl: hubUrl(), ...settings }, { cacheDir }),
    { workerEntry: compiled.entry, fetch },
  )

test('a download is of one commit, which the id names, and stays so when main moves', async () => {
  commit = 'a'.repeat(40)
  const fetched = await loadPinned({ allowDownload: true })
  await fetched.close()
  expect(fetched.id).toBe('transformers:acme/tiny@aaaaaaaaaaaa?dtype=q8&pooling=mean&maxTokens=512')
  const kept = readdirSync(join(cacheDir, 'acme/tiny', commit), { recursive: true }).map(String)
  expect(kept).toEqual(
    expect.arrayContaining([
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'onnx/model_quantized.onnx',
    ]),
  )
  expect(existsSync(join(cacheDir, 'acme/tiny/config.json'))).toBe(false)
  commit = 'b'.repeat(40)
  requests = []
  const later = await loadPinned({ allowDownload: true })
  await later.close()
  expect(later.id).toBe(fetched.id)
  expect(requests).toEqual([])
})

test('a revision that a person names is fetched, and stands in the id', async () => {
  const revision = 'c'.repeat(40)
  const fetched = await loadPinned({ allowDownload: true, revision })
  await fetched.close()
  expect(fetched.id).toContain('acme/tiny@cccccccccccc?')
  expect(requests.filter((url) => url.endsWith('.onnx'))[0]).toContain(revision)
  requests = []
  const cached = await loadPinned({ revision })
  await cached.close()
  expect([cached.id, requests]).toEqual([fetched.id, []])
})

test('what the repository says of itself is fetched with it, and holds offline', async () => {
  answer = (file, response) => {
    if (file === '1_Pooling/config.json')
      response.writeHead(200).end(JSON.stringify({ pooling_mode_cls_token: true }))
    else void serve(file, response)
  }
  const fetched = await loadPinned({ allowDownload: true })
  await fetched.close()
  expect(fetched.id).toContain('pooling=cls')
  const cached = await loadPinned({})
  await cached.close()
  expect(cached.id).toBe(fetched.id)
})

test('a repository that holds no quantised weights: the error names dtype=fp32, from the hub and offline', async () => {
  answer = (file, response) =>
    file.endsWith('model_quantized.onnx') ? response.writeHead(404).end() : void serve(file, response)
  await expect(loadPinned({ allowDownload: true })).rejects.toMatchObject({
    remedy: expect.stringContaining('dtype=fp32'),
  })
  const single = await loadPinned({ allowDownload: true, dtype: 'fp32' })
  await single.close()
  await expect(loadPinned({})).rejects.toMatchObject({
    remedy: expect.stringMatching(/^Set dtype=fp32, which is there/),
  })
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
