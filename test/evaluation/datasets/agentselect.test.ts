import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentCard } from '../../../src/domain/card.ts'
import type { Dataset } from '../../../src/evaluation/datasets/dataset.ts'
import { agentSelect } from '../../../evals/benchmarks/src/agentselect/agentselect.ts'
import { candidatePool } from '../../../evals/benchmarks/src/agentselect/agentselect-pool.ts'
import { validationTexts } from '../../../evals/benchmarks/src/agentselect/agentselect-split.ts'
import { normalisedText } from '../../../src/evaluation/equivalence.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const from = <T>(entries: readonly (readonly [string, T])[]) =>
  Object.fromEntries(entries) as Record<string, T>

const question = (text: string) => ({ input: text, output: '' })

/** A benchmark of our own in the published shape: 60 queries a part, Part III repeating those of I and II. */
const files = {
  'LLMs/merge.json': { 'lark-7b': { description: 'A small model for birds' } },
  'Tools/merge.json': {
    '<<Sky&&Fly>>': { description: 'Flies things' },
    listed: { description: ['Lists', 'many things'] },
    nested: { description: { what: 'Nests', how: 'deeply' } },
    echo: { description: 'echo' },
  },
  'PartI/agents/merge.json': from(
    range(12).map(
      (index) =>
        [
          `PartI1_agent_${index}`,
          { M: { name: `lark-${index}b`, id: `zoo/lark-${index}b` }, T: { tools: [] }, C: {} },
        ] as const,
    ),
  ),
  'PartI/questions/merge.json': from(
    range(60).map((index) => [`leaderboard_q_${index}`, question(`Sing song ${index}`)] as const),
  ),
  'PartI/rankings/merge.json': {
    task: 'I',
    question_count: 60,
    rankings: from(
      range(60).map(
        (index) => [`leaderboard_q_${index}`, range(12).map((agent) => `PartI1_agent_${agent}`)] as const,
      ),
    ),
  },
  'PartII/agents/merge.json': from(
    range(60).map(
      (index) =>
        [
          `PartII_agent_${index}`,
          {
            M: index % 2 === 0 ? {} : { name: 'placeholder' },
            T: { tools: ['<<Sky&&Fly>>', 'listed', 'nested', 'echo', `unknown ${index}`] },
            C: {},
          },
        ] as const,
    ),
  ),
  'PartII/questions/merge.json': from(
    range(60).map((index) => [`PartII_question_${index}`, question(`Fly kite ${index}!`)] as const),
  ),
  'PartII/rankings/merge.json': {
    task: 'II',
    question_count: 60,
    rankings: from(
      range(60).map(
        (index) => [`PartII_question_${index}`, [`PartII_agent_${index}`, 'PartII_agent_0']] as const,
      ),
    ),
  },
  'PartIII/agents/merge.json': from(
    range(300).map(
      (index) =>
        [
          `PartIII_agent_${index}`,
          {
            M: { name: index % 50 === 0 ? `PartI1_agent_${index}` : 'lark-7b' },
            T: { tools: ['listed'] },
            C: { temperature: 0 },
          },
        ] as const,
    ),
  ),
  'PartIII/questions/merge.json': from(
    range(60).map(
      (index) =>
        [
          `question_${index}`,
          question(index % 2 === 0 ? `SING song ${index}` : `Fly  kite ${index}.`),
        ] as const,
    ),
  ),
  'PartIII/rankings/merge.json': {
    task: 'III',
    question_count: 60,
    rankings: {
      ...from(
        range(60).map(
          (index) =>
            [`question_${index}`, range(5).map((rank) => `PartIII_agent_${index * 5 + rank}`)] as const,
        ),
      ),
      question_dirty: ['PartIII_agent_0'],
      question_unknown: ['PartIII_agent_9999'],
    },
  },
}
const withDirt = {
  ...files,
  'PartIII/questions/merge.json': {
    ...files['PartIII/questions/merge.json'],
    question_dirty: question('Dirty only'),
  },
}

