import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchAnswer, SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { ScoreWatch } from '../../../src/retrieval/rank/cross-encoder.ts'
import { rerankByCrossEncoder } from '../../../src/retrieval/search/rerank.ts'
import type { RankedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import { RerankerError } from '../../../src/retrieval/rank/service-failures.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { embeddingText } from '../../../src/retrieval/text/card-texts.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { fixedCrossEncoder } from '../../fakes/fixed-cross-encoder.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { smallCatalog } from '../small-catalog.ts'

const tools = Array.from({ length: 12 }, (_, number) =>
  toolCard(`shop/tool-${String(number).padStart(2, '0')}`, { description: `number ${number}` }),
)
const snapshot = await memorySnapshot(tools)
/** Documents are numbered by id: document n is "number n". */
const numberIn = (text: string): number => Number(/number (\d+)/.exec(text)![1])

const rankedOf = (scores: readonly number[]): readonly RankedCard[] =>
  scores
    .map((score, document) => ({
      document,
      score,
      lexical: score,
      dense: undefined,
      probability: undefined,
      lift: undefined,
      facets: [],
    }))
    .sort((a, b) => b.score - a.score || b.document - a.document)

const rerank = (ranked: readonly RankedCard[], depth: number, relevance: (document: number) => number) =>
  rerankByCrossEncoder(
    { encoder: fixedCrossEncoder((text) => relevance(numberIn(text))), depth },
    { snapshot, kind: 'tool', query: 'a query', ranked },
  )
const documents = (ranked: readonly RankedCard[]): readonly number[] => ranked.map(({ document }) => document)

describe('rerankByCrossEncoder', () => {
  const ranked = rankedOf([0.1, 0.2, 0.3, 0.4, 1])

  test.each([
    { depth: 1, order: [4, 3, 2, 1, 0], why: 'one candidate has no other place' },
    { depth: 3, order: [2, 3, 4, 1, 0], why: 'the first three are turned round' },
    { depth: 5, order: [0, 1, 2, 3, 4], why: 'all are turned round' },
    { depth: 200, order: [0, 1, 2, 3, 4], why: 'there are fewer than it may read' },
  ])('of depth $depth puts them $order: $why', async ({ depth, order }) => {
    const reranked = await rerank(ranked, depth, (document) => -document)
    expect(documents(reranked.ranked)).toEqual(order)
    expect([...reranked.relevance.keys()].sort()).toEqual(documents(ranked.slice(0, depth)).toSorted())
  })

  test('of nothing is nothing, and asks nobody', async () => {
    const encoder = fixedCrossEncoder(() => 1)
    const stage = { encoder, depth: 30 }
    expect(await rerankByCrossEncoder(stage, { snapshot, kind: 'tool', query: 'x', ranked: [] })).toEqual({
      ranked: [],
      relevance: new Map(),
      reranking: { model: 'fixed', candidates: 0, requests: 0 },
      note: '',
    })
    expect(encoder.read).toEqual([])
  })

  test('lets the model read the query and the whole texts of the first candidates, best first', async () => {
    const encoder = fixedCrossEncoder(() => 1)
    await rerankByCrossEncoder({ encoder, depth: 2 }, { snapshot, kind: 'tool', query: 'a query', ranked })
    expect(encoder.read).toEqual([
      { query: 'a query', documents: [embeddingText(tools[4]!), embeddingText(tools[3]!)] },
    ])
  })

  test('keeps the other evidence of every candidate', async () => {
    const reranked = await rerank(ranked, 3, (document) => document)
    for (const { score: _, ...evidence } of reranked.ranked)
      expect(ranked.map(({ score: _, ...before }) => before)).toContainEqual(evidence)
  })

  // In millionths: of numbers that lie closer together nobody can tell the order once they are scaled.
  const ranking = fc
    .array(
      fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6),
      { maxLength: tools.length },
    )
    .map(rankedOf)
  const relevances = fc.array(
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.float({ min: -50, max: 50, noNaN: true })),
    {
      minLength: tools.length,
      maxLength: tools.length,
    },
  )

  test('gives back the same cards in the order of their scores, the read ones by relevance before the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        ranking,
        relevances,
        fc.integer({ min: 1, max: 15 }),
        async (before, numbers, depth) => {
          const { ranked: after } = await rerank(before, depth, (document) => numbers[document]!)
          expect(documents(after).toSorted((a, b) => a - b)).toEqual(
            documents(before).toSorted((a, b) => a - b),
          )
          expect(after).toEqual(after.toSorted((a, b) => b.score - a.score || b.document - a.document))
          expect(after.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
          const read = after.slice(0, depth)
          expect(new Set(documents(read))).toEqual(new Set(documents(before.slice(0, depth))))
          for (const [place, card] of read.slice(1).entries())
            expect(numbers[card.document]!).toBeLessThanOrEqual(
              Math.fround(numbers[read[place]!.document]!) + 1e-6,
            )
          expect(documents(after.slice(depth))).toEqual(documents(before.slice(depth)))
        },
      ),
    )
  })

  test('knows no scale: logits and their probabilities give one order', async () => {
    const order = async (scale: (logit: number) => number) =>
      documents((await rerank(ranked, 5, (document) => scale([3, -2, 0, 5, 1][document]!))).ranked)
    expect(await order((logit) => logit)).toEqual([3, 0, 4, 2, 1])
    expect(await order((logit) => 1 / (1 + Math.exp(-logit)))).toEqual([3, 0, 4, 2, 1])
  })
})

