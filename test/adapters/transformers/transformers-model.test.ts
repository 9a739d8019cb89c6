import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersModel } from '../../../src/adapters/transformers/transformers-models.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { keepsTheEmbeddingModelContract } from '../../contracts/embedding-model.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { tinyDimensions, writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

let folder: string
let compiled: CompiledTransformers
const opened: EmbeddingModel[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-tiny-'))
  compiled = await compiledTransformers()
  await writeTinyBert(join(folder, 'tiny'), { weights: 'float16' })
  await writeTinyBert(join(folder, 'sentence'), { output: 'sentence_embedding' })
})
afterAll(async () => {
  await Promise.all(opened.map((model) => model.close()))
  await compiled.remove()
  await rm(folder, { recursive: true })
})

/** A tiny model with these settings; closed after the tests. */
async function tiny(settings: object = {}, name = 'tiny'): Promise<EmbeddingModel> {
  const cacheDir = join(folder, 'cache')
  const options = transformersOptions({ model: join(folder, name), ...settings }, { cacheDir })
  const model = await transformersModel(options, { workerEntry: compiled.entry })
  opened.push(model)
  return model
}

const one = async (model: EmbeddingModel, text: string, role: 'query' | 'document' = 'query') =>
  (await model.embed([text], role))[0]!
const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, axis) => sum + value * right[axis]!, 0)

describe('transformersModel', () => keepsTheEmbeddingModelContract(() => tiny()))
describe('transformersModel with single precision and large batches', () =>
  keepsTheEmbeddingModelContract(() => tiny({ dtype: 'fp32', batchSize: 16, threads: 2, pooling: 'cls' })))

test('the dimensions are those of the model', async () => {
  expect((await tiny()).dimensions).toBe(tinyDimensions)
})

test('two loads of one model give the same vectors', async () => {
  const [first, second] = await Promise.all([tiny(), tiny()])
  expect(await one(first, 'review a lease')).toEqual(await one(second, 'review a lease'))
})

test('an instruction stands where the query prefix of the model has a task', async () => {
  const model = await tiny({ queryPrefix: 'Instruct: find a review\nQuery: ' })
  const plain = await tiny({ queryPrefix: '' })
  expect(await model.embedInstructed!('lease', 'review  a\nlease')).toEqual(
    await one(plain, 'Instruct: review a lease\nQuery: lease'),
  )
  expect(plain.embedInstructed).toBeUndefined()
})

describe('what the repository says of itself', () => {
  const own = async (name: string, files: { readonly [path: string]: object | string }) => {
    await writeTinyBert(join(folder, name))
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true })
      await writeFile(
        join(folder, name, path),
        typeof content === 'string' ? content : JSON.stringify(content),
      )
    }
  }
  const files = {
    '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
    'config_sentence_transformers.json': { prompts: { query: 'review ', passage: 'a ' } },
    'sentence_bert_config.json': { max_seq_length: 12 },
  }

  test('decides pooling, prompts and length, and stands in the id', async () => {
    await own('bge-small-en-own', files)
    const model = await tiny({}, 'bge-small-en-own')
    expect(model.id).toMatch(/\?dtype=q8&pooling=cls&maxTokens=12&queryPrefix=review\+&documentPrefix=a\+$/)
    const plain = await tiny({ pooling: 'cls', maxTokens: 12 })
    expect(await one(model, 'lease')).toEqual(await one(plain, 'review lease'))
    expect(await one(model, 'lease', 'document')).toEqual(await one(plain, 'a lease'))
  })

  test('asks the model for its own vector where dense layers follow the pooling, unless a person says otherwise', async () => {
    const dense = [
      { type: 'sentence_transformers.models.Pooling' },
      { type: 'sentence_transformers.models.Dense' },
    ]
    await own('dense', { ...files, 'modules.json': JSON.stringify(dense) })
    await expect(tiny({}, 'dense')).rejects.toThrow('Pooling "model" needs the output sentence_embedding')
    expect((await tiny({ pooling: 'mean' }, 'dense')).id).toContain('pooling=mean')
  })

  test('gives way to what a person wrote', async () => {
    await own('stated', files)
    const model = await tiny({ pooling: 'mean', queryPrefix: '', maxTokens: 20 }, 'stated')
    expect(model.id).toMatch(/\?dtype=q8&pooling=mean&maxTokens=20&documentPrefix=a\+$/)
  })

  test.each([
    {
      why: 'a pooling that is not known',
      file: '1_Pooling/config.json',
      content: { pooling_mode_weightedmean_tokens: true },
      says: /pooling_mode_weightedmean_tokens/,
    },
    {
      why: 'broken JSON',
      file: 'config_sentence_transformers.json',
      content: '{',
      says: /not a JSON object/,
    },
    { why: 'no list of modules', file: 'modules.json', content: '{}', says: /not a JSON list/ },
  ])('$why is an error that names the file', async ({ file, content, says }) => {
    const name = `broken-${file.length}`
    await own(name, { [file]: content })
    await expect(tiny({}, name)).rejects.toMatchObject({
      message: expect.stringContaining(join(folder, name, file)),
    })
    await expect(tiny({}, name)).rejects.toThrow(says)
  })

  test('a pooling that is not known does not matter to who states one', async () => {
    await own('weighted', { '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true } })
    expect((await tiny({ pooling: 'mean' }, 'weighted')).id).toContain('pooling=mean')
  })
})

