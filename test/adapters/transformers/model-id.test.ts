import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crossEncoderId, modelId, settingsOfSpec } from '../../../src/adapters/transformers/files/model-id.ts'
import { crossEncoderOptions, transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { weightsFingerprint } from '../../../src/adapters/transformers/files/model-files.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

const idOf = (settings: object, fingerprint = '0123456789ab') =>
  modelId(transformersOptions(settings, { cacheDir: '/cache' }), { fingerprint })

test('the id of a hub model names it and all that changes its vectors', () => {
  expect(idOf({ model: 'Xenova/all-MiniLM-L6-v2' })).toBe(
    'transformers:Xenova/all-MiniLM-L6-v2?dtype=q8&pooling=mean&maxTokens=256',
  )
  expect(idOf({ model: 'Xenova/e5-small-v2', dtype: 'fp32' })).toBe(
    'transformers:Xenova/e5-small-v2?dtype=fp32&pooling=mean&maxTokens=512&queryPrefix=query%3A+&documentPrefix=passage%3A+',
  )
})

test('the id of a hub model names the commit it was fetched at', () => {
  const options = transformersOptions({ model: 'a/b' }, { cacheDir: '/cache' })
  const at = (commit: string) => modelId(options, { fingerprint: '', commit })
  expect(at('f'.repeat(40))).toBe('transformers:a/b@ffffffffffff?dtype=q8&pooling=mean&maxTokens=512')
  expect(at('e'.repeat(40))).not.toBe(at('f'.repeat(40)))
})

test('the id of a folder names it and its weights, not where it lies', () => {
  const id = 'transformers:gte-small@0123456789ab?dtype=q8&pooling=mean&maxTokens=512'
  expect(idOf({ model: '/models/gte-small' })).toBe(id)
  expect(idOf({ model: '/elsewhere/gte-small/' })).toBe(id)
})

test.each([
  { dtype: 'fp32' },
  { pooling: 'cls' },
  { maxTokens: 100 },
  { queryPrefix: 'q ' },
  { documentPrefix: 'd ' },
])('%o gives another id, since it gives other vectors', (setting) => {
  expect(idOf({ model: 'a/b', ...setting })).not.toBe(idOf({ model: 'a/b' }))
})

test.each([{ threads: 4 }, { batchSize: 32 }, { allowDownload: true }, { cacheDir: '/other' }])(
  '%o keeps the id, since it keeps the vectors',
  (setting) => {
    expect(idOf({ model: 'a/b', ...setting })).toBe(idOf({ model: 'a/b' }))
  },
)

const crossEncoderIdOf = (settings: object) =>
  crossEncoderId(crossEncoderOptions({ model: 'a/b', ...settings }, { cacheDir: '/cache' }), {
    fingerprint: '0123456789ab',
  })

test.each([
  { setting: { score: 'logit' }, changes: true },
  { setting: { dtype: 'fp32' }, changes: true },
  { setting: { maxTokens: 64 }, changes: true },
  { setting: { queryPrefix: 'query: ' }, changes: true },
  { setting: { depth: 50 }, changes: false },
  { setting: { threads: 2 }, changes: false },
  { setting: { batchSize: 4 }, changes: false },
])(
  '$setting changes the id of a cross-encoder, as it changes its scores: $changes',
  ({ setting, changes }) => {
    expect(crossEncoderIdOf({})).toBe('transformers:a/b?dtype=q8&score=sigmoid&maxTokens=512')
    expect(crossEncoderIdOf(setting) !== crossEncoderIdOf({})).toBe(changes)
  },
)

test('the id of a hub model reads back as its settings', () => {
  const settings = { model: 'Xenova/e5-small-v2', maxTokens: 100, queryPrefix: 'Find: 100% & more? ' }
  expect(idOf(settingsOfSpec(idOf(settings)))).toBe(idOf(settings))
})

test('a model on one line reads as settings of their own types', () => {
  expect(
    settingsOfSpec('transformers:/models/gte small?dtype=fp32&maxTokens=128&allowDownload=true'),
  ).toEqual({
    model: '/models/gte small',
    dtype: 'fp32',
    maxTokens: 128,
    allowDownload: true,
  })
})

test.each(['transformers:', 'transformers:?dtype=q8', 'api:text-embedding-3-small', ''])(
  '"%s" names no model',
  (spec) => {
    expect(() => settingsOfSpec(spec)).toThrow(`AUDITION_MODEL is "${spec}", which names no model.`)
  },
)

describe('the fingerprint of weights', () => {
  let folder: string
  const weights = (name: string) => [join(folder, name, 'onnx', 'model.onnx')]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audition-weights-'))
    await writeTinyBert(join(folder, 'one'))
    await writeTinyBert(join(folder, 'other'), { seed: 2 })
    await cp(join(folder, 'one'), join(folder, 'moved'), { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('is the same wherever they lie', async () => {
    expect(await weightsFingerprint(weights('one'))).toMatch(/^[0-9a-f]{12}$/)
    expect(await weightsFingerprint(weights('moved'))).toBe(await weightsFingerprint(weights('one')))
  })
  test('is another for other weights of the same size', async () => {
    expect(await weightsFingerprint(weights('other'))).not.toBe(await weightsFingerprint(weights('one')))
  })
})
