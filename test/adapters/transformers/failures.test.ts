import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-models.ts'
import { EmbeddingModelError } from '../../../src/retrieval/rank/embedding-model-error.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { type TinyModel, writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

let folder: string
let compiled: CompiledTransformers
let copies = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-broken-'))
  compiled = await compiledTransformers()
  await writeTinyBert(join(folder, 'sound'))
})
afterAll(async () => {
  await compiled.remove()
  await rm(folder, { recursive: true })
})

/** Tries to load a model and gives the error; fails when it loads. */
async function failure(settings: object, surroundings = {}): Promise<EmbeddingModelError> {
  const options = transformersOptions(settings, { cacheDir: join(folder, 'cache') })
  const load = transformersModel(options, { workerEntry: compiled.entry, ...surroundings })
  const error = await load.then(
    (model) => model.close().then(() => null),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(EmbeddingModelError)
  return error as EmbeddingModelError
}

async function copyOfSound(): Promise<string> {
  const copy = join(folder, `copy-${copies++}`)
  await cp(join(folder, 'sound'), copy, { recursive: true })
  return copy
}

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 90387606\n'

test.each([
  { what: 'config.json', why: 'is missing', says: 'missing', remedy: 'Copy the whole model folder' },
  { what: 'tokenizer.json', why: 'is missing', says: 'missing', remedy: 'Copy the whole model folder' },
  {
    what: 'tokenizer_config.json',
    why: 'is missing',
    says: 'missing',
    remedy: 'Copy the whole model folder',
  },
  {
    what: 'onnx/model_quantized.onnx',
    why: 'is missing',
    says: 'dtype q8 needs it',
    remedy: 'Set dtype to fp32',
  },
  {
    what: 'tokenizer.json',
    why: 'is a pointer',
    content: pointer,
    says: 'a Git-LFS pointer',
    remedy: 'git lfs pull',
  },
  {
    what: 'onnx/model_quantized.onnx',
    why: 'is a pointer',
    content: pointer,
    says: 'a Git-LFS pointer',
    remedy: 'git lfs pull',
  },
  {
    what: 'onnx/model_quantized.onnx',
    why: 'is empty',
    content: '',
    says: 'empty',
    remedy: 'download the model again',
  },
  {
    what: 'onnx/model_quantized.onnx',
    why: 'is no ONNX',
    content: '<html>Not Found</html>',
    says: 'cannot be loaded',
    remedy: 'download the model again',
  },
  {
    what: 'config.json',
    why: 'is cut off',
    content: '{"model_type":',
    says: 'not valid JSON',
    remedy: 'again',
  },
])('$what that $why is named, with the cure', async ({ what, content, says, remedy }) => {
  const model = await copyOfSound()
  if (content === undefined) await rm(join(model, what))
  else await writeFile(join(model, what), content)
  const error = await failure({ model })
  expect(error.message).toContain(join(model, what))
  expect(error.message).toContain(says)
  expect(error.remedy).toContain(remedy)
})

test('weights that end too early are named', async () => {
  const model = await copyOfSound()
  const file = join(model, 'onnx', 'model_quantized.onnx')
  await truncate(file, Math.floor((await readFile(file)).length / 2))
  const error = await failure({ model })
  expect(error.message).toContain(`${model}: the model cannot be loaded: `)
  expect(error.message).toContain(file)
})

test('external weights that the config promises but the folder lacks end the load, not hang it', async () => {
  const model = await copyOfSound()
  const config = JSON.parse(await readFile(join(model, 'config.json'), 'utf8'))
  const promised = { ...config, 'transformers.js_config': { use_external_data_format: true } }
  await writeFile(join(model, 'config.json'), JSON.stringify(promised))
  expect((await failure({ model })).message).toContain('model_quantized.onnx_data')
})

test('a tokenizer of an unknown kind is named', async () => {
  const model = await copyOfSound()
  await writeFile(join(model, 'tokenizer.json'), '{"version":"1.0"}')
  expect((await failure({ model })).message).toContain(`the model cannot be loaded: `)
})

test('a folder that is not there is named', async () => {
  const model = join(folder, 'nowhere')
  const error = await failure({ model })
  expect(error.message).toBe(`${model}: there is no such folder.`)
})

test.each<{ why: string; tiny: TinyModel; settings?: object; says: string; remedy: string }>([
  {
    why: 'a classifier',
    tiny: { output: 'logits' },
    says: 'needs the output last_hidden_state or token_embeddings, but the model gives logits [1, 1]',
    remedy: 'Choose an embedding model',
  },
  {
    why: 'a model that pools itself',
    tiny: { output: 'sentence_embedding' },
    says: 'but the model gives sentence_embedding [1, 16]',
    remedy: 'Set pooling to model.',
  },
  {
    why: 'a model that does not pool itself',
    tiny: {},
    settings: { pooling: 'model' },
    says: 'but the model gives last_hidden_state [1, 3, 16]',
    remedy: 'another pooling',
  },
  {
    why: 'a model of zeros',
    tiny: { scale: 0 },
    says: 'gave no direction for the text "dimensions"',
    remedy: 'Set dtype to fp32',
  },
  {
    why: 'a model with other dimensions than asked',
    tiny: {},
    settings: { dimensions: 384 },
    says: 'its vectors have 16 dimensions, but the settings ask for 384',
    remedy: 'Set dimensions to 16',
  },
])('$why is refused', async ({ tiny, settings, says, remedy }) => {
  const model = await writeTinyBert(join(folder, `refused-${copies++}`), tiny)
  const error = await failure({ model, ...settings })
  expect(error.message).toContain(model)
  expect(error.message).toContain(says)
  expect(error.remedy).toContain(remedy)
})

test('a tokenizer that does not belong to the model fails the call, not the model', async () => {
  const model = await copyOfSound()
  const tokenizer = JSON.parse(await readFile(join(model, 'tokenizer.json'), 'utf8'))
  tokenizer.model.vocab.lease = 30_000
  await writeFile(join(model, 'tokenizer.json'), JSON.stringify(tokenizer))
  const options = transformersOptions({ model }, { cacheDir: folder })
  const loaded = await transformersModel(options, { workerEntry: compiled.entry })
  await expect(loaded.embed(['a lease'], 'query')).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining('could not compute these texts'),
  })
  await expect(loaded.embed(['a city'], 'query')).resolves.toHaveLength(1)
  await loaded.close()
})

test('a model that is nowhere on this machine is not fetched without consent', async () => {
  const localModelPath = join(folder, 'offline')
  const error = await failure({ model: 'acme/absent', localModelPath })
  expect(error.message).toBe(
    `acme/absent: not on this machine with dtype q8 (looked in ${join(localModelPath, 'acme/absent')} and ` +
      `${join(folder, 'cache', 'acme/absent')}).`,
  )
  expect(error.remedy).toContain('Set allowDownload to true')
})

test('a package that is installed but broken is told', async () => {
  const packageUrl = 'data:text/javascript,throw new Error("libonnxruntime.so.1: cannot open")'
  const error = await failure({ model: join(folder, 'sound') }, { packageUrl })
  expect(error.message).toBe(
    '@huggingface/transformers is installed but does not load: libonnxruntime.so.1: cannot open.',
  )
  expect(error.remedy).toContain('Install it again')
})
