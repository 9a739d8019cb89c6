import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AutoTokenizer, env, type PreTrainedTokenizer } from '@huggingface/transformers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decoderFamily } from '../../../src/adapters/transformers/decoder-families.ts'
import { crossEncoderOptions } from '../../../src/adapters/transformers/files/options.ts'
import { transformersCrossEncoder } from '../../../src/adapters/transformers/transformers-models.ts'
import type { CrossEncoder } from '../../../src/retrieval/rank/cross-encoder.ts'
import { keepsTheCrossEncoderContract } from '../../contracts/cross-encoder.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import {
  decoderVectors,
  decoderVocabulary,
  positionWeight,
  writeTinyCausal,
  writeTinySeq2Seq,
} from '../../fixtures/onnx/tiny-decoder.ts'
import { tinyDimensions } from '../../fixtures/onnx/word-vectors.ts'

let folder: string
let compiled: CompiledTransformers
const tokenizers = new Map<string, PreTrainedTokenizer>()
const opened: CrossEncoder[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-decoder-'))
  compiled = await compiledTransformers()
  await writeTinyCausal(join(folder, 'qwen'))
  await writeTinyCausal(join(folder, 'last'), { keepsLast: true })
  await writeTinySeq2Seq(join(folder, 't5'))
  await writeTinySeq2Seq(join(folder, 'mt5'), {
    architectures: ['MT5ForConditionalGeneration'],
    model_type: 'mt5',
  })
  env.allowRemoteModels = false
  for (const name of ['qwen', 't5'])
    tokenizers.set(name, await AutoTokenizer.from_pretrained(join(folder, name)))
})
afterAll(async () => {
  await Promise.all(opened.map((encoder) => encoder.close()))
  await compiled.remove()
  await rm(folder, { recursive: true })
})

async function tiny(name: string, settings: object = {}): Promise<CrossEncoder> {
  const options = crossEncoderOptions(
    { model: join(folder, name), score: 'logit', ...settings },
    { cacheDir: join(folder, 'cache') },
  )
  const encoder = await transformersCrossEncoder(options, { workerEntry: compiled.entry })
  opened.push(encoder)
  return encoder
}

const query = 'review a lease'
const documents = ['review a lease', 'lease contract of the city', 'find the weather', 'git', '']

/** The prompt of Qwen3-Reranker's card, as a whole. */
const qwenPrompt = (
  document: string,
  task = 'Given a web search query, retrieve relevant passages that answer the query',
): string =>
  '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that ' +
  `the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n<Instruct>: ${task}\n<Query>: ${query}\n` +
  `<Document>: ${document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`

const vectors = decoderVectors()
const vectorOf = (token: number): Float32Array =>
  vectors.subarray(token * tinyDimensions, (token + 1) * tinyDimensions)

/** The log odds of two words at a place: reckoned from the tokens of the whole text, by another way than the model's graph. */
function logOdds(
  tokens: readonly number[],
  last: number,
  {
    words,
    weight,
  }: { readonly words: readonly [string, string]; readonly weight: (place: number) => number },
): number {
  const [yes, no] = words.map((word) => vectorOf(decoderVocabulary.indexOf(word))) as [
    Float32Array,
    Float32Array,
  ]
  let sum = 0
  for (let axis = 0; axis < tinyDimensions; axis++) {
    const mean =
      tokens.reduce((all, token, place) => all + weight(place) * vectorOf(token)[axis]!, 0) / tokens.length
    sum += (vectorOf(last)[axis]! + mean) * (yes[axis]! - no[axis]!)
  }
  return sum
}

function byQwen(document: string, task?: string): number {
  const tokens = tokenizers.get('qwen')!.encode(qwenPrompt(document, task))
  return logOdds(tokens, tokens.at(-1)!, { words: ['yes', 'no'], weight: positionWeight })
}

function byT5(document: string, words: readonly [string, string]): number {
  const tokens = tokenizers.get('t5')!.encode(`Query: ${query} Document: ${document} Relevant:`)
  return logOdds(tokens, 0, { words, weight: () => 1 })
}

const close = (scores: Float32Array, expected: readonly number[]): void => {
  expect(scores).toHaveLength(expected.length)
  for (const [at, score] of scores.entries()) expect(score).toBeCloseTo(expected[at]!, 3)
}

