import { describe, expect, test } from 'vitest'
import { livemcpbench } from '../../../evals/benchmarks/src/livemcpbench.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const server = (name: string, ...tools: readonly string[]) => ({
  name: `The ${name} server`,
  description: `All about ${name}`,
  category: 'Leisure',
  config: { mcpServers: { [name]: { command: 'npx', args: [name] } } },
  tools: {
    [name]: {
      server_name: name,
      tools: tools.map((tool) => ({
        name: tool,
        description: `Does ${tool}`,
        inputSchema: { type: 'object' },
      })),
    },
  },
})

const task = (id: string, question: string, tools: string) => ({
  task_id: id,
  Question: question,
  answers: '',
  category: 'Office',
  'Annotator Metadata': { Steps: '1. Do it', Tools: tools, 'Number of tools': '2' },
})

const tools = JSON.stringify([server('kites', 'fly_kite', 'search'), server('boats', 'sail-boat', 'search')])
const annotations = JSON.stringify([
  task('a', 'Fly a kite, then look it up', '1. fly_kite\n2. search'),
  task('b', 'Sail', '1. Sail_Boat (boats)\n2. no_such_tool\n'),
  task('c', 'Walk', '1. walk'),
])

describe.each([
  { layout: 'in one folder', files: { 'tools.json': tools, 'all_annotations.json': annotations } },
  {
    layout: 'as in its repository',
    files: { 'tools/LiveMCPTool/tools.json': tools, 'annotated_data/all_annotations.json': annotations },
  },
])('LiveMCPBench $layout', ({ files }) => {
  test('is asked of tools and of servers; a name that several servers have is served by any', async () => {
    const folder = folderWith(files)
    expect(livemcpbench.recognises(folder)).toBe(true)
    const { parts } = await livemcpbench.read(folder, [])
    const [ofTools, ofServers] = parts
    expect(ofTools!.kind).toBe('tool')
    expect(ofTools!.queries.map(({ id, text, group, needs }) => ({ id, text, group, needs }))).toEqual([
      {
        id: 'a',
        text: 'Fly a kite, then look it up',
        group: 'Office',
        needs: [['livemcpbench/kites-fly_kite'], ['livemcpbench/kites-search', 'livemcpbench/boats-search']],
      },
      { id: 'b', text: 'Sail', group: 'Office', needs: [['livemcpbench/boats-sail-boat']] },
    ])
    expect(ofServers).toMatchObject({ name: 'servers', kind: 'agent' })
    expect(ofServers!.cards).toBe(ofTools!.cards)
    expect(ofServers!.queries.map(({ id, needs }) => [id, needs])).toEqual([
      ['a@servers', [['livemcpbench/kites'], ['livemcpbench/kites', 'livemcpbench/boats']]],
      ['b@servers', [['livemcpbench/boats']]],
    ])
    const ids = new Set(ofTools!.cards.map(({ id }) => id))
    for (const { queries } of parts) {
      expect(queries.flatMap(({ grades }) => [...grades.keys()]).filter((id) => !ids.has(id))).toEqual([])
    }
  })

  test('says what was left out', async () => {
    const { notes } = await livemcpbench.read(folderWith(files), ['tools'])
    expect(notes).toContain('1 task was left out: none of its annotated tools is in tools.json.')
    expect(notes).toContain('1 annotated tool is not in tools.json and does not count.')
  })
})

describe('LiveMCPBench', () => {
  test.each([
    { why: 'the tasks are missing', files: { 'tools.json': tools }, message: 'no all_annotations.json' },
    {
      why: 'the tools are missing',
      files: { 'all_annotations.json': annotations },
      message: 'no tools.json',
    },
    {
      why: 'the tasks are something else',
      files: { 'tools.json': tools, 'all_annotations.json': '[{"id": 1}]' },
      message: 'no task with a "Question"',
    },
    {
      why: 'the tools are something else',
      files: { 'tools.json': '[{"id": 1}]', 'all_annotations.json': annotations },
      message: "not LiveMCPBench's list",
    },
    {
      why: 'a file is cut short',
      files: { 'tools.json': tools, 'all_annotations.json': annotations.slice(0, 90) },
      message: 'not complete JSON',
    },
  ])('is refused when $why', async ({ files, message }) => {
    await expect(livemcpbench.read(folderWith(files), [])).rejects.toThrow(message)
  })
})
