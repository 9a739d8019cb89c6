import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Dataset } from '../../../src/evaluation/datasets/dataset.ts'
import { agentSearchBench } from '../../../evals/benchmarks/src/agentsearchbench/agentsearchbench.ts'
import { wholeGrades } from '../../../evals/benchmarks/src/agentsearchbench/agentsearch-grades.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'
import { writeParquet } from '../../fixtures/write-parquet.ts'

const agentOf = (letter: string) => `agt:openaiagents:00000${letter}@v1.1`
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(agentOf) as [string, string, string, string]
const cardOf = (agent: string) => `agentbase/${agent}`

const record = (agent: string) => ({
  agent_id: agent,
  platform_id: 'plt:openaiagents',
  platform_name: 'openaiagents',
  agent_name: `Guide ${agent.at(22)}`,
  agent_description: 'Guides people.',
  agent_category: 'Travel',
  agent_usage: { quick_start: ['Guide me home'], input_mode: 'text' },
  usage_example: null,
  agent_url: 'https://example.org/guide',
  agent_pricing: 'Free',
  base_model: 'GPT-5.2',
  misc: { chats: 3 },
})
const agents = { 'agents/agents.jsonl': [a, b, c, d].map(record) }

const judged = (scores: Record<string, number>) =>
  Object.fromEntries(Object.entries(scores).map(([agent, score]) => [agent, [score, 'because']]))

/** The files that the benchmark's own code writes: one key a line. */
const keyed = {
  ...agents,
  'task_query_single_tasks.jsonl': [
    { 'q:0': ['Find the way', [a]] },
    { 'q:1': ['Book a room', [b]] },
    { 'q:2': ['Do the impossible', [c]] },
  ],
  'task_query_single_judged_labels.jsonl': [
    { 'q:0': judged({ [a]: 5, [b]: 4, [c]: 3, [d]: 1 }) },
    { 'q:1': judged({ [c]: 5, [a]: 1 }) },
    { 'q:2': judged({ [a]: 1, [b]: 2 }) },
  ],
  'task_query_multi_tasks.jsonl': [
    { 'q:0': ['Find the way and book a room', [a, b], ['Find the way', 'Book a room'], ['q:0', 'q:1']] },
    {
      'q:1': [
        'Find the way and do the impossible',
        [a, c],
        ['Find the way', 'Do the impossible'],
        ['q:0', 'q:2'],
      ],
    },
  ],
  'task_query_multi_judged_labels.jsonl': [
    { 'q:0': { 'q:0': judged({ [a]: 5, [b]: 4, [c]: 3 }), 'q:1': judged({ [a]: 1, [b]: 5 }) } },
    { 'q:1': { 'q:0': judged({ [a]: 5, [b]: 1 }), 'q:2': judged({ [a]: 1, [b]: 1 }) } },
  ],
  'task_query_multi_consistency.jsonl': [{ 'q:0': { [a]: [0, 'not documented'], [b]: [1, 'documented'] } }],
}

const queriesOf = (dataset: Dataset, part: string) =>
  dataset.parts
    .find(({ name }) => name === part)!
    .queries.map(({ id, grades, needs, pool }) => ({ id, grades: Object.fromEntries(grades), needs, pool }))

describe('retrieval over the files of the benchmark’s own code', () => {
  test('calls a score of 4 or 5 relevant; a subtask is a need; a task nobody solved is left out', async () => {
    const folder = folderWith(keyed)
    expect(agentSearchBench.recognises(folder)).toBe(true)
    const dataset = await agentSearchBench.read(folder, [])
    expect(dataset.headline).toEqual(['ndcg@20', 'p@20', 'recall@20', 'completeness@20'])
    expect(queriesOf(dataset, 'single')).toEqual([
      { id: 'single/q:0', grades: { [cardOf(a)]: 1, [cardOf(b)]: 1 }, needs: [[cardOf(a), cardOf(b)]] },
      { id: 'single/q:1', grades: { [cardOf(c)]: 1 }, needs: [[cardOf(c)]] },
    ])
    expect(queriesOf(dataset, 'multi')).toEqual([
      {
        id: 'multi/q:0',
        grades: { [cardOf(a)]: 1, [cardOf(b)]: 1 },
        needs: [[cardOf(a), cardOf(b)], [cardOf(b)]],
      },
      { id: 'multi/q:1', grades: { [cardOf(a)]: 1 }, needs: [[cardOf(a)], []] },
    ])
    expect(dataset.notes.join('\n')).toContain('1 task was left out: no agent solved it')
    expect(dataset.notes.join('\n')).toContain('1 task has a subtask that nobody solved')
    expect(dataset.parts[0]!.cards).toBe(dataset.parts[1]!.cards)
  })

  test.each([
    {
      text: 'document',
      card: { name: 'Guide a', examples: ['Guide me home'], tags: ['Travel'], backbone: { name: 'GPT-5.2' } },
    },
    { text: 'description', card: { name: 'Guide a', examples: [], tags: [], backbone: null } },
  ])('searches the $text of an agent', async ({ text, card }) => {
    const { parts } = await agentSearchBench.read(folderWith(keyed), ['single'], { text })
    expect(parts[0]!.cards[0]).toMatchObject({ id: cardOf(a), description: 'Guides people.', ...card })
  })
})

