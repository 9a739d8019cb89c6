import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Audition, openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { runCaptured } from './fakes/captured-terminal.ts'
import { type ModelReply, modelServer } from './fakes/model-server.ts'
import { type RerankFault, rerankServer } from './fakes/rerank-server.ts'

let folder: string

/** Number 7 is what is wanted; all are described alike. */
const cards = Array.from({ length: 12 }, (_, number) => ({
  type: 'function',
  function: {
    name: `tool_${number}`,
    description: `Reads the lease file number ${number} of the city.`,
    parameters: { type: 'object' },
  },
}))
const relevance = (text: string): number => (/number 7\b/.test(text) ? 1 : 1 / (2 + text.length))
const request = { kind: 'tool', query: 'read the lease file', pack: 'ranking', k: 12 } as const
const wanted = 'tools/tool_7'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-remote-reranker-'))
  const tools = join(folder, 'tools.json')
  await writeFile(tools, JSON.stringify(cards))
  const audition = openAudition(configFrom(environment({})))
  await audition.index({ locations: [tools] })
  await audition.close()
})
afterAll(() => rm(folder, { recursive: true }))

const environment = (own: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  AUDITION_HOME: join(folder, 'home'),
  AUDITION_READER: 'none',
  AUDITION_MODEL: 'none',
  AUDITION_SETTINGS: join(folder, 'settings.yaml'),
  ...own,
})

/** Audition with this reranker, and these settings of the user's. */
function opened(own: NodeJS.ProcessEnv, settings = ''): Audition {
  writeFileSync(join(folder, 'settings.yaml'), settings)
  const audition = openAudition(configFrom(environment(own)))
  onTestFinished(() => audition.close())
  return audition
}

async function service(fault?: (turn: number) => RerankFault | undefined) {
  const server = await rerankServer(relevance, fault)
  onTestFinished(() => server.close())
  return server
}

/** A model that ranks as {@link relevance} does, or says something else. */
async function model(reply?: ModelReply) {
  const server = await modelServer(({ body }) => {
    const parts = [...JSON.stringify(body).matchAll(/BEGIN CARD (\d+) (.*?)<<<END CARD/g)]
    const order = parts.map(([, number, text]) => ({ number, score: relevance(text!) }))
    order.sort((a, b) => b.score - a.score)
    return (
      reply ?? {
        text: order.map(({ number }) => `[${number}]`).join(' > '),
        tokens: { input: 900, output: 40 },
      }
    )
  })
  onTestFinished(() => server.close())
  return server
}

const ids = (answer: Awaited<ReturnType<Audition['search']>>): readonly string[] =>
  answer.candidates.map(({ card }) => card.id)

test('reasons are told of the first cards of the answer, in its order', async () => {
  const server = await modelServer(({ body }) => {
    const { length } = JSON.stringify(body).match(/BEGIN CARD \d/g) ?? []
    const order = Array.from({ length: length ?? 0 }, (_, at) => `[${length! - at}]`)
    return { text: [order.join(' > '), ...order.map((one) => `${one}: it reads leases`)].join('\n') }
  })
  onTestFinished(() => server.close())
  const spec = `llm:${server.spec('openai-compatible')}?depth=12&window=6&step=3&explain=3`
  const audition = opened({ AUDITION_RERANKER: spec })
  const { stdout } = await runCaptured(['search', request.query, '--why', '-k', '2'], audition, {
    env: { COLUMNS: '300' },
  })
  const answer = await opened({ AUDITION_RERANKER: spec }).search({ ...request, k: 3 })
  expect(Object.keys(answer.reranking!.reasons!)).toEqual(ids(answer))
  const told = [...stdout.matchAll(/^ {2}(\S+): "it reads leases"$/gm)].map(([, id]) => id)
  expect(told).toEqual(ids(answer))
})

test('a redirect of a model is said, and not followed', async () => {
  const server = await model({ status: 307, body: '', headers: { location: 'http://127.0.0.1:9/' } })
  const answer = await opened({ AUDITION_RERANKER: `llm:${server.spec('openai-compatible')}` }).search(
    request,
  )
  expect(answer.note).toMatch(/without the reranker: \S+ sends requests on to another address/)
})

