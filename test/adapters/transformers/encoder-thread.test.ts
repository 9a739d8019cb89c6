import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-models.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

/** Speaks the worker's protocol, and does what the text says. Vectors are [1, 0]. */
const obedientWorker = `
  import { parentPort, workerData } from 'node:worker_threads'
  const vectors = (texts, width) => {
    const rows = Float32Array.from(texts.flatMap(() => [1, ...Array(width - 1).fill(0)]))
    parentPort.postMessage({ kind: 'rows', rows }, [rows.buffer])
  }
  const orders = {
    exit: () => process.exit(3),
    throw: () => { throw new Error('out of luck') },
    leak: () => { Promise.reject(new Error('forgotten promise')) },
    'longer vectors': (texts) => vectors(texts, 3),
    wait: (texts) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500); vectors(texts, 2) },
    fail: () => parentPort.postMessage({ kind: 'failed', failure: { during: 'compute', message: 'bad text' } }),
  }
  parentPort.on('message', ({ kind, batch }) => {
    if (kind === 'close') return parentPort.close()
    const { texts } = batch
    const order = orders[texts[0]]
    if (order) order(texts)
    else vectors(texts, 2)
  })
  if (workerData.settings.threads === 2) throw new Error('stillborn')
  parentPort.postMessage({ kind: 'ready', width: 2 })
`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-thread-'))
  await writeTinyBert(join(folder, 'tiny'))
  await writeFile(join(folder, 'worker.mjs'), obedientWorker)
})
afterAll(() => rm(folder, { recursive: true }))

const open = (settings: object = {}) =>
  transformersModel(transformersOptions({ model: join(folder, 'tiny'), ...settings }, { cacheDir: folder }), {
    workerEntry: pathToFileURL(join(folder, 'worker.mjs')),
  })

test.each([
  { order: 'exit', says: 'stopped unexpectedly: exit code 3' },
  { order: 'throw', says: 'stopped unexpectedly: out of luck' },
  { order: 'leak', says: 'stopped unexpectedly: forgotten promise' },
])('a crash ($order) rejects all that waits; the next call starts a new thread', async ({ order, says }) => {
  const model = await open()
  const calls = [order, 'waiting', 'also waiting'].map((text) => model.embed([text], 'document'))
  const outcomes = await Promise.allSettled(calls)
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EmbeddingModelError' } })
    expect(outcome).toHaveProperty('reason.message', expect.stringContaining(says))
  }
  expect(await model.embed(['lease'], 'query')).toEqual([Float32Array.of(1, 0)])
  await model.close()
})

test('a thread that dies while it loads fails the load', async () => {
  await expect(open({ threads: 2 })).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining('the model cannot be loaded: stillborn'),
  })
})

test('one failed batch fails its call alone', async () => {
  const model = await open()
  const [failed, fine] = await Promise.allSettled([
    model.embed(['fail'], 'query'),
    model.embed(['lease'], 'query'),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'EmbeddingModelError' } })
  expect(fine).toMatchObject({ status: 'fulfilled' })
  await model.close()
})

test('a model whose vectors change their length is refused, not stored', async () => {
  const model = await open()
  await expect(model.embed(['longer vectors'], 'document')).rejects.toMatchObject({
    message: expect.stringContaining('had 2 dimensions and now have 3'),
  })
  await model.close()
})

test('work that is aborted while it waits never reaches the thread', async () => {
  const model = await open()
  const abort = new AbortController()
  const before = model.embed(['wait'], 'document')
  const crash = model.embed(['exit'], 'document', abort.signal)
  setImmediate(() => abort.abort(new Error('no longer needed')))
  await expect(crash).rejects.toThrow('no longer needed')
  expect(await before).toHaveLength(1)
  expect(await model.embed(['lease'], 'document')).toHaveLength(1)
  await model.close()
})
