import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import type { Dataset, PublishedTable } from '../../../src/evaluation/datasets/dataset.ts'
import { betterThan, letterOf } from '../../../src/evaluation/reranking/better-than.ts'
import { evaluateReranking } from '../../../src/evaluation/evaluate-reranking.ts'
import { parseRun, runText } from '../../../src/evaluation/runs/run-file.ts'
import type { CrossEncoder, CrossEncoderStage } from '../../../src/retrieval/rank/cross-encoder.ts'
import { RerankerError } from '../../../src/retrieval/rank/service-failures.ts'
import { agentCard } from '../../fakes/fake-audition.ts'
import { judged } from '../small-dataset.ts'

/** Twenty agents of two platforms that all say the same: who knows the answers alone can order them. */
const agents = Array.from({ length: 20 }, (_, number) =>
  agentCard(`${number % 4 === 0 ? 'good' : 'poor'}/agent-${number}`, {
    name: `agent ${number} of the city`,
    description: 'Reads leases',
  }),
)
const gradeOf = (number: number, query: number): number =>
  number % 4 === 0 ? 1 + ((number + query) % 3) : Number((number * 7 + query) % 11 === 0)
const queries = Array.from({ length: 12 }, (_, query) =>
  judged(
    `q${query}`,
    `read the lease, request ${query}`,
    Object.fromEntries(agents.map(({ id }, number) => [id, gradeOf(number, query)])),
    { pool: agents.map(({ id }) => id).sort() },
  ),
)
const dataset: Dataset = {
  name: 'pools',
  origin: 'made for tests',
  headline: ['ndcg@5', 'completeness@5'],
  notes: [],
  parts: [{ name: 'single', kind: 'agent', cards: agents, queries }],
  platformOf: (id) => id.slice(0, id.indexOf('/')),
}

type Score = CrossEncoder['score']
const stage = (id: string, score: Score): CrossEncoderStage => ({
  depth: 20,
  name: id,
  encoder: { id, score, close: async () => {} },
})
const numberIn = (text: string, word: string): number => Number(new RegExp(`${word} (\\d+)`).exec(text)?.[1])
const byGrade =
  (sign: number): Score =>
  async (query, documents, watch) => {
    watch?.onUsage?.({ tokens: { input: 10, output: 1 }, cost: 0.5 })
    return Float32Array.from(
      documents,
      (document) => sign * gradeOf(numberIn(document, 'agent'), numberIn(query, 'request')),
    )
  }
const refusing: Score = async (_, __, watch) => {
  watch?.onUsage?.({ tokens: { input: 7, output: 0 } })
  throw new RerankerError('api.test is busy.', 'Try again later.')
}

const tableFor = async (
  rerankers: readonly CrossEncoderStage[],
  { of = dataset, ...settings }: { of?: Dataset } & Parameters<typeof evaluateReranking>[1] = {},
) => {
  const { run } = await evaluateReranking(of, { ranker: 'auto', ...settings }, { model: null, rerankers })
  return { run, table: run.reranking! }
}

