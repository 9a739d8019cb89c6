import { expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { EmbeddingModelError } from '../../../src/retrieval/rank/embedding-model-error.ts'

const cacheDir = '/home/ada/.audition/models'
const options = (settings: unknown) => transformersOptions(settings, { cacheDir })

test('a model alone gets safe defaults: no download, one thread, repeatable vectors', () => {
  expect(options({ model: 'acme/embedder' })).toEqual({
    model: 'acme/embedder',
    stated: ['model'],
    pooling: 'mean',
    queryPrefix: '',
    documentPrefix: '',
    dtype: 'q8',
    maxTokens: 512,
    cacheDir,
    allowDownload: false,
    hubUrl: 'https://huggingface.co/',
    batchSize: 1,
    threads: 1,
  })
})

const searchingPassages = 'Represent this sentence for searching relevant passages: '

test.each([
  { model: 'Xenova/e5-small-v2', pooling: 'mean', query: 'query: ', document: 'passage: ' },
  { model: 'Xenova/multilingual-e5-base', pooling: 'mean', query: 'query: ', document: 'passage: ' },
  { model: '/models/intfloat/e5-large-v2/', pooling: 'mean', query: 'query: ', document: 'passage: ' },
  { model: 'Xenova/bge-small-en-v1.5', pooling: 'cls', query: searchingPassages, document: '' },
  { model: 'Xenova/bge-m3', pooling: 'cls', query: '', document: '' },
  { model: 'Xenova/gte-small', pooling: 'mean', query: '', document: '' },
  { model: 'Alibaba-NLP/gte-modernbert-base', pooling: 'cls', query: '', document: '' },
  { model: 'Alibaba-NLP/gte-base-en-v1.5', pooling: 'cls', query: '', document: '' },
  { model: 'Xenova/all-MiniLM-L6-v2', pooling: 'mean', query: '', document: '', maxTokens: 256 },
  { model: 'Xenova/all-MiniLM-L12-v2', pooling: 'mean', query: '', document: '', maxTokens: 128 },
  { model: 'mixedbread-ai/mxbai-embed-large-v1', pooling: 'cls', query: searchingPassages, document: '' },
  { model: 'Snowflake/snowflake-arctic-embed-s', pooling: 'cls', query: searchingPassages, document: '' },
  { model: 'Snowflake/snowflake-arctic-embed-m-v2.0', pooling: 'cls', query: 'query: ', document: '' },
  {
    model: 'nomic-ai/nomic-embed-text-v1.5',
    pooling: 'mean',
    query: 'search_query: ',
    document: 'search_document: ',
  },
  { model: 'acme/my-e5-like', pooling: 'mean', query: '', document: '' },
])('$model gets what its card asks for', ({ model, pooling, query, document, maxTokens = 512 }) => {
  expect(options({ model })).toMatchObject({
    pooling,
    queryPrefix: query,
    documentPrefix: document,
    maxTokens,
  })
})

test('the instruction of Qwen3-Embedding has its task and no space at the end', () => {
  const { pooling, queryPrefix } = options({ model: 'onnx-community/Qwen3-Embedding-0.6B-ONNX' })
  expect(pooling).toBe('last')
  expect(queryPrefix).toMatch(/^Instruct: .+\nQuery:$/)
})

test('every default of a family gives way to a setting, even to an empty one', () => {
  const own = { pooling: 'cls', queryPrefix: '', documentPrefix: 'card: ', maxTokens: 64 }
  expect(options({ model: 'Xenova/e5-small-v2', ...own })).toMatchObject(own)
})

test('a mirror gets its closing slash', () => {
  expect(options({ model: 'a/b', hubUrl: 'https://hub.acme.example/hf' }).hubUrl).toBe(
    'https://hub.acme.example/hf/',
  )
})

test.each([
  { why: 'is missing', settings: {}, says: 'model: ' },
  { why: 'is no object', settings: 'Xenova/gte-small', says: 'model: ' },
  {
    why: 'is a relative path',
    settings: { model: './models/gte' },
    says: 'model: must be an absolute folder or a hub id',
  },
  { why: 'climbs out of the cache', settings: { model: '../secrets' }, says: 'model: must be' },
  { why: 'climbs out of its organisation', settings: { model: 'acme/..' }, says: 'model: must be' },
  { why: 'is a URL', settings: { model: 'https://huggingface.co/a/b' }, says: 'model: must be' },
  { why: 'has an unknown dtype', settings: { model: 'a/b', dtype: 'auto' }, says: 'dtype: ' },
  { why: 'has an unknown pooling', settings: { model: 'a/b', pooling: 'max' }, says: 'pooling: ' },
  { why: 'has a mistyped key', settings: { model: 'a/b', query_prefix: 'q' }, says: 'query_prefix' },
  { why: 'has no threads', settings: { model: 'a/b', threads: 0 }, says: 'threads: ' },
  {
    why: 'has a relative cache',
    settings: { model: 'a/b', cacheDir: 'models' },
    says: 'cacheDir: must be an absolute',
  },
  {
    why: 'would be fetched unprotected',
    settings: { model: 'a/b', hubUrl: 'http://hub.example/' },
    says: 'hubUrl: must be https',
  },
])('a model that $why is refused, with the field', ({ settings, says }) => {
  expect(() => options(settings)).toThrow(EmbeddingModelError)
  expect(() => options(settings)).toThrow(says)
})

test('all wrong fields are named at once', () => {
  expect(() => options({ model: 'a/b', dtype: 'int3', batchSize: 1.5 })).toThrow(/dtype: .*; batchSize: /)
})