const read = (settings: Record<string, string> = {}, only: readonly string[] = []) =>
  agentSelect.read(folderWith(withDirt), only, settings)

const textsOf = (dataset: Dataset) =>
  dataset.parts.flatMap(({ queries }) => queries.map(({ text }) => normalisedText(text)))

describe('agents', () => {
  const cardOf = async (id: string, settings = {}) => {
    const { parts } = await read(settings)
    return parts[0]!.cards.find((card) => card.id === `agentselect/${id}`) as AgentCard
  }

  test('without a model, given as {} or a placeholder, are toolkits named after their tools', async () => {
    for (const id of ['PartII_agent_0', 'PartII_agent_1']) {
      const card = await cardOf(id)
      expect(card).toMatchObject({ agentKind: 'toolkit', backbone: null })
      expect(card.name).toMatch(/^<<Sky&&Fly>>, listed, nested, echo, unknown \d$/)
      expect(card.tools.map(({ description }) => description)).toEqual([
        'Flies things',
        'Lists many things',
        'Nests deeply',
        undefined,
        undefined,
      ])
    }
  })

  test('with a model are profiles named after it, its description from the table unless it is left out', async () => {
    const described = { name: 'lark-7b', description: 'A small model for birds' }
    expect(await cardOf('PartIII_agent_1')).toMatchObject({
      agentKind: 'profile',
      name: 'lark-7b',
      backbone: described,
      policy: { temperature: 0 },
    })
    expect((await cardOf('PartIII_agent_1', { models: 'named' })).backbone).toEqual({ name: 'lark-7b' })
    expect((await cardOf('PartI1_agent_3')).backbone).toEqual({ name: 'lark-3b', id: 'zoo/lark-3b' })
  })

  test('whose model is the id of an agent are left out, with what hung on them, and counted', async () => {
    const { parts, notes } = await read({ split: 'all' })
    const ids = parts[0]!.cards.map(({ id }) => id)
    expect(ids).toHaveLength(12 + 60 + 300 - 6)
    expect(ids).not.toContain('agentselect/PartIII_agent_50')
    expect(notes).toContain('6 agents were left out: their model is the id of an agent.')
    expect(notes).toContain('6 queries have lost some of their positives with that.')
    expect(notes).toContain('2 queries were left out: none of their positives remains, or they have no text.')
    expect(notes).toContain(
      '60 tool names have no entry in the table of tools; they stand without description.',
    )
    expect(notes).toContain('60 queries repeat the text of another and are on the same side of the split.')
  })
})