describe('a reranking task', () => {
  test('sets chance, the first stage and every reranker side by side, and tests each two of them', async () => {
    const rerankers = [stage('ideal', byGrade(1)), stage('inverse', byGrade(-1)), stage('busy', refusing)]
    const { run, table } = await tableFor(rerankers)
    expect(table.rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['random order', 'chance'],
      ['order of the platforms', 'chance'],
      ['first stage: Audition, lexical', 'first stage'],
      ['ideal', 'reranker'],
      ['inverse', 'reranker'],
      ['busy', 'reranker'],
    ])
    expect(table.rows[3]).toMatchObject({ asked: 12, failed: 0, requests: 12, tokens: 132, cost: 6 })
    // One that never succeeded was paid for as well.
    expect(table.rows[5]).toMatchObject({ asked: 5, failed: 5, requests: 5, tokens: 35 })
    expect(table.rows[5]!.failure).toContain('api.test is busy')
    expect(table.rows[5]!.failure).toContain('That took 5 requests and 35 tokens.')
    const [block] = table.blocks
    const means = block!.estimates.map((one) => one['ndcg@5']?.mean)
    expect(means[3]).toBeCloseTo(1, 9)
    expect(means[1]).toBeGreaterThan(means[0]!)
    expect(means[4]).toBeLessThan(means[0]!)
    expect(means[5]).toBeUndefined()
    expect(block!.pairs).toHaveLength(10)
    expect(betterThan(block!, 3)).toBe('abce')
    expect(betterThan(block!, 4)).toBe('')
    // The run that is kept is that of the first reranker that succeeded.
    expect(run.settings.crossEncoder).toEqual({ model: 'ideal', depth: 20 })
    expect(run.micro['ndcg@5']!.mean).toBeCloseTo(1, 9)
  })

  test('gives equal bytes for equal inputs, and goes through a file unchanged', async () => {
    const made = async () => (await tableFor([stage('ideal', byGrade(1)), stage('busy', refusing)])).run
    const run = await made()
    expect(runText(await made())).toBe(runText(run))
    expect(parseRun(runText(run), 'run.json')).toEqual(run)
  })

  test('without rerankers is chance and the first stage; without one that succeeds it ends', async () => {
    expect((await tableFor([])).table.rows).toHaveLength(3)
    await expect(tableFor([stage('busy', refusing)])).rejects.toThrow('api.test is busy')
  })

  test('tells of each part what was asked and paid there', async () => {
    const [part] = dataset.parts
    const of = {
      ...dataset,
      parts: [
        { ...part!, name: 'many', queries: queries.slice(0, 9) },
        { ...part!, name: 'few', queries: queries.slice(9) },
      ],
    }
    const halting: Score = async (query, documents, watch) =>
      query.endsWith(' 1') || query.endsWith('11')
        ? refusing(query, documents, watch)
        : byGrade(1)(query, documents, watch)
    const { table } = await tableFor([stage('halting', halting)], { of })
    const tookBy = Object.fromEntries(table.blocks.map(({ part: name, took }) => [name, took!.at(-1)]))
    expect(tookBy).toEqual({
      many: { asked: 9, failed: 1, requests: 9, tokens: 8 * 11 + 7, cost: 4 },
      few: { asked: 3, failed: 1, requests: 3, tokens: 2 * 11 + 7, cost: 1 },
      macro: { asked: 12, failed: 2, requests: 12, tokens: 10 * 11 + 14, cost: 5 },
    })
    expect(table.blocks[0]!.took![0]).toEqual({})
  })

  test('has a random row too where no candidates are given: of the first ones that are found', async () => {
    const [part] = dataset.parts
    const unpooled = queries.map(({ pool: _, ...query }) => query)
    const of = { ...dataset, parts: [{ ...part!, queries: unpooled }] }
    const [given, found, few] = [
      await tableFor([stage('ideal', byGrade(1))]),
      await tableFor([stage('ideal', byGrade(1))], { of }),
      await tableFor([{ ...stage('ideal', byGrade(1)), depth: 3 }], { of }),
    ].map(({ table }) => table)
    expect(found!.rows.slice(0, 3).map(({ name }) => name)).toEqual([
      'random order of the first 20',
      'order of the platforms of the first 20',
      'first stage: Audition, lexical',
    ])
    const meanOf = (table: typeof found, row: number) => table!.blocks[0]!.estimates[row]!['ndcg@5']!.mean
    // The first twenty are all that there are.
    expect(meanOf(found, 0)).toBeCloseTo(meanOf(given, 0), 9)
    // Of three, an ideal order of them is above a random one, and all else stands as the first stage has it.
    expect(few!.rows[0]!.name).toBe('random order of the first 3')
    expect(meanOf(few, 0)).toBeLessThan(meanOf(few, 3))
    expect(meanOf(few, 0)).not.toBeCloseTo(meanOf(found, 0), 3)
    const aware = await tableFor([stage('ideal', byGrade(1))], { of, equivalence: 'aware' })
    expect(aware.table.rows[0]!.name).toBe('random order of the first 20')
  })

  test("over another system's run reranks its order, and keeps what lies behind", async () => {
    const order = agents.map(({ id }) => id)
    const firstStage = {
      label: 'theirs.trec',
      rankings: new Map(
        queries.map(({ id }) => [id, rank(order.map((one, at) => ({ id: one, score: -at })))]),
      ),
    }
    const asked: (readonly string[])[] = []
    const unmoved: Score = async (_, documents) => {
      asked.push(documents)
      return Float32Array.from(documents, (_, at) => -at)
    }
    const { run, table } = await tableFor([{ ...stage('unmoved', unmoved), depth: 7 }], { firstStage })
    expect(table.rows.map(({ name }) => name)).toEqual([
      'random order',
      'order of the platforms',
      'first stage: theirs.trec',
      'Audition, lexical',
      'unmoved',
    ])
    expect(asked.every((documents) => documents.length === 7)).toBe(true)
    for (const { candidates } of run.outcomes) expect(candidates.map(({ id }) => id)).toEqual(order)
    expect(table.blocks[0]!.estimates[4]).toEqual(table.blocks[0]!.estimates[2])
  })
})

