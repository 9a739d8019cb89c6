import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifestOf } from '../../../evals/benchmarks/src/manifest.ts'
import { toolret } from '../../../evals/benchmarks/src/toolret/toolret.ts'
import { readDataset } from '../../fixtures/every-dataset.ts'
import { folderWith, temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { writeParquet } from '../../fixtures/write-parquet.ts'

const tool = (id: string) => ({
  id,
  documentation: JSON.stringify({ name: `${id}_name`, description: `Does what ${id} does` }),
})

/** Rows as released: labels are JSON text, with the documentation of each. */
const query = (id: string, tools: readonly string[]) => ({
  id,
  query: `Ask ${id}`,
  instruction: `Given a task, retrieve ${id}.`,
  labels: JSON.stringify(tools.map((tool) => ({ id: tool, doc: { name: tool }, relevance: 1 }))),
})

const queries = {
  apigen: [
    query('apigen_query_0', ['apigen_tool_0']),
    query('apigen_query_1', ['apigen_tool_1', 'apigen_tool_0']),
  ],
  'craft-vqa': [query('craft_Vqa_query_0', ['craft_Vqa_tool_0'])],
  toolbench: [query('toolbench_query_0', ['toolbench_tool_0'])],
  toollens: [query('toollens_query_0', ['toolbench_tool_1'])],
}
const tools = {
  web: ['apigen_tool_0', 'apigen_tool_1', 'toolbench_tool_0', 'toolbench_tool_1', 'mnms_tool_0'].map(tool),
  code: [tool('craft_Vqa_tool_0')],
  customized: [tool('gta_tool_0')],
}

/** The tables as the hub has them, one folder per task and category. */
function released(): string {
  const folder = temporaryFolder()
  const write = (path: string, rows: readonly Record<string, string>[]) => {
    mkdirSync(join(folder, path), { recursive: true })
    writeParquet(join(folder, path, `${path.split('/')[0]}-00000-of-00001.parquet`), rows)
  }
  for (const [task, rows] of Object.entries(queries)) write(`queries/${task}`, rows)
  for (const [category, rows] of Object.entries(tools)) write(`tools/${category}`, rows)
  return folder
}

describe('ToolRet as released', () => {
  test('is read from parquet: labels as JSON text, categories of the paper, ids whatever their case', async () => {
    const folder = released()
    expect(toolret.recognises(folder)).toBe(true)
    const { parts, headline } = await toolret.read(folder, [])
    expect(headline[0]).toBe('ndcg@10')
    expect(parts.map(({ name, category, queries }) => [name, category, queries.length])).toEqual([
      ['apigen', 'web', 2],
      ['craft-vqa', 'code', 1],
      ['toolbench', 'web', 1],
      ['toollens', 'web', 1],
    ])
    expect(parts[0]!.queries[1]).toMatchObject({
      id: 'apigen_query_1',
      instruction: 'Given a task, retrieve apigen_query_1.',
      grades: new Map([
        ['apigen/apigen_tool_1', 1],
        ['apigen/apigen_tool_0', 1],
      ]),
    })
    expect(parts[1]!.cards.map(({ id, name }) => [id, name])).toEqual([
      ['craft_Vqa/craft_Vqa_tool_0', 'craft_Vqa_tool_0_name'],
    ])
  })

  test('asks a task of the tool sets its labels come from; tasks over one set share the cards', async () => {
    const { parts } = await toolret.read(released(), [])
    const [, , toolbench, toollens] = parts
    expect(toollens!.cards).toBe(toolbench!.cards)
    expect(toollens!.cards.map(({ id }) => id)).toEqual([
      'toolbench/toolbench_tool_0',
      'toolbench/toolbench_tool_1',
    ])
  })

  test('joins the tools that no task asks for when they are wanted', async () => {
    const { parts, notes } = await toolret.read(released(), [], { distractors: 'join' })
    const all = new Set(parts.flatMap(({ cards }) => cards.map(({ id }) => id)))
    expect(all.size).toBe(7)
    expect(parts.at(-1)).toMatchObject({ name: 'other tools', queries: [] })
    expect(notes).toContain('Tools of gta, mnms join the corpus.')
    const without = await toolret.read(released(), [])
    expect(without.notes).toContain(
      'Tools of gta, mnms are left out, which the corpus of the paper holds: --set distractors=join adds them.',
    )
  })

  test('is the same from JSON Lines', async () => {
    const files = [
      ...Object.entries(queries).map(([task, rows]) => [`ToolRet-Queries/${task}.jsonl`, rows] as const),
      ...Object.entries(tools).map(([category, rows]) => [`ToolRet-Tools/${category}.jsonl`, rows] as const),
    ]
    const fromLines = await toolret.read(folderWith(Object.fromEntries(files)), [])
    const fromParquet = await toolret.read(released(), [])
    expect(fromLines.parts).toEqual(fromParquet.parts)
  })

  test('leaves out and counts queries whose category was not downloaded', async () => {
    const folder = folderWith({
      'queries/apigen.jsonl': queries.apigen,
      'queries/craft-vqa.jsonl': queries['craft-vqa'],
      'tools/web.jsonl': [...tools.web, { id: 'apigen_tool_9', documentation: '' }],
    })
    const { parts, notes } = await toolret.read(folder, [])
    expect(parts.map(({ name }) => name)).toEqual(['apigen'])
    expect(notes.join('\n')).toContain('1 query was left out')
    expect(notes.join('\n')).toContain('1 tool record has no documentation')
  })

  test('reads only the tasks that are named', async () => {
    expect((await toolret.read(released(), ['toollens'])).parts.map(({ name }) => name)).toEqual(['toollens'])
    await expect(toolret.read(released(), ['mnms'])).rejects.toThrow('no part "mnms"')
  })

  test('has 35 tasks in three categories', () => {
    const { categories = {} } = manifestOf('toolret')
    expect(Object.entries(categories).map(([name, tasks]) => [name, tasks.length])).toEqual([
      ['web', 19],
      ['code', 7],
      ['customized', 9],
    ])
    expect(new Set(Object.values(categories).flat()).size).toBe(35)
  })

  test("is read from the hub's cache: the commit that main names, or the newest, and no other dataset twice", async () => {
    const commits = ['a'.repeat(40), 'b'.repeat(40)]
    const cached = (repository: string, commit: string, files: Record<string, unknown>) =>
      Object.entries(files).map(
        ([path, rows]) => [`hub/datasets--owner--${repository}/snapshots/${commit}/${path}`, rows] as const,
      )
    const folder = folderWith({
      ...Object.fromEntries([
        ...cached('ToolRet-Queries', commits[0]!, { 'apigen/queries.jsonl': queries.apigen.slice(0, 1) }),
        ...cached('ToolRet-Queries', commits[1]!, { 'apigen/queries.jsonl': queries.apigen }),
        ...cached('ToolRet-Tools', commits[0]!, { 'web/tools.jsonl': tools.web }),
      ]),
      'hub/datasets--owner--ToolRet-Queries/refs/main': `${commits[1]}`,
      'hub/models--owner--something/snapshots/c/web/tools.jsonl': tools.web,
    })
    const dataset = await readDataset(join(folder, 'hub'))
    expect(dataset.name).toBe('toolret')
    expect(dataset.parts.map(({ name, queries }) => [name, queries.length])).toEqual([['apigen', 2]])
  })

  test('one dataset of the cache is recognised by its own folder', async () => {
    const folder = folderWith({
      [`datasets--me--mine/snapshots/${'d'.repeat(40)}/mine/tools.jsonl`]: tools.web,
      [`datasets--me--mine/snapshots/${'d'.repeat(40)}/mine/queries.jsonl`]: queries.apigen,
    })
    const { parts } = await readDataset(join(folder, 'datasets--me--mine'))
    expect(parts.map(({ name, queries }) => [name, queries.length])).toEqual([['mine', 2]])
  })
})
