import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Audition } from '../../src/compose/audition.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { cardUri } from '../../src/server/answers/uris.ts'
import { serveHttp } from '../../src/server/serve-http.ts'
import { agentCard, fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { fakeEvaluations } from '../fakes/fake-evaluations.ts'
import { someCards } from '../fakes/some-cards.ts'
import { type CompiledServeFake, compileServeFake } from '../fixtures/compile-serve-fake.ts'
import { connectInMemory, testClient } from './connect.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  vi.restoreAllMocks()
})

async function connected(app: Audition): Promise<Client> {
  const client = await connectInMemory(app)
  closing.push(() => client.close())
  return client
}

const outcome = (card: string, grade: 1 | 5, at: number): Outcome => ({
  id: `${card} ${at}`,
  card,
  cardHash: 'x',
  kind: 'agent',
  task: 'Review this.',
  time: '2026-01-01T00:00:00Z',
  origin: 'probe',
  executor: 'command',
  ending: 'answered',
  seconds: 1,
  tokens: null,
  cost: null,
  verdict: { grade, reason: 'x', judge: 'y' },
})

describe('the list of resources', () => {
  test('shows the catalog, reports, agents that worked first, and sources', async () => {
    const evaluations = fakeEvaluations()
    await evaluations.run({ dataset: { kind: 'known', name: 'bundled' } })
    const outcomes = [outcome('team/lease-reviewer', 1, 1), outcome('team/bug-hunter', 5, 2)]
    const client = await connected(fakeAudition(someCards, { evaluations, outcomes }))
    const { resources, nextCursor } = await client.listResources()
    expect(nextCursor).toBeUndefined()
    const others = someCards.filter(({ id, kind }) => kind === 'agent' && id !== 'team/bug-hunter')
    expect(resources.map(({ uri }) => uri)).toEqual([
      'audition://catalog',
      expect.stringMatching(/^audition:\/\/evaluations\/bundled\//),
      'audition://agents/team/bug-hunter',
      ...others.map(({ id }) => cardUri('agent', id)),
      ...['forge', 'registry', 'remote', 'team', 'weather'].map((id) => `audition://sources/${id}`),
    ])
    expect(resources.find(({ uri }) => uri.endsWith('/bug-hunter'))).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/^Worked 1 time when it was run\. \S/),
      mimeType: 'application/yaml',
    })
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(contents, uri).toMatchObject([{ uri, text: expect.stringMatching(/\S/) }])
    }
  })

  test('has pages of fifty, and no other cursor than its own', async () => {
    const many = Array.from({ length: 120 }, (_, at) =>
      toolCard(`source-${String(at).padStart(3, '0')}/tool`),
    )
    const app = fakeAudition(many, { evaluations: fakeEvaluations() })
    const client = await connected(app)
    const pages: string[][] = []
    for (let cursor: string | undefined, page = 0; page < 9; page += 1) {
      const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor })
      pages.push(resources.map(({ uri }) => uri))
      cursor = nextCursor
      if (cursor === undefined) break
    }
    const all = pages.flat()
    // A client may join the pages by itself.
    expect(all).toHaveLength(121)
    expect(new Set(all).size).toBe(121)
    for (const cursor of ['1', '-50', 'x', '1e9']) {
      await expect(client.listResources({ cursor })).rejects.toThrow(/No page begins/)
    }
  })

  test('of an empty store is the catalog alone, and its page says what to do', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const client = await connected(fakeAudition([], { empty: true, evaluations: fakeEvaluations() }))
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['audition://catalog'])
    await expect(client.readResource({ uri: 'audition://catalog' })).rejects.toThrow('Run: audition index')
  })
})

