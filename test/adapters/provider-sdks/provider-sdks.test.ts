import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { embedMany } from 'ai'
import { CohereClientV2 } from 'cohere-ai'
import OpenAI from 'openai-sdk'
import { VoyageAIClient } from 'voyageai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { wires as embedWires } from '../../../src/adapters/embed-api/wires.ts'
import { wires as rerankWires } from '../../../src/adapters/rerank-api/wires.ts'

/** A server that gives one answer to everything, and keeps what it was last asked. */
async function canned(answer: object): Promise<{ readonly base: string; asked(): object; path(): string }> {
  let asked: object = {}
  let path = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked = JSON.parse(body)
    path = request.url ?? ''
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, asked: () => asked, path: () => path }
}

const question = { model: 'm-1', query: 'review a lease', documents: ['a lease', 'the weather'] }
const rank = [
  { index: 1, relevance_score: 0.75 },
  { index: 0, relevance_score: 0.25 },
]

describe("rerankers' wires beside the providers' own SDKs: the same request, and the same scores read", () => {
  test('Cohere', async () => {
    const answer = { id: 'r', results: rank, meta: { billed_units: { search_units: 1 } } }
    const server = await canned(answer)
    const sdk = new CohereClientV2({ token: 'k', environment: server.base })
    const theirs = await sdk.rerank(question)

    expect(server.asked()).toEqual(rerankWires.cohere.body(question))
    expect(rerankWires.cohere.answer.parse(answer).scores).toEqual(
      theirs.results.map(({ index, relevanceScore: score }) => ({ index, score })),
    )
  })

  test('Voyage', async () => {
    const answer = { object: 'list', data: rank, model: 'm-1', usage: { total_tokens: 9 } }
    const server = await canned(answer)
    const sdk = new VoyageAIClient({ apiKey: 'k', environment: `${server.base}/v1` })
    const theirs = await sdk.rerank({ ...question, truncation: true })

    expect(server.asked()).toEqual(rerankWires.voyage.body(question))
    expect(rerankWires.voyage.answer.parse(answer).scores).toEqual(
      theirs.data?.map(({ index, relevanceScore: score }) => ({ index, score })),
    )
  })
})

const vectors = [
  [0.5, -0.25],
  [0.125, 1],
]
const data = vectors.map((embedding, index) => ({ object: 'embedding', embedding, index }))
const texts = { model: 'm-1', texts: ['a lease', 'the weather'], dimensions: 2 } as const
const valuesOf = (read: { readonly vectors: readonly { readonly values: readonly number[] }[] }) =>
  read.vectors.map(({ values }) => values)

describe("embeddings' wires beside the providers' own SDKs: the same request, and the same vectors read", () => {
  test('OpenAI', async () => {
    const answer = { object: 'list', data, model: 'm-1', usage: { prompt_tokens: 4, total_tokens: 4 } }
    const server = await canned(answer)
    const sdk = new OpenAI({ apiKey: 'k', baseURL: `${server.base}/v1`, maxRetries: 0 })
    const theirs = await sdk.embeddings.create({
      model: 'm-1',
      input: [...texts.texts],
      dimensions: 2,
      encoding_format: 'float',
    })

    const wire = embedWires.openai
    expect(server.asked()).toEqual(wire.body({ ...texts, role: 'query' }))
    expect(server.path()).toBe(`/v1/${wire.path('m-1')}`)
    expect(valuesOf(wire.answer.parse(answer))).toEqual(theirs.data.map(({ embedding }) => embedding))
  })

  test('Voyage', async () => {
    const answer = { object: 'list', data, model: 'm-1', usage: { total_tokens: 4 } }
    const server = await canned(answer)
    const sdk = new VoyageAIClient({ apiKey: 'k', environment: `${server.base}/v1` })
    const theirs = await sdk.embed({
      model: 'm-1',
      input: [...texts.texts],
      inputType: 'document',
      truncation: true,
      outputDimension: 2,
    })

    const wire = embedWires.voyage
    expect(server.asked()).toEqual(wire.body({ ...texts, role: 'document' }))
    expect(server.path()).toBe(`/v1/${wire.path('m-1')}`)
    expect(valuesOf(wire.answer.parse(answer))).toEqual(theirs.data?.map(({ embedding }) => embedding))
  })

  test('Cohere', async () => {
    const answer = { id: 'e', response_type: 'embeddings_by_type', texts: [], embeddings: { float: vectors } }
    const server = await canned(answer)
    const sdk = new CohereClientV2({ token: 'k', environment: server.base })
    const theirs = await sdk.embed({
      model: 'm-1',
      texts: [...texts.texts],
      inputType: 'search_query',
      truncate: 'END',
      embeddingTypes: ['float'],
      outputDimension: 2,
    })

    const wire = embedWires.cohere
    expect(server.asked()).toEqual(wire.body({ ...texts, role: 'query' }))
    expect(server.path()).toBe(`/v2/${wire.path('m-1')}`)
    expect(valuesOf(wire.answer.parse(answer))).toEqual(theirs.embeddings.float)
  })

  test('Gemini, by the AI SDK', async () => {
    const answer = { embeddings: vectors.map((values) => ({ values })) }
    const server = await canned(answer)
    const google = createGoogleGenerativeAI({ apiKey: 'k', baseURL: `${server.base}/v1beta` })
    const theirs = await embedMany({
      model: google.embeddingModel('m-1'),
      values: [...texts.texts],
      providerOptions: { google: { outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' } },
    })

    const wire = embedWires.gemini
    expect(server.asked()).toEqual(wire.body({ ...texts, role: 'query' }))
    expect(server.path()).toBe(`/v1beta/${wire.path('m-1')}`)
    expect(valuesOf(wire.answer.parse(answer))).toEqual(theirs.embeddings)
  })
})
