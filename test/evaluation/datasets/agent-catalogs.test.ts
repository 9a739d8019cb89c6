import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentQueries, isForTraining } from '../../../evals/benchmarks/src/agent-queries.ts'
import { writtenQueries } from '../../../evals/benchmarks/src/written-queries.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const agent = (source: string, slug: string) => ({
  id: `${source}:${slug}`,
  source,
  name: slug,
  description: `Is good at ${slug}`,
  capabilities: [],
  tools: [],
  model: null,
  instructions: '',
  examples: [`please ${slug} for me`],
  interface: { kind: 'claude-subagent' },
  license: 'MIT',
  lang: 'en',
})

const agents = {
  'agents/crew.jsonl': [
    agent('crew', 'kite-flyer'),
    agent('crew', 'boat-builder'),
    agent('crew', 'kite-copy'),
  ],
  'agents/others.jsonl': [agent('others', 'kite-flyer')],
  'agents/duplicates.json': {
    records: 4,
    clusters: [['crew:kite-flyer', 'crew:kite-copy', 'others:kite-flyer']],
  },
  'agents/summary.json': { sources: 2 },
}

const query = (id: string, relevant: Record<string, number>, extra: object = {}) => ({
  id,
  query: `Ask ${id}`,
  lang: 'en',
  relevant,
  source: 'crew',
  level: 'agent',
  names: false,
  ...extra,
})

const queries = {
  'agent-queries/crew-examples.jsonl': [
    query('crew:kite-flyer#0', { 'crew:kite-flyer': 1 }),
    query('crew:boat-builder#0', { 'crew:boat-builder': 1 }, { names: true }),
    query(
      'crew:both#0',
      { 'crew:kite-flyer': 1, 'crew:boat-builder': 1 },
      { level: 'toolset', sets: ['crew:kite-flyer', 'crew:boat-builder'] },
    ),
    query('crew:gone#0', { 'crew:gone': 1 }),
  ],
}

describe('queries with known agents', () => {
  test('are asked of their own catalog, without the examples they come from; duplicates serve as well', async () => {
    const folder = join(folderWith({ ...agents, ...queries }), 'agent-queries')
    expect(agentQueries.recognises(folder)).toBe(true)
    const { parts, notes } = await agentQueries.read(folder, [])
    expect(parts[0]).toMatchObject({ name: 'crew-examples', kind: 'agent' })
    expect(parts[0]!.cards.map(({ id, examples }) => [id, examples])).toEqual([
      ['crew/kite-flyer', []],
      ['crew/boat-builder', []],
      ['crew/kite-copy', []],
    ])
    expect(parts[0]!.queries.map(({ grades, needs, group }) => [[...grades], needs, group])).toEqual([
      [
        [
          ['crew/kite-flyer', 1],
          ['crew/kite-copy', 1],
        ],
        [['crew/kite-flyer', 'crew/kite-copy']],
        'does not name it',
      ],
      [[['crew/boat-builder', 1]], [['crew/boat-builder']], 'names the agent'],
      [
        [
          ['crew/kite-flyer', 1],
          ['crew/kite-copy', 1],
          ['crew/boat-builder', 1],
        ],
        [['crew/kite-flyer', 'crew/kite-copy'], ['crew/boat-builder']],
        'does not name it',
      ],
    ])
    expect(notes).toContain('1 query was left out: its agent is not in the catalog.')
  })

  test('are asked of all catalogs when that is wanted', async () => {
    const folder = join(folderWith({ ...agents, ...queries }), 'agent-queries')
    const [part] = (await agentQueries.read(folder, [], { catalogs: 'all' })).parts
    expect(part!.cards).toHaveLength(4)
    expect([...part!.queries[0]!.grades.keys()]).toEqual([
      'crew/kite-flyer',
      'crew/kite-copy',
      'others/kite-flyer',
    ])
  })

  test('fall into two halves by the agents asked for, in whatever order they are named', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `crew:agent-${index}`)
    const share = names.filter((name) => isForTraining([name])).length / names.length
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.6)
    expect(isForTraining(['b', 'a'])).toBe(isForTraining(['a', 'b']))
    const folder = join(folderWith({ ...agents, ...queries }), 'agent-queries')
    const idsOf = async (split: string) =>
      (await agentQueries.read(folder, [], { split }).catch(() => ({ parts: [] }))).parts.flatMap((part) =>
        part.queries.map(({ id }) => id),
      )
    const halves = [...(await idsOf('dev')), ...(await idsOf('train'))]
    expect(halves.sort()).toEqual((await idsOf('all')).sort())
  })

  test('need the catalogs beside them', async () => {
    const folder = join(folderWith(queries), 'agent-queries')
    await expect(agentQueries.read(folder, [])).rejects.toThrow('catalogs of agents are not beside it')
  })
})