describe('reranking', () => {
  test.each([
    { discount: 'subtract', why: 'subtracts half a subtask', grades: { a: 1, b: 4, c: 0 } },
    { discount: 'halve', why: 'halves the grade', grades: { a: 1, b: 4, c: 0 } },
    { discount: 'none', why: 'discounts nothing', grades: { a: 1, b: 2, c: 0 } },
    {
      discount: 'published',
      why: 'has nothing published and does as the code',
      grades: { a: 1, b: 4, c: 0 },
    },
  ])('$why with "$discount"', async ({ discount, grades }) => {
    const dataset = await agentSearchBench.read(folderWith(keyed), ['multi'], {
      protocol: 'rerank',
      discount,
    })
    expect(dataset.headline).toEqual(['ndcg@5', 'ndcg@20', 'ndcg@1', 'completeness@5'])
    const [query] = queriesOf(dataset, 'multi')
    expect(query!.grades).toEqual({
      [cardOf(a)]: grades.a,
      [cardOf(b)]: grades.b,
      [cardOf(c)]: grades.c,
    })
    expect(query!.pool).toEqual([a, b, c].map(cardOf))
  })

  test('tells subtracting from halving when two of three subtasks are solved', async () => {
    const twoOfThree = {
      ...agents,
      'task_description_tasks.jsonl': [
        { 'd:0': ['Travel well', [a], ['one', 'two', 'three'], ['criterion']] },
      ],
      'task_description_judged_labels.jsonl': [
        {
          'd:0': {
            't:0': judged({ [a]: 5, [b]: 4 }),
            't:1': judged({ [a]: 4, [b]: 1 }),
            't:2': judged({ [a]: 1, [b]: 1 }),
          },
        },
      ],
      'task_description_consistency.jsonl': [{ 'd:0': { [a]: [0, ''], [b]: [1, ''] } }],
    }
    const gradesBy = async (discount: string) => {
      const dataset = await agentSearchBench.read(folderWith(twoOfThree), [], {
        protocol: 'rerank',
        discount,
      })
      return queriesOf(dataset, 'description')[0]!.grades
    }
    // 2 - 0.5 against 1, and 2 / 2 against 1: doubled, where that is needed for whole numbers.
    expect(await gradesBy('subtract')).toEqual({ [cardOf(a)]: 3, [cardOf(b)]: 2 })
    expect(await gradesBy('halve')).toEqual({ [cardOf(a)]: 1, [cardOf(b)]: 1 })
    expect(await gradesBy('none')).toEqual({ [cardOf(a)]: 2, [cardOf(b)]: 1 })
  })

  test('keeps the twenty best of the judged agents, in an order that says nothing', async () => {
    const many = Array.from({ length: 30 }, (_, index) => agentOf(String.fromCharCode(97 + index)))
    const scores = Object.fromEntries(many.map((agent, index) => [agent, index % 3 === 0 ? 5 : 2]))
    const folder = folderWith({
      'single_tasks.jsonl': [{ 'q:0': ['Guide', []] }],
      'task_query_single_tasks.jsonl': [{ 'q:0': ['Guide', []] }],
      'task_query_single_judged_labels.jsonl': [{ 'q:0': judged(scores) }],
    })
    const dataset = await agentSearchBench.read(folder, [], { protocol: 'rerank' })
    const [query] = dataset.parts[0]!.queries
    expect(query!.pool).toHaveLength(20)
    expect(query!.pool).toEqual([...query!.pool!].sort())
    expect([...query!.grades.values()].filter((grade) => grade > 0)).toHaveLength(10)
    expect(dataset.platformOf!([...query!.pool!][0]!)).toBe('openaiagents')
    // What is published stands beside grades as published alone.
    expect(dataset.published!.map(({ part }) => part)).toEqual(['single', 'description'])
    const halved = await agentSearchBench.read(folder, [], { protocol: 'rerank', discount: 'halve' })
    expect(halved.published).toBeUndefined()
  })

  test.each([
    { why: 'halves are doubled', values: { x: 1, y: 0.5, z: 0 }, expected: { x: 2, y: 1, z: 0 } },
    { why: 'thirds are tripled', values: { x: 1, y: 1 / 3 }, expected: { x: 3, y: 1 } },
    { why: 'whole grades stay', values: { x: 5, y: 3 }, expected: { x: 5, y: 3 } },
    { why: 'a negative grade is 0', values: { x: 1, y: -0.5 }, expected: { x: 2, y: 0 } },
  ])('grades are whole numbers: $why', ({ values, expected }) => {
    expect(Object.fromEntries(wholeGrades(new Map(Object.entries(values))))).toEqual(expected)
  })
})