describe('a search with a cross-encoder', async () => {
  const model = hashedWordsModel()
  const dense = { snapshot: await memorySnapshot(smallCatalog, model), model }
  const lexical = { snapshot: await memorySnapshot(smallCatalog), model: null }
  const shortest = fixedCrossEncoder((document) => 1 / document.length)
  const crossEncoder = { encoder: shortest, depth: 3 }
  const request: SearchRequest = { kind: 'tool', query: 'list the issues of a repository', pack: 'ranking' }
  const ids = ({ candidates }: SearchAnswer): string[] => candidates.map(({ card }) => card.id)

  test.each([{ context: dense }, { context: lexical }])('reranks by itself', async ({ context }) => {
    const plain = await search(context, request)
    const reranked = await search({ ...context, crossEncoder }, request)
    expect(reranked.ranker).toBe('cross-encoder')
    expect(await search({ ...context, crossEncoder }, { ...request, ranker: 'cross-encoder' })).toEqual(
      reranked,
    )
    const byLength = plain.candidates.slice(0, 3).map(({ card }) => card)
    byLength.sort((a, b) => embeddingText(a).length - embeddingText(b).length)
    expect(ids(reranked)).toEqual([...byLength.map(({ id }) => id), ...ids(plain).slice(3)])
    expect(ids(reranked)).not.toEqual(ids(plain))
  })

  test.each(['lexical', 'dense', 'hybrid', 'rrf'] as const)(
    '%s is that ranker and no more',
    async (ranker) => {
      const asked = { ...request, ranker }
      const own = fixedCrossEncoder(() => 1)
      const answer = await search({ ...dense, crossEncoder: { encoder: own, depth: 3 } }, asked)
      expect(answer).toEqual(await search(dense, asked))
      expect(own.read).toEqual([])
    },
  )

  test('tells the relevance of the candidates it read, and of no others', async () => {
    const { candidates } = await search({ ...lexical, crossEncoder }, { ...request, k: 5 })
    const told = candidates.map(({ signals }) => signals.crossEncoder)
    expect(told.slice(0, 3)).toEqual(
      candidates.slice(0, 3).map(({ card }) => Math.fround(1 / embeddingText(card).length)),
    )
    expect(candidates.length).toBeGreaterThan(3)
    expect(told.slice(3).every((one) => one === undefined)).toBe(true)
  })

  test('reads query and instruction together', async () => {
    const own = fixedCrossEncoder(() => 1)
    await search(
      { ...lexical, crossEncoder: { encoder: own, depth: 3 } },
      { ...request, instruction: 'be quick' },
    )
    expect(own.read.map(({ query }) => query)).toEqual([`${request.query}\nbe quick`])
  })

  test('gives the same answer for the same request', async () => {
    const once = await search({ ...dense, crossEncoder }, { kind: 'agent', query: request.query })
    expect(await search({ ...dense, crossEncoder }, { kind: 'agent', query: request.query })).toEqual(once)
  })

  test.each([
    {
      error: new RerankerError('api.test is busy.', 'Try again later.'),
      says: 'api.test is busy. Try again later.',
    },
    { error: new Error('/home/me/model: damaged'), says: 'it failed. `audition doctor`' },
  ])('answers from the stage before when it fails, and says so: $says', async ({ error, says }) => {
    const encoder = { ...shortest, score: () => Promise.reject(error) }
    const plain = await search(dense, { ...request, k: 9 })
    const answer = await search({ ...dense, crossEncoder: { encoder, depth: 3 } }, { ...request, k: 9 })
    expect(answer.candidates).toEqual(plain.candidates)
    expect(answer).toMatchObject({ ranker: plain.ranker, match: plain.match })
    expect(answer.reranking?.failure).toContain(error.message)
    expect(answer.note).toContain(`Ranked without the reranker: ${says}`)
    expect(answer.note).not.toContain('/home/me')
  })

  test('adds up what the requests took', async () => {
    const encoder = {
      ...shortest,
      async score(_: string, documents: readonly string[], { onUsage }: ScoreWatch = {}) {
        onUsage?.({ tokens: { input: 10, output: 2 }, cost: 0.25 })
        onUsage?.({ tokens: { input: 5, output: 1 }, cost: 0.5 })
        onUsage?.({})
        return new Float32Array(documents.length)
      },
    }
    const { reranking } = await search({ ...lexical, crossEncoder: { encoder, depth: 3 } }, request)
    expect(reranking).toEqual({
      model: 'fixed',
      candidates: 3,
      requests: 3,
      cost: 0.75,
      tokens: { input: 15, output: 3 },
    })
  })

  test('an abort reaches the model', async () => {
    const abort = new AbortController()
    const encoder = {
      ...shortest,
      score: async (_: string, __: readonly string[], { signal }: ScoreWatch = {}) => {
        abort.abort(new Error('no longer needed'))
        signal?.throwIfAborted()
        return new Float32Array(3)
      },
    }
    await expect(
      search({ ...lexical, crossEncoder: { encoder, depth: 3 } }, request, abort.signal),
    ).rejects.toThrow('no longer needed')
  })

  test('asked for and not there is an error that says what to set', async () => {
    await expect(search(dense, { ...request, ranker: 'cross-encoder' })).rejects.toMatchObject({
      message: 'Ranker "cross-encoder" needs a cross-encoder, and none is configured.',
      remedy: expect.stringContaining('set AUDITION_RERANKER'),
    })
  })
})