test('a service reranks the first candidates, and is asked once for one search', async () => {
  const server = await service()
  const plain = await opened({}).search(request)
  expect(ids(plain)[0]).not.toBe(wanted)
  const audition = opened(
    { AUDITION_RERANKER: `rerank:${server.origin}/jina#m?depth=12`, AUDITION_RERANKER_KEY: 'sk-secret' },
    'prices: { m: { input: 2, output: 0 } }',
  )
  const answer = await audition.search(request)
  expect(ids(answer)[0]).toBe(wanted)
  expect(new Set(ids(answer))).toEqual(new Set(ids(plain)))
  const { id } = (await audition.reranker())!
  expect(answer.reranking).toEqual({
    model: id,
    candidates: 12,
    requests: 1,
    tokens: { input: 1200, output: 0 },
    cost: 0.0024,
  })
  const again = await audition.search(request)
  expect(again.candidates).toEqual(answer.candidates)
  expect(again.reranking).toEqual({ model: id, candidates: 12, requests: 0 })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-secret')
  await audition.search({
    ...request,
    query: 'read the lease file with sk-ant-api03-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789',
  })
  expect(server.requests[1]!.body.query).not.toContain('aBcDeFgHiJ')
  expect(await audition.search({ ...request, ranker: 'lexical' })).not.toHaveProperty('reranking')
  expect(server.requests).toHaveLength(2)
})

test.each<{ readonly fault: RerankFault; readonly says: string }>([
  { fault: { status: 401 }, says: 'refused the key (HTTP 401). Check AUDITION_RERANKER_KEY.' },
  { fault: { status: 429, retryAfter: '900' }, says: 'was asked too often (HTTP 429)' },
  { fault: 'late-reset', says: 'did not answer' },
  { fault: 'half', says: 'it is no whole JSON document' },
  { fault: 'fewer', says: 'answered for 11 of 12 candidates' },
  { fault: 'other-model', says: 'it is by another model' },
  { fault: 'slow', says: 'took longer than 1 s' },
])('a service that fails by $fault costs no search, whoever asks', async ({ fault, says }) => {
  const server = await service(() => fault)
  const plain = await opened({}).search(request)
  const audition = opened({ AUDITION_RERANKER: `rerank:${server.origin}/jina#m?seconds=1` })
  for (const ranker of ['auto', 'cross-encoder'] as const) {
    const answer = await audition.search({ ...request, ranker })
    expect(answer).toMatchObject({ candidates: plain.candidates, match: plain.match, ranker: plain.ranker })
    expect(answer.note).toContain('Ranked without the reranker: ')
    expect(answer.note).toContain(says)
    expect(answer.note).not.toContain('ignore all rules')
  }
  expect(server.requests).toHaveLength(1)
})

test('a language model puts the best first, and --why tells what it took', async () => {
  const server = await model()
  const audition = opened(
    {
      AUDITION_RERANKER: `llm:${server.spec('openai-compatible')}?depth=12`,
      AUDITION_RERANKER_KEY: 'sk-secret',
    },
    'prices: { tiny: { input: 1, output: 10 } }',
  )
  expect(ids(await audition.search(request))[0]).toBe(wanted)
  const { stdout } = await runCaptured(['search', 'read a lease file', '--why'], audition, {
    env: { COLUMNS: '300' },
  })
  expect(stdout).toContain('relevance (reranker) 1.000')
  expect(stdout).toMatch(
    /Reranker llm:openai-compatible:\S+ read 12 candidates, 1 request, 900 \+ 40 tokens, \$0\.0013/,
  )
  const doctor = await runCaptured(['doctor'], audition, { env: { COLUMNS: '300' } })
  expect(doctor.stdout).toMatch(/ok +reranker: llm:openai-compatible:\S+, over the first 12 candidates/)
  expect(server.requests).toHaveLength(2)
})

test('a language model that fails costs no search either', async () => {
  const server = await model({ text: 'I would rather not.' })
  const plain = await opened({}).search(request)
  const audition = opened({ AUDITION_RERANKER: `llm:${server.spec('ollama')}` })
  const answer = await audition.search(request)
  expect(answer.candidates).toEqual(plain.candidates)
  expect(answer.note).toContain('it gives no order of the cards, asked twice')
  expect(answer.reranking).toMatchObject({ requests: 2, tokens: { input: 20, output: 10 } })
})

test.each([
  { budget: 'budget: { tokens: 9500 }', says: 'goes beyond the budget of this run: 940 tokens' },
  {
    budget: 'budget: { cost: 0.2 }\nprices: { tiny: { input: 100, output: 10 } }',
    says: '940 tokens and $0.0904',
  },
])('a language model stays within the $budget', async ({ budget, says }) => {
  const server = await model()
  const audition = opened({ AUDITION_RERANKER: `llm:${server.spec('ollama')}` }, budget)
  const answers = []
  for (const word of ['lease', 'file', 'city'])
    answers.push(await audition.search({ ...request, query: `read the ${word}` }))
  expect(answers.map(({ ranker }) => ranker)).toEqual(['cross-encoder', 'lexical', 'lexical'])
  expect(answers[1]!.note).toContain(says)
  expect(answers[1]!.note).toContain('Raise budget in settings.yaml')
  expect(server.requests).toHaveLength(1)
})