describe('what probes told', () => {
  const withProbes = {
    ...keyed,
    'description_probes.jsonl': [{ 'p:0': ['Can you book?', [a, b]] }, { 'p:1': ['Which city?', [a]] }],
    'description_probe_responses.jsonl': [
      { 'p:0': { [a]: ['Yes.', 1.5], [b]: [{ Text: 'No.', Images: null }, 2] } },
      { 'p:1': { [a]: ['Any.', 1] } },
    ],
    'description_probe_judged_labels.jsonl': [{ 'p:0': judged({ [a]: 5, [b]: 1 }) }],
  }
  const probesOf = async (files: Parameters<typeof folderWith>[0]) =>
    agentSearchBench.read(folderWith(files), [], { protocol: 'rerank', probes: 'text' })

  test('comes of the files of probes, the newest first, and of the judged runs of single tasks', async () => {
    const { probed, notes } = await probesOf(withProbes)
    expect(Object.fromEntries(probed!.pairs)).toEqual({
      [cardOf(a)]: [
        { question: 'Which city?', answer: 'Any.' },
        { question: 'Can you book?', answer: 'Yes.' },
      ],
      [cardOf(b)]: [{ question: 'Can you book?', answer: 'No.' }],
    })
    expect(probed!.runs).toContainEqual(
      expect.objectContaining({ query: 'probe p:0', text: 'Can you book?', card: cardOf(b), grade: 1 }),
    )
    expect(probed!.runs.filter(({ query }) => query === 'task q:0')).toHaveLength(4)
    expect(notes).toContain('2 agents have answers of probes.')
  })

  test('hides a task from itself, and subtasks from what holds them', async () => {
    const { probed, parts } = await probesOf(withProbes)
    const queries = parts.flatMap((part) => part.queries)
    const hidden = (text: string) => [...probed!.hiddenFrom(queries.find((one) => one.text === text)!)]
    expect(hidden('Find the way')).toEqual(['task q:0'])
    expect(hidden('Find the way and book a room')).toEqual(['task q:0', 'task q:1'])
  })

  test('is told where it is not there, and not read unless it is asked for', async () => {
    const { notes } = await probesOf(keyed)
    expect(notes.join(' ')).toContain('No answers of probes are published here')
    expect((await agentSearchBench.read(folderWith(withProbes), [])).probed).toBeUndefined()
  })
})

/** The packaged tables, their maps as JSON text, as a hub that knows only columns keeps them. */
const packagedRows = [
  {
    id: 'q:38',
    task: 'Find the way',
    ref_agents: JSON.stringify([a]),
    ref_subtasks: '[]',
    rubric: '[]',
    labels: JSON.stringify({ [a]: 1, [b]: 1 }),
    ranking_labels: JSON.stringify({ [a]: 1, [b]: 1, [c]: 0 }),
  },
  {
    id: 'q:398',
    task: 'Find the way, and book a room',
    ref_agents: JSON.stringify([a]),
    ref_subtasks: JSON.stringify(['find the  way', 'Book a room']),
    rubric: '[]',
    labels: JSON.stringify({ [a]: 1 }),
    ranking_labels: JSON.stringify({ [a]: 1, [c]: 0.5, [d]: 0 }),
  },
]

