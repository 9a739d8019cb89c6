import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crossEncoderOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersCrossEncoder } from '../../../src/adapters/transformers/transformers-models.ts'
import type { CrossEncoder } from '../../../src/retrieval/rank/cross-encoder.ts'
import { keepsTheCrossEncoderContract } from '../../contracts/cross-encoder.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { writeTinyCrossEncoder } from '../../fixtures/onnx/tiny-cross-encoder.ts'

let folder: string
let compiled: CompiledTransformers
const opened: CrossEncoder[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-cross-'))
  compiled = await compiledTransformers()
  await writeTinyCrossEncoder(join(folder, 'one'))
  await writeTinyCrossEncoder(join(folder, 'two'), { logits: 2 })
  await writeTinyCrossEncoder(join(folder, 'named'), {
    logits: 2,
    relevant: 0,
    labels: ['relevant', 'irrelevant'],
  })
  await writeTinyCrossEncoder(join(folder, 'other'), { seed: 2 })
})
afterAll(async () => {
  await Promise.all(opened.map((encoder) => encoder.close()))
  await compiled.remove()
  await rm(folder, { recursive: true })
})

/** A tiny cross-encoder with these settings; closed after the tests. */
async function tiny(settings: object = {}, name = 'one'): Promise<CrossEncoder> {
  const options = crossEncoderOptions(
    { model: join(folder, name), ...settings },
    { cacheDir: join(folder, 'cache') },
  )
  const encoder = await transformersCrossEncoder(options, { workerEntry: compiled.entry })
  opened.push(encoder)
  return encoder
}

const query = 'review a lease'
const documents = ['review a lease', 'lease contract', 'find the weather', 'git', '']

describe('transformersCrossEncoder', () => keepsTheCrossEncoderContract(() => tiny()))
describe('transformersCrossEncoder of two logits, in single precision and batches', () =>
  keepsTheCrossEncoderContract(() =>
    tiny({ dtype: 'fp32', batchSize: 16, threads: 2, score: 'logit' }, 'two'),
  ))

test('a document that shares words with the query is more relevant than one that does not', async () => {
  const [same, some, none] = await (await tiny()).score(query, documents)
  expect(same).toBeGreaterThan(none!)
  expect(some).toBeGreaterThan(none!)
})

test('query and document are told apart: the reverse pair has the reverse types, and only those', async () => {
  const encoder = await tiny({ dtype: 'fp32', score: 'logit' })
  const [one] = await encoder.score('lease lease lease', ['weather'])
  const [same] = await encoder.score('lease', ['weather'])
  const [other] = await encoder.score('lease weather', ['weather'])
  expect(one).not.toBe(same)
  expect(other).not.toBe(same)
})

test('a sigmoid is the logistic function of the logit, and keeps its order', async () => {
  const logits = await (await tiny({ score: 'logit' })).score(query, documents)
  const relevances = await (await tiny()).score(query, documents)
  expect(relevances).toEqual(logits.map((each) => 1 / (1 + Math.exp(-each))))
  expect(relevances.every((each) => each > 0 && each < 1)).toBe(true)
  expect(logits.some((each) => each > 1)).toBe(true)
})

test('of two logits the second minus the first counts, or as the labels say', async () => {
  const settings = { score: 'logit', dtype: 'fp32' }
  const one = await (await tiny(settings)).score(query, documents)
  const two = await (await tiny(settings, 'two')).score(query, documents)
  const named = await (await tiny(settings, 'named')).score(query, documents)
  for (const [index, score] of one.entries()) {
    expect(two[index]).toBeCloseTo(2 * score, 4) // the other logit is the negative
    expect(named[index]).toBeCloseTo(2 * score, 4)
  }
})

test('prefixes go before the query and before each document', async () => {
  const prefixed = await tiny({ queryPrefix: 'query: ', documentPrefix: 'passage: ' })
  const written = await (await tiny()).score(
    `query: ${query}`,
    documents.map((document) => `passage: ${document}`),
  )
  expect(await prefixed.score(query, documents)).toEqual(written)
  expect(await prefixed.score(query, documents)).not.toEqual(await (await tiny()).score(query, documents))
})

test('only what fits into maxTokens is read: the end of the document falls away, not its end mark', async () => {
  const encoder = await tiny({ maxTokens: 12, score: 'logit' }) // [CLS] review a lease [SEP] 6 words [SEP]
  const six = 'read the file of a city'
  const [kept, cut, changed] = await encoder.score(query, [six, `${six} lease weather`, `lease ${six}`])
  expect(cut).toBe(kept)
  expect(changed).not.toBe(kept)
})

test('a query longer than half of the input is cut, so that documents are still read', async () => {
  const encoder = await tiny({ maxTokens: 16, score: 'logit' })
  const long = 'find the weather of a city for the file '.repeat(50)
  const eight = 'find the weather of a city for the' // half of 16
  const scores = await encoder.score(long, documents)
  expect(scores).toEqual(await encoder.score(eight, documents))
  expect(new Set(scores).size).toBe(documents.length)
})

test('the order does not depend on the order in which documents are given', async () => {
  const encoder = await tiny()
  const scores = await encoder.score(query, documents)
  const reversed = await encoder.score(query, documents.toReversed())
  expect(reversed.toReversed()).toEqual(scores)
})

test('two loads of one model agree to the bit; another model of the same shape does not', async () => {
  const [first, second, other] = await Promise.all([tiny(), tiny(), tiny({}, 'other')])
  const scores = await first.score(query, documents)
  expect(await second.score(query, documents)).toEqual(scores)
  expect(second.id).toBe(first.id)
  expect(first.id).toMatch(/^transformers:one@[0-9a-f]{12}\?dtype=q8&score=sigmoid&maxTokens=512$/)
  expect(await other.score(query, documents)).not.toEqual(scores)
  expect(other.id).not.toBe(first.id)
})

test('many calls at once each get their own answers', async () => {
  const encoder = await tiny({ batchSize: 3 })
  const queries = ['lease', 'weather', 'file', 'git', 'contract']
  const expected = await Promise.all(queries.map((each) => encoder.score(each, documents)))
  const calls = Array.from({ length: 60 }, (_, call) => encoder.score(queries[call % 5]!, documents))
  for (const [call, scores] of (await Promise.all(calls)).entries())
    expect(scores).toEqual(expected[call % 5])
})

test('an abort in the middle rejects with its reason, and the model goes on', async () => {
  const encoder = await tiny()
  const abort = new AbortController()
  const reason = new Error('no longer needed')
  const long = encoder.score(query, Array(400).fill('read the file '.repeat(100)), { signal: abort.signal })
  const rejected = expect(long).rejects.toBe(reason)
  const other = encoder.score(query, documents)
  abort.abort(reason)
  await rejected
  expect(await other).toHaveLength(documents.length)
})

test('closing rejects the calls that wait, and all later ones', async () => {
  const encoder = await tiny()
  const waiting = encoder.score(query, Array(50).fill('read the file '.repeat(100)))
  const rejected = expect(waiting).rejects.toThrow('The cross-encoder was closed.')
  await encoder.close()
  await rejected
  await expect(encoder.score(query, documents)).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    remedy: 'Load the model again to use it.',
  })
})
