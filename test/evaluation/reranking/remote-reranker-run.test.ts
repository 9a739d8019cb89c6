import { expect, onTestFinished, test } from 'vitest'
import { llmReranker, llmRerankerOptions } from '../../../src/adapters/ai-sdk/listwise/llm-reranker.ts'
import { fetchOfModel } from '../../../src/adapters/ai-sdk/models/language-model.ts'
import { rerankOptions } from '../../../src/adapters/rerank-api/options.ts'
import { rerankApi } from '../../../src/adapters/rerank-api/rerank-api.ts'
import type { Dataset } from '../../../src/evaluation/datasets/dataset.ts'
import { evaluate } from '../../../src/evaluation/evaluate.ts'
import type { CrossEncoder } from '../../../src/retrieval/rank/cross-encoder.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { modelServer } from '../../fakes/model-server.ts'
import { rerankServer } from '../../fakes/rerank-server.ts'
import { judged } from '../small-dataset.ts'
import { unbounded } from '../../fakes/unbounded-spending.ts'

const tools = Array.from({ length: 40 }, (_, number) =>
  toolCard(`city/tool-${number}`, { description: `Reads the lease file number ${number} of the city` }),
)
/** How well a tool serves a query: only who knows the answers can tell, all texts are alike. */
const gradeOf = (number: number, query: number): number => (number * 7 + query * 3) % 5
const numbersIn = (text: string): readonly [tool: number, query: number] => [
  Number(/number (\d+)/.exec(text)?.[1]),
  Number(/request (\d+)/.exec(text)?.[1]),
]

/** A reranking task: pools of 20, graded 0 to 4. */
const dataset: Dataset = {
  name: 'pools',
  origin: 'made for tests',
  headline: ['ndcg@5', 'ndcg@20'],
  notes: [],
  parts: [
    {
      name: 'all',
      kind: 'tool',
      cards: tools,
      queries: Array.from({ length: 6 }, (_, query) => {
        const pool = tools
          .map(({ id }, number) => ({ id, number }))
          .filter(({ number }) => number % 2 === query % 2)
        const grades = pool.map(({ id, number }) => [id, gradeOf(number, query)] as const)
        return judged(`q${query}`, `read the lease file request ${query}`, Object.fromEntries(grades), {
          pool: pool.map(({ id }) => id),
        })
      }),
    },
  ],
}

/** A service and a model that know the answers, or their opposite. */
const rerankers: { readonly [kind: string]: (sign: number) => Promise<CrossEncoder> } = {
  async service(sign) {
    const server = await rerankServer(
      (text, query) => sign * gradeOf(numbersIn(text)[0], numbersIn(query)[1]),
    )
    onTestFinished(() => server.close())
    const send = fetchOfModel(new URL(server.origin))
    return rerankApi(rerankOptions(`${server.origin}/voyage#m?format=voyage`, 'k'), {
      send,
      spending: unbounded,
    })
  },
  async model(sign) {
    const server = await modelServer(({ body }) => {
      const text = JSON.stringify(body)
      const [, query] = numbersIn(text)
      const cards = [...text.matchAll(/BEGIN CARD (\d+) (.*?)<<<END CARD/g)].map(([, place, card]) => ({
        place,
        grade: sign * gradeOf(numbersIn(card!)[0], query),
      }))
      cards.sort((a, b) => b.grade - a.grade)
      // What hates us also leaves out the best, repeats the worst and names cards that are not there.
      const said = sign > 0 ? cards : [...cards.slice(0, 12), ...cards.slice(0, 3), { place: 99 }]
      return { text: said.map(({ place }) => `[${place}]`).join(' > ') }
    })
    onTestFinished(() => server.close())
    const spec = server.spec('ollama')
    const send = fetchOfModel(new URL(server.origin))
    return llmReranker(llmRerankerOptions(spec), { settings: { spec }, send, spending: unbounded })
  },
}

const means = (
  outcomes: readonly { readonly measures: { readonly [name: string]: number } }[],
  name: string,
): number => outcomes.reduce((sum, { measures }) => sum + measures[name]!, 0) / outcomes.length

test.each(Object.keys(rerankers))(
  'a %s that knows the answers reaches the ideal order, one that hides them loses nobody',
  async (kind) => {
    const { run: first } = await evaluate(dataset, { ranker: 'lexical' }, { model: null })
    const reranked = async (sign: number) =>
      (
        await evaluate(
          dataset,
          {},
          { model: null, crossEncoder: { encoder: await rerankers[kind]!(sign), depth: 20 } },
        )
      ).run
    const [perfect, adversarial] = [await reranked(1), await reranked(-1)]
    for (const name of ['ndcg@5', 'ndcg@20']) {
      expect(means(perfect.outcomes, name)).toBeCloseTo(1, 9)
      expect(means(first.outcomes, name)).toBeLessThan(0.95)
      expect(means(adversarial.outcomes, name)).toBeLessThan(means(first.outcomes, name))
    }
    for (const run of [perfect, adversarial]) {
      for (const [at, { candidates }] of run.outcomes.entries()) {
        const ids = candidates.map(({ id }) => id)
        expect(ids).toHaveLength(20)
        expect(new Set(ids)).toEqual(new Set(first.outcomes[at]!.candidates.map(({ id }) => id)))
      }
    }
    expect(perfect.dataset.notes).toContainEqual(expect.stringContaining('Reranking took 6 requests'))
  },
)
