import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Audition, openAudition } from '../src/compose/app.ts'
import { openStore } from '../src/compose/open-store.ts'
import { type Config, configFrom } from '../src/config.ts'
import { bundled } from '../src/evaluation/datasets/bundled.ts'
import type { SearchAnswer, SearchRequest } from '../src/retrieval/answer.ts'
import { outcomeOf } from './adapters/lancedb/some-outcomes.ts'
import { changeOf, stateOf } from './contracts/catalog.ts'
import { type LancedbServer, lancedbServer } from './fixtures/lancedb-server/lancedb-server.ts'

let server: LancedbServer
let folder: string
beforeAll(async () => {
  server = await lancedbServer()
  folder = mkdtempSync(join(tmpdir(), 'audition-'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const root = join(import.meta.dirname, '..')
const profiles = join(root, 'catalog', 'profiles')
const indexed = { locations: [profiles], harvest: 'unwanted' } as const

/** Audition over a store. */
function opened(home: string, environment: NodeJS.ProcessEnv) {
  const config = configFrom({ AUDITION_READER: 'none', ...environment, AUDITION_HOME: home })
  return { config, audition: openAudition(config) }
}

/** The tools of the bundled servers, as an index run would commit them that started the servers. */
async function putTools(config: Config): Promise<void> {
  const [part] = (await bundled.read(join(root, 'evals', 'bundled'), [])).parts
  const store = openStore(config, fetch)
  const put = part!.cards.filter(({ kind }) => kind === 'tool')
  const sources = [...new Set(put.map(({ source }) => source))].map((id) => stateOf(id))
  await store.write({}, (writer) => writer.commit(changeOf({ put, sources })))
  await store.close()
}

/** The same catalog in a folder and in an engine. */
async function both(what: string, environment: NodeJS.ProcessEnv = {}) {
  const name = `${what}-${randomUUID().slice(0, 8)}`
  for (const [variable, value] of Object.entries(server.environment)) vi.stubEnv(variable, value)
  const [local, engine] = [opened(join(folder, name), environment), opened(`db://${name}`, environment)]
  for (const one of [local, engine]) {
    await one.audition.index(indexed)
    await putTools(one.config)
  }
  return { local: local.audition, engine: engine.audition }
}

/** The same, closed after the test. */
async function closedLater(...asked: Parameters<typeof both>) {
  const catalogs = await both(...asked)
  onTestFinished(async () => {
    for (const one of Object.values(catalogs)) await one.close()
  })
  return catalogs
}

/** What of an answer must be the same, wherever the catalog lies. */
const told = ({ candidates, match, facets, ranker, likelihood }: SearchAnswer) => ({
  match,
  facets,
  ranker,
  likelihood: likelihood?.toFixed(4),
  candidates: candidates.map(({ card, score, signals }) => ({
    id: card.id,
    score: score.toFixed(4),
    matched: signals.matched,
    coverage: signals.coverage.toFixed(4),
  })),
})

const requests: readonly SearchRequest[] = [
  { kind: 'tool', query: 'count the words of a text and find all phone numbers in it' },
  { kind: 'tool', query: 'convert kilometres to miles', ranker: 'lexical' },
  { kind: 'tool', query: 'bake a cake on the moon' },
  { kind: 'agent', query: 'review my pull request for security holes' },
  { kind: 'agent', query: 'translate the manual into French. then check its spelling', k: 3 },
  { kind: 'agent', query: 'prüfe meinen Vertrag' },
]

describe('the bundled catalog in an engine', () => {
  test('gives the answers that it gives in a folder, by at most three requests each', async () => {
    const { local, engine } = await closedLater('bundled')
    expect(await engine.counts()).toEqual({ ...(await local.counts()), generation: expect.any(Number) })
    for (const request of requests) {
      await engine.search(request)
      const before = server.requests.length
      const found = await engine.search(request)
      expect(server.requests.length - before).toBeLessThanOrEqual(3)
      expect(told(found), request.query).toEqual(told(await local.search(request)))
      expect(found.searched).toBe((await local.search(request)).searched)
    }
  })

  test('answers what is asked of ids, filters, sources and the record', async () => {
    const { local, engine } = await closedLater('asked')
    expect(await engine.unknownValues({ servers: ['nowhere'], tags: ['nothing'] })).toEqual(
      await local.unknownValues({ servers: ['nowhere'], tags: ['nothing'] }),
    )
    expect(await engine.completeIds('catalog-profiles/co', 5, 'agent')).toEqual(
      await local.completeIds('catalog-profiles/co', 5, 'agent'),
    )
    expect(await engine.closestIds('catalog-profiles/code-reviewr', 1)).toEqual([
      'catalog-profiles/code-reviewer',
    ])
    expect(await engine.standingBack()).toEqual(await local.standingBack())
    expect((await engine.sources()).map(({ id, tools, agents }) => [id, tools, agents])).toEqual(
      (await local.sources()).map(({ id, tools, agents }) => [id, tools, agents]),
    )
    expect(await engine.diagnose()).toMatchObject({
      state: 'ready',
      location: expect.stringContaining('db://asked'),
    })
    expect(await engine.conditionalPuts()).toEqual({
      outcome: 'honoured',
      condition: 'conditional updates (merge_insert)',
    })
    const request: SearchRequest = { kind: 'agent', query: 'review my code for mistakes' }
    const [first] = (await engine.search(request)).candidates
    const outcome = { card: first!.card.id, kind: 'agent', task: request.query } as const
    for (const one of [local, engine]) await (await one.record()).add([outcomeOf(outcome)])
    // News of the record is looked for beside the searches.
    const after = await vi.waitFor(async () => {
      const found = await engine.search(request)
      expect(found.candidates[0]!.signals.record).toMatchObject({ runs: 1, successes: 1 })
      return found
    })
    expect(told(after)).toEqual(told(await local.search(request)))
  })

  test('is indexed again, by what changed alone', async () => {
    const { engine } = await closedLater('again', { AUDITION_MODEL: 'none' })
    const before = server.requests.length
    const report = await engine.index(indexed)
    expect(report.sources.every(({ added, changed }) => (added ?? 0) + (changed ?? 0) === 0)).toBe(true)
    expect(
      server.requests
        .slice(before)
        .filter((request) => /^(?:merge_insert|update) (?:tools|agents)/.test(request)),
    ).toEqual([])
    const [source] = await engine.sources()
    await engine.removeSources([source!.id])
    expect((await engine.sources()).some(({ id }) => id === source!.id)).toBe(false)
  })
})

describe('a filter', () => {
  let catalogs: Awaited<ReturnType<typeof both>>
  beforeAll(async () => {
    catalogs = await both('filtered', { AUDITION_MODEL: 'none' })
  })
  afterAll(() => Promise.all(Object.values(catalogs).map((one) => one.close())))

  test.each<NonNullable<SearchRequest['filter']>>([
    { sources: ['audition-text'] },
    { tags: ['Security', 'none such'] },
    { hasRuntime: true },
    { readOnly: true },
    { servers: ['audition-text'] },
    { agentKinds: ['profile', 'subagent'] },
    { exclude: ['catalog-profiles/code-reviewer'] },
    { only: ['catalog-profiles/code-reviewer', 'no/such'] },
    { only: [] },
  ])('%j admits the same cards in an engine', async (filter) => {
    const { local, engine } = catalogs
    for (const kind of ['tool', 'agent'] as const) {
      const request = { kind, query: 'review code, count words, check security', filter, k: 20 }
      const ids = async (one: Audition) => (await one.search(request)).candidates.map(({ card }) => card.id)
      expect(await ids(engine)).toEqual(await ids(local))
    }
  })
})