const tool = (id: string) => ({ id, documentation: { name: `${id}_name`, description: `Does ${id}` } })

const written = {
  ...agents,
  'toolret/toucan-mcp-corpus/tools.jsonl': ['a', 'b', 'c'].map(tool),
  'written-queries/queries.jsonl': [
    { id: 'w1', query: 'either', kind: 'single', split: 'dev', relevant: ['a', 'b'] },
    { id: 'w2', query: 'both', kind: 'multi', split: 'dev', relevant: ['a', 'c'] },
    { id: 'w3', query: 'fly', kind: 'agent', split: 'dev', relevant: ['crew:kite-flyer'] },
    { id: 'w4', query: 'train', kind: 'single', split: 'train', relevant: ['a'] },
    { id: 'w5', query: 'mixed', kind: 'multi', split: 'dev', relevant: ['a', 'crew:kite-flyer'] },
  ],
}

describe('the written queries', () => {
  test('are tools and agents; of one tool any named serves, of several all are needed', async () => {
    const root = folderWith(written)
    expect(writtenQueries.recognises(join(root, 'written-queries'))).toBe(true)
    const { parts, notes } = await writtenQueries.read(join(root, 'written-queries'), [])
    expect(parts.map(({ name, kind, cards }) => [name, kind, cards.length])).toEqual([
      ['written tools', 'tool', 3],
      ['written agents', 'agent', 4],
    ])
    expect(parts.flatMap((part) => part.queries)).toEqual([
      {
        id: 'w1',
        text: 'either',
        grades: new Map([
          ['toucan-mcp-corpus/a', 1],
          ['toucan-mcp-corpus/b', 1],
        ]),
        needs: [['toucan-mcp-corpus/a', 'toucan-mcp-corpus/b']],
        group: 'single',
      },
      {
        id: 'w2',
        text: 'both',
        grades: new Map([
          ['toucan-mcp-corpus/a', 1],
          ['toucan-mcp-corpus/c', 1],
        ]),
        group: 'multi',
      },
      {
        id: 'w3',
        text: 'fly',
        grades: new Map([['crew/kite-flyer', 1]]),
        needs: [['crew/kite-flyer']],
        group: 'agent',
      },
    ])
    expect(notes.join()).toContain('1 query was left out: it needs tools and agents at once')
  })

  test('are the development split unless another is wanted', async () => {
    const folder = join(folderWith(written), 'written-queries')
    const idsOf = async (split: string) =>
      (await writtenQueries.read(folder, ['written tools'], { split })).parts[0]!.queries.map(({ id }) => id)
    expect(await idsOf('train')).toEqual(['w4'])
    expect(await idsOf('all')).toEqual(['w1', 'w2', 'w4'])
  })

  test('need the tools they were written for', async () => {
    const folder = folderWith({ 'written-queries/queries.jsonl': written['written-queries/queries.jsonl'] })
    await expect(writtenQueries.read(join(folder, 'written-queries'), [])).rejects.toThrow('not beside it')
  })
})

const shared = join(import.meta.dirname, '../../../../shared/data')

describe.skipIf(!existsSync(shared))('the reference data (skipped: data not present)', () => {
  test('has the queries that its tables say, all answerable', async () => {
    const { parts } = await agentQueries.read(join(shared, 'agent-queries'), [])
    expect(parts.map(({ name, cards, queries }) => [name, cards.length, queries.length])).toEqual([
      ['a2a-skill-examples', 40, 161],
      ['claude-davila7-examples', 416, 492],
      ['mcpm-prompts', 380, 835],
    ])
    expect(parts.flatMap(({ cards }) => cards.flatMap(({ examples }) => examples))).toEqual([])
    const all = await agentQueries.read(join(shared, 'agent-queries'), ['mcpm-prompts'], { catalogs: 'all' })
    expect(all.parts[0]!.cards).toHaveLength(9601)
  })

  test('has 1,094 written queries for development, one of which needs a tool and an agent', async () => {
    const { parts, notes } = await writtenQueries.read(join(shared, 'written-queries'), [])
    expect(parts.map(({ queries }) => queries.length)).toEqual([920, 173])
    expect(notes.join()).toContain('1 query was left out')
  })
})