describe('a causal language model that answers yes or no', () =>
  keepsTheCrossEncoderContract(() => tiny('qwen', { score: 'sigmoid' })))
describe('an encoder and decoder that answers true or false', () =>
  keepsTheCrossEncoderContract(() => tiny('t5', { score: 'sigmoid' })))

test.each([{ name: 'qwen' }, { name: 'last' }])(
  'Qwen3-Reranker reads the prompt of its card, and the log odds of yes are the score ($name)',
  async ({ name }) => {
    const expected = documents.map((document) => byQwen(document))
    expect(new Set(expected.map((each) => each.toFixed(3))).size).toBe(documents.length)
    close(await (await tiny(name)).score(query, documents), expected)
    close(await (await tiny(name, { batchSize: 5 })).score(query, documents), expected)
  },
)

test('a probability is the share of yes among yes and no', async () => {
  const scores = await (await tiny('qwen', { score: 'sigmoid' })).score(query, documents)
  close(
    scores,
    documents.map((document) => 1 / (1 + Math.exp(-byQwen(document)))),
  )
})

test('the task of the settings stands in its place, and in the id', async () => {
  const encoder = await tiny('qwen', { task: 'find the git' })
  close(
    await encoder.score(query, documents),
    documents.map((document) => byQwen(document, 'find the git')),
  )
  expect(encoder.id).toContain('task=find+the+git')
})

test.each([
  { name: 't5', words: ['true', 'false'] as const },
  { name: 'mt5', words: ['yes', 'no'] as const },
])('MonoT5 reads its prompt, and the log odds of $words are the score', async ({ name, words }) => {
  const expected = documents.map((document) => byT5(document, words))
  close(await (await tiny(name)).score(query, documents), expected)
  close(await (await tiny(name, { batchSize: 5 })).score(query, documents), expected)
})

test.each(['qwen', 't5'])(
  'of a text that is too long %s reads the start, and the whole end of the prompt',
  async (name) => {
    const encoder = await tiny(name, { maxTokens: 160 })
    const [one, other, another] = await encoder.score(query, [
      'file '.repeat(300),
      `${'file '.repeat(300)}weather`,
      `weather ${'file '.repeat(300)}`,
    ])
    expect(one).toBe(other)
    expect(another).not.toBeCloseTo(one!, 4)
  },
)

test.each([
  {
    why: 'gives no logits',
    write: (place: string) => writeTinyCausal(place, { output: 'last_hidden_state' }),
    says: 'gives logits of its words, but the model gives last_hidden_state [1, ',
  },
  {
    why: 'is of another family',
    write: (place: string) =>
      writeTinyCausal(place, { config: { architectures: ['LlamaForCausalLM'], model_type: 'llama' } }),
    says: 'a language model of a family whose prompt for reranking is not known',
  },
])('a language model that $why is refused', async ({ write, says, why }) => {
  const model = await write(join(folder, why.replaceAll(' ', '-')))
  await expect(tiny(model.slice(folder.length + 1))).rejects.toMatchObject({
    name: 'EmbeddingModelError',
    message: expect.stringContaining(says),
    remedy: expect.stringMatching(/.{20}/),
  })
})

test.each([
  { config: { architectures: ['Qwen3ForCausalLM'] }, model: '/models/mine', kind: 'causal' },
  { config: { architectures: ['T5ForConditionalGeneration'] }, model: 'acme/anything', kind: 'seq2seq' },
  { config: {}, model: 'onnx-community/Qwen3-Reranker-0.6B-ONNX', kind: 'causal' },
  { config: {}, model: 'castorini/monot5-base-msmarco', kind: 'seq2seq' },
  {
    config: { architectures: ['BertForSequenceClassification'] },
    model: 'acme/monot5-like',
    kind: undefined,
  },
  { config: {}, model: 'Xenova/bge-reranker-base', kind: undefined },
])(
  '$model with $config is of kind $kind: its configuration counts before its name',
  ({ config, model, kind }) => {
    const family = decoderFamily(config, model)
    expect(family === 'unknown' ? family : family?.kind).toBe(kind)
  },
)