describe('queries', () => {
  test('have 10, 1 and 5 positives by part', async () => {
    const { parts } = await read({ split: 'all' })
    const most = parts.map(({ name, queries }) => [
      name,
      Math.max(...queries.map(({ grades }) => grades.size)),
    ])
    expect(most).toEqual([
      ['PartI', 10],
      ['PartII', 1],
      ['PartIII', 5],
    ])
  })

  test('count positives alike, or by their rank', async () => {
    const [binary] = (await read({ split: 'all' })).parts
    expect(new Set(binary!.queries[0]!.grades.values())).toEqual(new Set([1]))
    const [byRank] = (await read({ split: 'all', grades: 'rank' })).parts
    expect([...byRank!.queries[0]!.grades.values()]).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('are held out by text: no text of validation is in training, in whatever part and spelling', async () => {
    const validation = textsOf(await read({ split: 'validation' }))
    const training = textsOf(await read({ split: 'train' }))
    const all = textsOf(await read({ split: 'all' }))
    expect(validation.filter((text) => training.includes(text))).toEqual([])
    expect([...validation, ...training].sort()).toEqual([...all].sort())
    expect(validation.length).toBeGreaterThan(0.08 * all.length)
    expect(validation.length).toBeLessThan(0.35 * all.length)
  })

  test('whose agents no training query has stand apart, or within', async () => {
    const { parts } = await read()
    expect(parts.map(({ name, category }) => [name, category])).toEqual([
      ['PartI', 'LLM-only'],
      ['PartII unseen agents', 'toolkit-only'],
      ['PartIII unseen agents', 'compositional'],
    ])
    const trained = new Set(
      (await read({ split: 'train' })).parts.flatMap(({ queries }) =>
        queries.flatMap(({ grades }) => [...grades.keys()]),
      ),
    )
    for (const { name, queries } of parts) {
      for (const { grades } of queries) {
        expect([...grades.keys()].some((agent) => trained.has(agent))).toBe(!name.endsWith('unseen agents'))
      }
    }
    const within = await read({ unseen: 'within' })
    expect(within.parts.map(({ name }) => name)).toEqual(['PartI', 'PartII', 'PartIII'])
    expect(textsOf(within).sort()).toEqual(textsOf(await read()).sort())
  })

  test('of one part only are still ranked among the agents of all', async () => {
    const { parts } = await read({}, ['PartI'])
    expect(parts.map(({ name }) => name)).toEqual(['PartI'])
    const pool = parts[0]!.queries[0]!.pool!
    expect(pool.some((id) => id.startsWith('agentselect/PartIII'))).toBe(true)
  })

  test('have the pools they had, whatever the order of the file', async () => {
    const reversed = Object.fromEntries(Object.entries(files['PartIII/agents/merge.json']).reverse())
    const other = await agentSelect.read(
      folderWith({ ...withDirt, 'PartIII/agents/merge.json': reversed }),
      [],
      { pool: '100' },
    )
    const pools = ({ parts }: Dataset) =>
      parts.flatMap(({ queries }) => queries.map(({ id, pool }) => [id, pool]))
    expect(pools(other)).toEqual(pools(await read({ pool: '100' })))
  })
})

test('the origin tells texts of tools and models apart, and models only where they are searched', async () => {
  const originOf = async (changed: Record<string, unknown>, settings: Record<string, string> = {}) =>
    (await agentSelect.read(folderWith({ ...withDirt, ...changed }), [], settings)).origin
  const tools = { 'Tools/merge.json': { listed: { description: 'Lists nothing' } } }
  const models = { 'LLMs/merge.json': { 'lark-7b': { description: 'A large model for birds' } } }
  expect(await originOf({})).toBe(await originOf({}))
  expect(await originOf(tools)).not.toBe(await originOf({}))
  expect(await originOf(models)).not.toBe(await originOf({}))
  expect(await originOf(models, { models: 'named' })).toBe(await originOf({}, { models: 'named' }))
})

test('agents with the same tools are copies of each other when equivalence is asked for', async () => {
  const { equivalence, parts } = await read()
  const [card] = parts[0]!.cards.filter(
    (one): one is AgentCard => one.kind === 'agent' && one.tools.length > 0,
  )
  const { backbone: _, ...rest } = card!
  expect(equivalence!.classOf({ ...rest, backbone: { name: 'another' } })).toBe(equivalence!.classOf(card!))
})

describe('a pool', () => {
  const agents = range(5000).map((index) => `agent-${String(index).padStart(4, '0')}`)

  test('holds the positives among agents drawn at random, each once, and is the same every time', () => {
    const pool = candidatePool('q1', ['agent-0007', 'agent-4999'], agents, 1000, '42')
    expect(pool).toHaveLength(1000)
    expect(new Set(pool).size).toBe(1000)
    expect(pool).toEqual(expect.arrayContaining(['agent-0007', 'agent-4999']))
    expect(candidatePool('q1', ['agent-0007', 'agent-4999'], agents, 1000, '42')).toEqual(pool)
    expect(candidatePool('q2', ['agent-0007', 'agent-4999'], agents, 1000, '42')).not.toEqual(pool)
    expect(candidatePool('q1', ['agent-0007', 'agent-4999'], agents, 1000, '43')).not.toEqual(pool)
  })

  test('does not change from one release of ours to the next', () => {
    expect(candidatePool('q1', ['agent-0007'], agents, 5, '42')).toMatchInlineSnapshot(`
      [
        "agent-2357",
        "agent-0007",
        "agent-3927",
        "agent-3600",
        "agent-3819",
      ]
    `)
  })

  test('gives positives no place of their own', () => {
    const places = range(400).map((index) =>
      candidatePool(`q${index}`, ['agent-0000'], agents, 10, '42').indexOf('agent-0000'),
    )
    const counts = range(10).map((place) => places.filter((each) => each === place).length)
    expect(Math.min(...counts)).toBeGreaterThan(15)
    expect(Math.max(...counts)).toBeLessThan(75)
  })

  test('is all agents when there are no more', () => {
    const few = agents.slice(0, 20)
    expect([...candidatePool('q', ['agent-0003'], few, 1000, '42')].sort()).toEqual(few)
  })
})

describe('the split', () => {
  const queries = fc.array(fc.record({ part: fc.constantFrom('I', 'II', 'III'), text: fc.string() }), {
    maxLength: 60,
  })

  test('does not depend on the order of the queries, and gives every larger part something to validate', () => {
    fc.assert(
      fc.property(queries, fc.constantFrom('42', '43'), (list, seed) => {
        const chosen = validationTexts(list, seed)
        expect([...validationTexts([...list].reverse(), seed)].sort()).toEqual([...chosen].sort())
        for (const part of ['I', 'II', 'III']) {
          const ofPart = list.filter((query) => query.part === part)
          if (ofPart.length >= 5)
            expect(ofPart.some(({ text }) => chosen.has(normalisedText(text)))).toBe(true)
        }
      }),
    )
  })

  test.each([
    { why: 'case and punctuation', one: 'Fly a kite!', other: 'fly a  KITE' },
    { why: 'width and line breaks', one: 'ｆｌｙ\na kite', other: 'fly a kite' },
  ])('takes texts that differ in $why for one', ({ one, other }) => {
    expect(normalisedText(one)).toBe(normalisedText(other))
  })

  test('tells formulas apart', () => {
    expect(normalisedText('∑ ∂')).not.toBe(normalisedText('∂ ∑'))
  })
})

describe('a folder of AgentSelect', () => {
  test('is recognised, and may hold some of the parts', async () => {
    const { 'PartIII/agents/merge.json': agents, ...rest } = files
    const folder = folderWith(rest)
    expect(agents).toBeDefined()
    expect(agentSelect.recognises(folder)).toBe(true)
    const { parts, notes } = await agentSelect.read(folder, [])
    expect(parts.map(({ name }) => name)).toEqual(['PartI', 'PartII unseen agents'])
    expect(notes.join()).toContain('Only PartI, PartII were here')
  })

  test.each([
    {
      why: 'a table is missing',
      change: { 'PartI/rankings/merge.json': undefined },
      message: 'PartI/rankings',
    },
    {
      why: 'a table is cut short',
      change: { 'PartII/questions/merge.json': '{"PartII_question_0": {"inp' },
      message: 'not complete JSON',
    },
    {
      why: 'a table is a list',
      change: { 'PartII/questions/merge.json': '[]' },
      message: 'not one JSON object',
    },
  ])('is refused when $why', async ({ change, message }) => {
    const contents = Object.entries({ ...files, ...change }).filter(([, value]) => value !== undefined)
    await expect(agentSelect.read(folderWith(Object.fromEntries(contents)), [])).rejects.toThrow(message)
  })

  test('is refused when it holds no part', async () => {
    await expect(agentSelect.read(folderWith({ 'a.json': {} }), [])).rejects.toThrow(
      'no PartI, PartII or PartIII',
    )
  })
})