describe('published rows', () => {
  const published = (value: number): readonly PublishedTable[] => [
    {
      source: 'Them, 2026',
      part: 'single',
      anchor: { of: 'random order', row: 'Shuffle' },
      rows: [
        { name: 'Shuffle', values: { 'ndcg@5': value } },
        { name: 'Their best', values: { 'ndcg@5': 0.9 } },
      ],
    },
  ]
  const blockWith = async (of: Dataset, settings = {}) =>
    (await tableFor([], { of, ...settings })).table.blocks[0]!

  test('stand beside ours where a random order has the same value, and nowhere else', async () => {
    const random = (await blockWith(dataset)).estimates[0]!['ndcg@5']!.mean
    const same = await blockWith({ ...dataset, published: published(random + 0.004) })
    expect(same.published.map(({ name }) => name)).toEqual(['Shuffle', 'Their best'])
    const other = await blockWith({ ...dataset, published: published(random + 0.01) })
    expect(other.published).toEqual([])
    expect(other.note).toMatch(/may not stand here: the random order has nDCG@5 \d+\.\d there .* here/)
    const some = await blockWith({ ...dataset, published: published(random) }, { limit: 6 })
    expect(some).toMatchObject({ published: [], note: expect.stringContaining('Only some of the queries') })
  })
})

describe('what probes told', () => {
  /** The even requests are like each other: what an agent did on one it does on the others. */
  const probed: Dataset['probed'] = {
    pairs: new Map([
      [
        'good/agent-0',
        [
          { question: 'Newest?', answer: 'n'.repeat(1000) },
          { question: 'Older?', answer: 'o'.repeat(1000) },
          { question: 'Oldest?', answer: 'left out' },
        ],
      ],
    ]),
    runs: queries.flatMap(({ id, text, grades }) =>
      [...grades].map(([card, grade]) => ({
        query: id,
        text,
        card,
        cardHash: 'x',
        grade: grade > 0 ? (5 as const) : (1 as const),
      })),
    ),
    hiddenFrom: ({ id }) => new Set([id]),
  }

  test('is measured as text in the card and as a number in the record, beside the reranker without', async () => {
    const read: string[] = []
    const deaf: Score = async (_, documents) => {
      read.push(documents.find((document) => document.startsWith('agent 0 '))!)
      return Float32Array.from(documents, () => 0.5)
    }
    const { table } = await tableFor([stage('deaf', deaf)], { of: { ...dataset, probed } })
    expect(table.rows.map(({ name }) => name)).toEqual([
      'random order',
      'order of the platforms',
      'first stage: Audition, lexical',
      'first stage: Audition, lexical, record as a number',
      'deaf',
      'deaf, record as a number',
      'deaf, probes as text',
    ])
    const [plain, told] = [read[0]!, read.at(-1)!]
    expect(read).toHaveLength(2 * queries.length)
    expect(told.startsWith(plain)).toBe(true)
    const more = told.slice(plain.length)
    expect(more).toMatch(/^\nQuestion: Newest\?\nAnswer: n+\nQuestion: Older\?\nAnswer: o+$/)
    expect(more.length).toBeLessThanOrEqual(4 * 400 + 2)
    const [block] = table.blocks
    const ndcg = block!.estimates.map((one) => one['ndcg@5']!.mean)
    // What it calls equal stays as it was.
    expect(ndcg[4]).toBe(ndcg[2])
    expect(ndcg[5]).toBeGreaterThan(ndcg[4]!)
    expect(ndcg[3]).toBeGreaterThan(ndcg[2]!)
  })

  test('is measured by the variance of the probes too, and kept with the run', async () => {
    const told = queries.slice(0, 9).flatMap(({ id, text, grades }, query) =>
      [...grades].map(([card, grade]) => ({
        query: id,
        text,
        card,
        cardHash: 'x',
        // Of every third request all candidates have the same grade.
        grade: query % 3 === 0 ? (1 as const) : grade > 0 ? (5 as const) : (1 as const),
      })),
    )
    const { run, table } = await tableFor([], { of: { ...dataset, probed: { ...probed!, runs: told } } })
    const [low, ...others] = table.probes!
    expect(low).toMatchObject({ tercile: 'low', probes: 3, runs: 60 })
    expect(others.reduce((sum, { probes }) => sum + probes, 0)).toBe(6)
    expect(others.at(-1)!.winRate).toBeGreaterThan(0.5)
    expect(parseRun(runText(run), 'run.json').reranking?.probes).toEqual(table.probes)
    expect((await tableFor([])).table.probes).toBeUndefined()
  })
})

test('rows are called by letters, however many there are', () => {
  expect([0, 25, 26, 27, 52].map(letterOf)).toEqual(['a', 'z', 'aa', 'ab', 'ba'])
})