test('pages of the catalog tell no path, and nothing of a publisher breaks them', async () => {
  const hostile = 'x | y\n# Heading\u202e [link](https://evil.example)'
  const app = fakeAudition([
    ...someCards,
    agentCard('evil/a', { description: hostile }),
    toolCard('odd|name/b', { description: hostile }),
  ])
  const client = await connected(app)
  const pageAt = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri })
    return String((contents[0] as { text?: string }).text)
  }
  const catalog = await pageAt('audition://catalog')
  expect(catalog).toContain('| [forge](audition://sources/forge) | 5 | 1 | forge.json | ok |')
  expect(catalog).toContain('| [odd\\|name](audition://sources/odd%7Cname) | 1 | 0 |')
  const source = await pageAt('audition://sources/evil')
  expect(source).toContain('- evil/a (agent): "x | y # Heading [link](https://evil.example)"')
  expect(`${catalog}${source}`).not.toContain('/home/someone')
  await expect(pageAt('audition://sources/none')).rejects.toThrow('No source is called "none".')
})

test('prompts name the tools to call with the arguments given, and complete ids', async () => {
  const app = fakeAudition(someCards)
  const client = await connected(app)
  const { prompts } = await client.listPrompts()
  expect(
    prompts.map(({ name, arguments: given = [] }) => [
      name,
      given.map((one) => `${one.name}${one.required ? '' : '?'}`),
    ]),
  ).toEqual([
    ['find_agent', ['task', 'context?']],
    ['compare', ['first', 'second', 'task?']],
    ['probe', ['agent', 'task?']],
  ])
  for (const prompt of prompts) {
    expect(prompt).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
    })
    for (const one of prompt.arguments ?? []) expect(one.description).toMatch(/\S/)
  }
  const textOf = async (name: string, given: Record<string, string>): Promise<string> => {
    const { messages } = await client.getPrompt({ name, arguments: given })
    expect(messages).toHaveLength(1)
    return (messages[0]!.content as { text: string }).text
  }
  expect(await textOf('find_agent', { task: 'review "this"', context: 'law' })).toContain(
    'Call search_agents {"task":"review \\"this\\"","context":"law"}.',
  )
  const both = { first: 'team/lease-reviewer', second: 'forge/get_issue' }
  expect(await textOf('compare', both)).toContain(
    'probe_agent {"agents":["team/lease-reviewer","forge/get_issue"],"dry_run":true}',
  )
  expect(await textOf('probe', { agent: 'a/b', task: 'x' })).toContain(
    'probe_agent {"agents":["a/b"],"task":"x"}',
  )
  expect(app.calls.count, 'prompts open nothing').toBe(0)
  await expect(client.getPrompt({ name: 'probe', arguments: {} })).rejects.toThrow(/agent/)
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'compare' },
    argument: { name: 'second', value: 'team/l' },
  })
  expect(completion.values).toEqual(['team/lease-reviewer'])
})

describe.each(['legacy', 'auto'] as const)('a real client of mode %s', (mode) => {
  const pick = async (client: Client) => {
    const { resources } = await client.listResources()
    expect(resources[0]).toMatchObject({ uri: 'audition://catalog', title: 'Catalog' })
    const { contents } = await client.readResource({ uri: 'audition://sources/forge' })
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('forge/get_issue') },
    ])
    expect((await client.listPrompts()).prompts).toHaveLength(3)
    const { messages } = await client.getPrompt({ name: 'find_agent', arguments: { task: 'review a lease' } })
    expect(messages).toMatchObject([{ role: 'user' }])
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'probe' },
      argument: { name: 'agent', value: 'team' },
    })
    expect(completion.values).toContain('team/bug-hunter')
    const { tools } = await client.listTools()
    expect(tools[0]?._meta).toMatchObject({ 'anthropic/alwaysLoad': true })
  }

  test('picks over HTTP', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const served = await serveHttp(fakeAudition(someCards, { evaluations: fakeEvaluations() }), { port: 0 })
    closing.push(() => served.close())
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)))
    await pick(client)
    await client.close()
  })

  test('picks over stdio', async () => {
    const client = testClient({ versionNegotiation: { mode } })
    const { script } = compiled
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [script, 'stdio'], stderr: 'ignore' }),
    )
    await pick(client)
    await client.close()
  })
})

let compiled: CompiledServeFake
beforeAll(() => {
  compiled = compileServeFake()
})
afterAll(() => compiled.remove())
