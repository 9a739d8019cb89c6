import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsOfSpec } from '../../../src/adapters/transformers/files/model-id.ts'
import { crossEncoderOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersCrossEncoder } from '../../../src/adapters/transformers/transformers-models.ts'
import { EmbeddingModelError } from '../../../src/retrieval/rank/embedding-model-error.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'
import { writeTinyCrossEncoder } from '../../fixtures/onnx/tiny-cross-encoder.ts'

let folder: string
let compiled: CompiledTransformers
let copies = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-no-cross-'))
  compiled = await compiledTransformers()
})
afterAll(async () => {
  await compiled.remove()
  await rm(folder, { recursive: true })
})

const fresh = (): string => join(folder, `model-${copies++}`)

/** Tries to load a cross-encoder and gives the error; fails when it loads. */
async function failure(settings: object): Promise<EmbeddingModelError> {
  const options = crossEncoderOptions(settings, { cacheDir: join(folder, 'cache') })
  const error = await transformersCrossEncoder(options, { workerEntry: compiled.entry }).then(
    (encoder) => encoder.close().then(() => null),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(EmbeddingModelError)
  return error as EmbeddingModelError
}

async function changeJson(file: string, change: (content: Record<string, unknown>) => void): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8'))
  change(content)
  await writeFile(file, JSON.stringify(content))
}

test.each([
  {
    why: 'an embedding model',
    write: () => writeTinyBert(fresh()),
    says: 'A cross-encoder gives 1 or 2 logits per pair, but the model gives last_hidden_state [1, ',
    remedy: 'set it as AUDITION_MODEL',
  },
  {
    why: 'an embedding model that pools itself',
    write: () => writeTinyBert(fresh(), { output: 'sentence_embedding' }),
    says: 'but the model gives sentence_embedding [1, 16]',
    remedy: 'choose a cross-encoder',
  },
  {
    why: 'a classifier of three classes',
    write: () => writeTinyCrossEncoder(fresh(), { logits: 3 }),
    says: 'but the model gives logits [1, 3]',
    remedy: 'It classifies something else than relevance',
  },
  {
    why: 'a model that gives no numbers',
    write: () => writeTinyCrossEncoder(fresh(), { scale: Number.NaN }),
    says: 'gave no number for the document "document"',
    remedy: 'Set dtype to fp32',
  },
  {
    why: 'a tokenizer that drops the second text',
    async write() {
      const model = await writeTinyCrossEncoder(fresh())
      await changeJson(join(model, 'tokenizer.json'), (tokenizer) => {
        const single = [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }]
        Object.assign(tokenizer.post_processor as object, { pair: single })
      })
      return model
    },
    says: 'does not join two texts',
    remedy: 'Choose a cross-encoder',
  },
  {
    why: 'a folder without its weights',
    async write() {
      const model = await writeTinyCrossEncoder(fresh())
      await rm(join(model, 'onnx', 'model_quantized.onnx'))
      return model
    },
    says: 'dtype q8 needs it',
    remedy: 'Set dtype to fp32',
  },
  {
    why: 'damaged weights',
    async write() {
      const model = await writeTinyCrossEncoder(fresh())
      await writeFile(join(model, 'onnx', 'model_quantized.onnx'), '<html>Not Found</html>')
      return model
    },
    says: 'the model cannot be loaded',
    remedy: 'download the model again',
  },
  { why: 'no folder', write: async () => fresh(), says: 'there is no such folder', remedy: 'Check the path' },
])('$why is refused, with the model and the cure', async ({ write, says, remedy }) => {
  const model = await write()
  const error = await failure({ model })
  expect(error.message).toContain(model)
  expect(error.message).toContain(says)
  expect(error.remedy).toContain(remedy)
})

test('a model that is nowhere on this machine is not fetched without consent', async () => {
  const error = await failure({ model: 'acme/absent-reranker' })
  expect(error.message).toContain('acme/absent-reranker: not on this machine with dtype q8')
  expect(error.remedy).toContain('Set allowDownload to true')
})

test('being offline is told', async () => {
  const hubUrl = 'http://127.0.0.1:9'
  const error = await failure({ model: 'acme/absent-reranker', allowDownload: true, hubUrl })
  expect(error.message).toContain(hubUrl)
  expect(error.remedy).toContain('copy the model folder')
})

test('a cross-encoder given as an embedding model is told where it belongs', async () => {
  const { transformersModel } = await import('../../../src/adapters/transformers/transformers-models.ts')
  const { transformersOptions } = await import('../../../src/adapters/transformers/files/options.ts')
  const model = await writeTinyCrossEncoder(fresh())
  const options = transformersOptions({ model }, { cacheDir: folder })
  await expect(transformersModel(options, { workerEntry: compiled.entry })).rejects.toMatchObject({
    message: expect.stringContaining('but the model gives logits [1, 1]'),
    remedy: expect.stringContaining('AUDITION_RERANKER'),
  })
})

test('a tokenizer that does not belong to the model fails the call, not the model', async () => {
  const model = await writeTinyCrossEncoder(fresh())
  await changeJson(join(model, 'tokenizer.json'), (tokenizer) => {
    Object.assign((tokenizer.model as { vocab: object }).vocab, { lease: 30_000 })
  })
  const options = crossEncoderOptions({ model }, { cacheDir: folder })
  const encoder = await transformersCrossEncoder(options, { workerEntry: compiled.entry })
  await expect(encoder.score('a lease', ['a city'])).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining('could not compute these texts'),
  })
  expect(await encoder.score('a city', ['a city'])).toHaveLength(1)
  await encoder.close()
})

const cacheDir = '/home/ada/.audition/models'

test('a cross-encoder alone gets safe defaults', () => {
  expect(crossEncoderOptions({ model: 'acme/reranker' }, { cacheDir })).toEqual({
    model: 'acme/reranker',
    stated: ['model'],
    queryPrefix: '',
    documentPrefix: '',
    dtype: 'q8',
    maxTokens: 512,
    cacheDir,
    allowDownload: false,
    hubUrl: 'https://huggingface.co/',
    batchSize: 1,
    threads: 1,
    score: 'sigmoid',
    depth: 30,
  })
})

test('a line for an environment variable reads as settings', () => {
  const line = 'transformers:/models/reranker?dtype=fp32&depth=50&score=logit&allowDownload=true'
  expect(crossEncoderOptions(settingsOfSpec(line), { cacheDir })).toMatchObject({
    model: '/models/reranker',
    dtype: 'fp32',
    depth: 50,
    score: 'logit',
    allowDownload: true,
  })
})

test.each([
  { why: 'reads no candidate', settings: { depth: 0 }, says: 'depth: ' },
  { why: 'reads too many', settings: { depth: 1000 }, says: 'depth: ' },
  { why: 'has a depth in words', settings: { depth: 'all' }, says: 'depth: ' },
  { why: 'has an unknown score', settings: { score: 'softmax' }, says: 'score: ' },
  { why: 'has a setting of embedding models', settings: { pooling: 'mean' }, says: 'pooling' },
  { why: 'has a mistyped key', settings: { max_tokens: 64 }, says: 'max_tokens' },
])('a cross-encoder that $why is refused, with the field', ({ settings, says }) => {
  const written = { model: 'a/b', ...settings }
  expect(() => crossEncoderOptions(written, { cacheDir })).toThrow(EmbeddingModelError)
  expect(() => crossEncoderOptions(written, { cacheDir })).toThrow(says)
})