test('all poolings differ on a text of several words', async () => {
  const vectors = await Promise.all(
    ['mean', 'cls', 'last'].map(async (pooling) =>
      one(await tiny({ pooling, dtype: 'fp32' }), 'review a lease'),
    ),
  )
  const pairs = [
    cosine(vectors[0]!, vectors[1]!),
    cosine(vectors[0]!, vectors[2]!),
    cosine(vectors[1]!, vectors[2]!),
  ]
  expect(Math.max(...pairs)).toBeLessThan(0.99)
})

test('mean pooling agrees with the arithmetic of the model: the mean of words in context', async () => {
  const mean = await one(await tiny({ pooling: 'mean', dtype: 'fp32' }), 'review a lease')
  const itself = await one(await tiny({ pooling: 'model', dtype: 'fp32' }, 'sentence'), 'review a lease')
  expect(cosine(mean, itself)).toBeCloseTo(1, 5)
})

test('weights of other formats give nearly the vectors of single precision', async () => {
  const exact = await one(await tiny({ dtype: 'fp32' }), 'find the weather')
  for (const dtype of ['q8', 'fp16']) {
    const close = await one(await tiny({ dtype }), 'find the weather')
    expect(close).not.toEqual(exact)
    expect(cosine(close, exact)).toBeGreaterThan(0.999)
  }
})

test('prefixes go before the text of their role', async () => {
  const plain = await tiny()
  const prefixed = await tiny({ queryPrefix: 'query: ', documentPrefix: 'passage: ' })
  expect(await one(prefixed, 'lease', 'query')).toEqual(await one(plain, 'query: lease', 'query'))
  expect(await one(prefixed, 'lease', 'document')).toEqual(await one(plain, 'passage: lease', 'document'))
  expect(await one(prefixed, 'lease', 'query')).not.toEqual(await one(prefixed, 'lease', 'document'))
  expect(await one(plain, 'lease', 'query')).toEqual(await one(plain, 'lease', 'document'))
})

test('a batch of texts of all lengths gives the vectors of single texts', async () => {
  const texts = [
    '',
    'lease',
    'find the weather of the city',
    `${'read '.repeat(700)}`,
    '查询 合同',
    'xyzzy !',
  ]
  const [batched, single] = await Promise.all([
    tiny({ batchSize: 6, dtype: 'fp32' }),
    tiny({ dtype: 'fp32' }),
  ])
  const together = await batched.embed(texts, 'document')
  for (const [index, text] of texts.entries()) {
    const alone = await one(single, text, 'document')
    for (const [axis, value] of alone.entries()) expect(together[index]![axis]).toBeCloseTo(value, 5)
  }
})

test('only the first maxTokens of a text count, and its end mark', async () => {
  const model = await tiny({ maxTokens: 8, pooling: 'last' })
  const six = 'read the file of a city'
  expect(await one(model, `${six} lease weather git`)).toEqual(await one(model, six))
  expect(await one(model, `lease ${six}`)).not.toEqual(await one(model, six))
})

test.each([
  { why: 'nothing at all', text: '' },
  { why: 'only spaces', text: ' \n\t ' },
  { why: 'Chinese, known and unknown', text: '查询天气，鱻' },
  { why: '5,000 characters', text: 'find the file '.repeat(358) },
  { why: 'one word of 200,000 characters', text: 'x'.repeat(200_000) },
  { why: 'half of a surrogate pair, and NUL', text: 'lease \ud83d \0 file' },
])('a text of $why gets a vector of length 1', async ({ text }) => {
  const vector = await one(await tiny(), text)
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
})

test('many calls at once each get their own answers', async () => {
  const model = await tiny({ batchSize: 3 })
  const words = 'query passage search find lease contract weather city file read write review git'.split(' ')
  const expected = await Promise.all(words.map((word) => one(model, word)))
  const calls = Array.from({ length: 200 }, async (_, call) => {
    const asked = [call, call + 1, call + 5].map((shift) => shift % words.length)
    const vectors = await model.embed(
      asked.map((index) => words[index]!),
      call % 2 === 0 ? 'query' : 'document',
    )
    for (const [place, vector] of vectors.entries()) {
      expect(cosine(vector, expected[asked[place]!]!)).toBeGreaterThan(0.999)
    }
  })
  await Promise.all(calls)
})

test('the event loop turns while a long text is computed', async () => {
  const model = await tiny({ batchSize: 256 })
  const texts = Array.from({ length: 256 }, () => 'read the file of the city '.repeat(90))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await model.embed(texts, 'document') // one batch: had the main thread computed it, no timer could fire
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})

test('a query overtakes the documents that wait', async () => {
  const model = await tiny()
  const order: string[] = []
  const documents = Array.from({ length: 20 }, (_, index) =>
    model.embed([`file ${index}`], 'document').then(() => order.push('document')),
  )
  await Promise.all([...documents, model.embed(['lease'], 'query').then(() => order.push('query'))])
  expect(order.indexOf('query')).toBeLessThan(3)
})

test('an abort in the middle rejects with its reason, and the model goes on', async () => {
  const model = await tiny()
  const abort = new AbortController()
  const reason = new Error('no longer needed')
  const long = model.embed(Array(500).fill('read the file '.repeat(100)), 'document', abort.signal)
  const other = one(model, 'lease')
  abort.abort(reason)
  await expect(long).rejects.toBe(reason)
  expect(Math.hypot(...(await other))).toBeCloseTo(1, 5)
})

test('closing rejects the calls that wait, and all later ones', async () => {
  const model = await tiny()
  const waiting = model.embed(Array(50).fill('read the file '.repeat(100)), 'document')
  const rejected = expect(waiting).rejects.toThrow('The embedding model was closed.')
  await model.close()
  await rejected
  await expect(model.embed(['lease'], 'query')).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    remedy: 'Load the model again to use it.',
  })
})