describe('the packaged tables', () => {
  const packaged = () => {
    const folder = folderWith(agents)
    mkdirSync(join(folder, 'tasks/single-agent_task_query'), { recursive: true })
    writeParquet(
      join(folder, 'tasks/single-agent_task_query/validation-00000-of-00001.parquet'),
      packagedRows,
    )
    return folder
  }

  test('are read from parquet; a subtask’s solvers are those of the single task with its text', async () => {
    const folder = packaged()
    expect(agentSearchBench.recognises(folder)).toBe(true)
    const dataset = await agentSearchBench.read(folder, [])
    expect(queriesOf(dataset, 'single')).toHaveLength(1)
    // "Book a room" is no single task here: who solved it is not known, and Completeness does not apply.
    expect(queriesOf(dataset, 'multi')[0]!.needs).toEqual([])
    const known = folderWith({
      ...agents,
      'task_query.jsonl': [
        ...packagedRows,
        { ...packagedRows[0], id: 'q:40', task: 'Book a room', labels: { [d]: 1 } },
      ],
    })
    const [multi] = queriesOf(await agentSearchBench.read(known, []), 'multi')
    expect(multi!.needs).toEqual([[cardOf(a), cardOf(b)], [cardOf(d)]])
  })

  test('give published grades for reranking, and are checked against their labels', async () => {
    const dataset = await agentSearchBench.read(packaged(), [], { protocol: 'rerank' })
    const [multi] = queriesOf(dataset, 'multi')
    expect(multi!.grades).toEqual({ [cardOf(a)]: 2, [cardOf(c)]: 1, [cardOf(d)]: 0 })
    expect(multi!.pool).toEqual([a, c, d].map(cardOf))
    expect(dataset.notes.join('\n')).toContain(
      '1 task grades an agent for reranking that its labels do not call relevant',
    )
    const halved = await agentSearchBench.read(packaged(), [], { protocol: 'rerank', discount: 'halve' })
    expect(halved.notes.join('\n')).toContain('2 tasks have no judged scores')
  })

  test('without agents, or with agents that are not described, say so', async () => {
    const bare = await agentSearchBench.read(folderWith({ 'task_query.jsonl': packagedRows }), [])
    expect(bare.parts[0]!.cards.map(({ id }) => id)).toEqual([a, b, c, d].map(cardOf))
    expect(bare.notes.join('\n')).toContain('no documents of the agents')
    const some = folderWith({ 'task_query.jsonl': packagedRows, 'agents.jsonl': [record(b)] })
    expect((await agentSearchBench.read(some, [])).notes.join('\n')).toContain(
      '1 judged agent has no document',
    )
  })

  test('that are cut short are refused', async () => {
    const folder = folderWith({ 'task_query.jsonl': `${JSON.stringify(packagedRows[0])}\n{"id": "q:` })
    await expect(agentSearchBench.read(folder, [])).rejects.toThrow('task_query.jsonl, line 2')
  })

  test('that hold no task are refused', async () => {
    await expect(agentSearchBench.read(folderWith(agents), [])).rejects.toThrow('no tasks')
  })
})

const shared = join(import.meta.dirname, '../../../../shared/data/agentsearch')

describe.skipIf(!existsSync(shared))('the open examples (skipped: data not present)', () => {
  test('give the relevant agents that were released for 35 of 38 tasks', async () => {
    expect(agentSearchBench.recognises(shared)).toBe(true)
    const { parts } = await agentSearchBench.read(shared, [])
    const single = parts.find(({ name }) => name === 'single')!
    const released = readFileSync(join(shared, 'labels.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { readonly task: string; readonly relevant: readonly string[] })
    expect(released).toHaveLength(35)
    for (const { task, relevant } of released) {
      const query = single.queries.find(({ id }) => id === task || id === `single/${task}`)
      expect([...query!.grades.keys()].sort(), task).toEqual(relevant.map(cardOf).sort())
    }
  })

  test('give pools of twenty judged agents for reranking', async () => {
    const { parts } = await agentSearchBench.read(shared, ['single'], { protocol: 'rerank' })
    const judgedTasks = parts[0]!.queries.filter(({ pool }) => pool!.length === 20)
    expect(judgedTasks.length).toBeGreaterThanOrEqual(35)
  })

  test('have samples of each published format that are read', async () => {
    const { parts } = await agentSearchBench.read(join(shared, 'format_samples'), [], { protocol: 'rerank' })
    expect(parts.map(({ name, queries }) => [name, queries.map(({ id }) => id)])).toEqual([
      ['single', ['q:38']],
      ['multi', ['q:398']],
      ['description', ['q:87']],
    ])
    expect(parts[0]!.cards.map(({ name }) => name)).toEqual(['JAVA Code Guide'])
    expect(parts.map(({ queries }) => queries[0]!.pool!.length)).toEqual([20, 20, 20])
  })
})