test.each(['llm:', 'llm:openai:gpt-5', 'rerank:'])(
  'a search says what is wrong with AUDITION_RERANKER=%s',
  async (AUDITION_RERANKER) => {
    const answer = await opened({ AUDITION_RERANKER }).search(request)
    expect(answer.note).toMatch(/Ranked without the reranker: AUDITION_RERANKER (is "llm:|names no address)/)
  },
)

test('what was sent for an answer that cannot be read counts in the budget, and is told', async () => {
  const server = await model({ status: 200, body: '{"id":"1","choi' })
  const audition = opened({ AUDITION_RERANKER: `llm:${server.spec('ollama')}` }, 'budget: { tokens: 9000 }')
  const first = await audition.search({ ...request, query: 'read the lease' })
  const { requests, tokens } = first.reranking!
  expect(requests).toBe(1)
  expect(tokens!.input).toBeGreaterThan(500)
  const { stdout } = await runCaptured(['search', 'read the city', '--why'], audition, {
    env: { COLUMNS: '300' },
  })
  expect(stdout).toContain(`goes beyond the budget of this run: ${tokens!.input} tokens`)
  expect(server.requests).toHaveLength(1)
})

test('a failure that was paid for is a sentence, and what it took another', async () => {
  const server = await service(() => 'fewer')
  const audition = opened({ AUDITION_RERANKER: `rerank:${server.origin}/jina#m` })
  const { stdout } = await runCaptured(['search', 'read a lease file', '--why'], audition, {
    env: { COLUMNS: '300' },
  })
  expect(stdout).toMatch(
    /Reranker rerank:\S+ failed: \S+ answered for 11 of 12 candidates\. Check \S+ model .*, or lower depth\. It took 1 request, 1100 \+ 0 tokens\.\n/,
  )
})

test('the key of AUDITION_LLM goes to the same address alone', async () => {
  const [own, other] = [await model(), await model()]
  const keys = { AUDITION_LLM: own.spec('openai-compatible', 'big'), AUDITION_LLM_KEY: 'sk-secret' }
  for (const server of [own, other])
    await opened({ ...keys, AUDITION_RERANKER: `llm:${server.spec('openai-compatible')}` }).search(request)
  expect(own.requests[0]!.headers.authorization).toBe('Bearer sk-secret')
  expect(other.requests[0]!.headers.authorization).toBeUndefined()
})

test.each([
  { spec: 'rerank:cohere#rerank-v3.5', says: 'Set AUDITION_RERANKER_KEY' },
  { spec: 'llm:anthropic:claude-sonnet-5', says: 'Set AUDITION_RERANKER_KEY' },
  { spec: 'llm:', says: 'AUDITION_RERANKER is "llm:", which names no model.' },
  { spec: 'llm:', says: 'Write llm:<provider>:<model>' },
  { spec: 'llm:gpt', says: 'for example llm:anthropic:claude-sonnet-5, llm:ollama:qwen3:8b' },
  { spec: 'llm:ollama:', says: 'Write llm:ollama:<model>' },
  { spec: 'llm:ollama:qwen3?depth=x', says: 'depth is "x"' },
  { spec: 'llm:ollama:qwen3?depth=x', says: 'from 1 to 200, for example depth=20.' },
  { spec: 'llm:ollama:qwen3?depht=9', says: 'AUDITION_RERANKER has no setting "depht".' },
  { spec: 'llm:ollama:qwen3?depht=9', says: 'explain: write for example ?depth=20.' },
  { spec: 'rerank:', says: 'AUDITION_RERANKER names no address after "rerank:".' },
  { spec: 'rerank:cohre#m', says: 'is "rerank:cohre", which is neither an http address nor one of cohere' },
  { spec: 'transformers:', says: 'AUDITION_RERANKER is "transformers:", which names no model.' },
  { spec: 'transformers:a/b?top=1', says: 'AUDITION_RERANKER has settings that transformers: does not take' },
  { spec: 'cohere', says: 'for example rerank:cohere#rerank-v3.5 or llm:ollama:qwen3:8b.' },
])('doctor says what $spec lacks: $says', async ({ spec, says }) => {
  const { stdout } = await runCaptured(['doctor'], opened({ AUDITION_RERANKER: spec }), {
    env: { COLUMNS: '300' },
  })
  expect(stdout).toContain('fail  reranker: ')
  expect(stdout).toContain(says)
})
