import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DatasetError } from '../../../src/evaluation/datasets/dataset.ts'
import { devSets } from '../../../evals/benchmarks/src/toolret/dev-sets.ts'
import { toolret, toolretDev } from '../../../evals/benchmarks/src/toolret/toolret.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const tool = (id: string, category = 'web') => ({
  id,
  documentation: { name: `${id}_name`, description: `Does what ${id} does` },
  category,
})
const lines = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join('\n')

const kites = {
  'kites/tools.jsonl': [tool('kites_tool_0'), tool('kites_tool_1'), tool('kites_tool_2', 'code')],
  'kites/queries.jsonl': [
    {
      id: 'kites_query_0',
      query: 'Fly it',
      labels: [{ id: 'kites_tool_1', relevance: 2 }],
      instruction: 'Find kites.',
    },
    {
      id: 'kites_query_1',
      query: 'Build and fly it',
      labels: [
        { id: 'kites_tool_0', relevance: 1 },
        { id: 'kites_tool_2', relevance: 1 },
      ],
      alternatives: [['kites_tool_0', 'kites_tool_1'], ['kites_tool_2']],
    },
  ],
}

const set = (name: string) => ({
  [`${name}/tools.jsonl`]: [tool(`${name}_tool_0`)],
  [`${name}/queries.jsonl`]: [
    { id: 'query_0', query: name, labels: [{ id: `${name}_tool_0`, relevance: 1 }] },
  ],
})

describe('a folder of sets', () => {
  test('is read with ids of cards, grades, needs, instructions and the category of most tools', async () => {
    const folder = folderWith(kites)
    expect(toolret.recognises(folder)).toBe(true)
    const { parts, headline, notes } = await toolret.read(folder, [])
    expect(headline).toEqual(['ndcg@10', 'p@10', 'recall@10', 'completeness@10'])
    expect(notes).toEqual([])
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatchObject({ name: 'kites', category: 'web', kind: 'tool' })
    expect(parts[0]!.cards.map(({ id, name }) => [id, name])).toEqual([
      ['kites/kites_tool_0', 'kites_tool_0_name'],
      ['kites/kites_tool_1', 'kites_tool_1_name'],
      ['kites/kites_tool_2', 'kites_tool_2_name'],
    ])
    expect(parts[0]!.queries).toEqual([
      {
        id: 'kites_query_0',
        text: 'Fly it',
        instruction: 'Find kites.',
        grades: new Map([['kites/kites_tool_1', 2]]),
        group: 'one tool',
      },
      {
        id: 'kites_query_1',
        text: 'Build and fly it',
        grades: new Map([
          ['kites/kites_tool_0', 1],
          ['kites/kites_tool_2', 1],
        ]),
        needs: [['kites/kites_tool_0', 'kites/kites_tool_1'], ['kites/kites_tool_2']],
        group: 'several tools',
      },
    ])
  })

  test('may be packed, or be one set itself', async () => {
    const packed = folderWith({
      'kites/tools.jsonl.gz': gzipSync(lines(kites['kites/tools.jsonl'])),
      'kites/queries.jsonl.gz': gzipSync(lines(kites['kites/queries.jsonl'])),
    })
    const plain = folderWith(kites)
    const [wanted] = (await toolret.read(plain, [])).parts
    expect((await toolret.read(packed, [])).parts[0]!.queries).toEqual(wanted!.queries)
    expect((await toolret.read(join(plain, 'kites'), [])).parts[0]!.queries).toEqual(wanted!.queries)
  })

  test('keeps sets without queries out, or joins their tools to the corpus', async () => {
    const folder = folderWith({ ...kites, 'pile/tools.jsonl': [tool('pile_tool_0')] })
    expect((await toolret.read(folder, [])).parts.map(({ name }) => name)).toEqual(['kites'])
    const joined = await toolret.read(folder, ['kites'], { distractors: 'join' })
    expect(joined.parts.map(({ name, queries }) => [name, queries.length])).toEqual([
      ['kites', 2],
      ['pile', 0],
    ])
    expect(joined.notes).toEqual(['Tools of pile join the corpus.'])
  })

  test('joins the tools of all other sets when asked, and asks none of their queries', async () => {
    const folder = folderWith({
      ...set('acebench'),
      ...set('strange'),
      'pile/tools.jsonl': [tool('pile_tool_0')],
    })
    const { parts, notes } = await toolretDev.read(folder, [], { distractors: 'all' })
    expect(parts.map(({ name, cards, queries }) => [name, cards.length, queries.length])).toEqual([
      ['acebench', 1, 1],
      ['pile', 1, 0],
      ['strange', 1, 0],
    ])
    expect(notes[0]).toBe('Tools of pile, strange join the corpus.')
  })

  test('reads only the test part of a set whose publishers split it, unless all is wanted', async () => {
    const query = (id: string, split: string) => ({
      id,
      query: `Ask ${id}`,
      split,
      labels: [{ id: 'toollens_tool_0', relevance: 1 }],
    })
    const folder = folderWith({
      'toollens/tools.jsonl': [tool('toollens_tool_0')],
      'toollens/queries.jsonl': [query('a', 'train'), query('b', 'test')],
    })
    expect((await toolret.read(folder, [])).parts[0]!.queries.map(({ id }) => id)).toEqual(['b'])
    const all = await toolret.read(folder, [], { splits: 'all' })
    expect(all.parts[0]!.queries.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('counts what cannot be found: labels without a tool, and queries with none', async () => {
    const folder = folderWith({
      'kites/tools.jsonl': kites['kites/tools.jsonl'],
      'kites/queries.jsonl': [
        { id: 'a', query: 'One of two', labels: [{ id: 'kites_tool_0' }, { id: 'gone', relevance: 1 }] },
        { id: 'b', query: 'None', labels: [{ id: 'gone', relevance: 1 }] },
        { id: 'c', query: '  ', labels: [{ id: 'kites_tool_0', relevance: 1 }] },
        { id: 'd', query: 'Nothing fits this', labels: [] },
      ],
    })
    const { parts, notes } = await toolret.read(folder, [])
    expect(parts[0]!.queries.map(({ id, grades }) => [id, [...grades]])).toEqual([
      [
        'a',
        [
          ['kites/kites_tool_0', 1],
          ['gone', 1],
        ],
      ],
      ['d', []],
    ])
    expect(notes).toEqual([
      '2 queries were left out: they have no text, or none of their labels is a tool of the corpus.',
      '1 label names a tool that is not in the corpus; its query can never be complete.',
    ])
  })

  test('tells equal query ids of two sets apart', async () => {
    const { parts } = await toolret.read(folderWith({ ...set('one'), ...set('two') }), [])
    expect(parts.flatMap(({ queries }) => queries.map(({ id }) => id))).toEqual([
      'one/query_0',
      'two/query_0',
    ])
  })

  test.each([
    { files: kites, says: /, 1 set \(/ },
    { files: { ...set('one'), ...set('two') }, says: /, 2 sets \(/ },
  ])('has an origin that counts as people do: $says', async ({ files, says }) => {
    expect((await toolret.read(folderWith(files), [])).origin).toMatch(says)
  })

  test('has an origin that tells contents apart, and not places', async () => {
    const [one, two] = [folderWith(kites), folderWith(kites)]
    expect((await toolret.read(one, [])).origin).toBe((await toolret.read(two, [])).origin)
    const changed = folderWith({
      ...kites,
      'kites/tools.jsonl': kites['kites/tools.jsonl'].slice(0, 2).reverse(),
    })
    expect((await toolret.read(changed, [])).origin).not.toBe((await toolret.read(one, [])).origin)
  })

  test.each([
    {
      why: 'a line is cut short',
      files: { ...kites, 'kites/queries.jsonl': `${lines(kites['kites/queries.jsonl'])}\n{"id": "kites_qu` },
      message: 'queries.jsonl, line 3',
    },
    {
      why: 'a tool has no documentation',
      files: {
        ...kites,
        'kites/tools.jsonl': [tool('kites_tool_0'), { id: 'kites_tool_1', documentation: '' }],
      },
      message: 'tools.jsonl, line 2',
    },
    {
      why: 'no query is there',
      files: { ...kites, 'kites/queries.jsonl': '' },
      message: 'no judged query',
    },
  ])('is refused when $why', async ({ files, message }) => {
    const reading = toolret.read(folderWith(files), [])
    await expect(reading).rejects.toThrow(DatasetError)
    await expect(reading).rejects.toThrow(message)
  })

  test.each([
    { why: 'an unknown set', only: ['kite'], settings: {}, message: 'has no part "kite"' },
    { why: 'an unknown setting', only: [], settings: { colour: 'red' }, message: 'has no setting "colour"' },
    {
      why: 'a value that is not allowed',
      only: [],
      settings: { splits: 'half' },
      message: 'cannot be "half"',
    },
  ])('refuses $why', async ({ only, settings, message }) => {
    await expect(toolret.read(folderWith(kites), only, settings)).rejects.toThrow(message)
  })
})

describe('the development sets', () => {
  test('are 26, each once', () => {
    expect(new Set(devSets).size).toBe(26)
    expect(devSets).toHaveLength(26)
  })

  test('are read in their order, and those that are absent named', async () => {
    const set = (name: string) => ({
      [`${name}/tools.jsonl`]: [tool(`${name}_tool_0`)],
      [`${name}/queries.jsonl`]: [
        { id: `${name}_0`, query: name, labels: [{ id: `${name}_tool_0`, relevance: 1 }] },
      ],
    })
    const folder = folderWith({ ...set('acebench'), ...set('apigen'), ...set('metatool') })
    const { parts, notes } = await toolretDev.read(folder, [])
    expect(parts.map(({ name }) => name)).toEqual(['apigen', 'acebench'])
    expect(notes.join()).toContain('bfcl-live')
    await expect(toolretDev.read(folder, ['metatool'])).rejects.toThrow('no part "metatool"')
  })
})

const shared = join(import.meta.dirname, '../../../../shared/data/toolret')

/** Rows of the table of sets in `SOURCES.md`: name, category, tools, queries. */
const published = () =>
  readFileSync(join(shared, 'SOURCES.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const number = (cell = '') => Number(cell.replaceAll(',', ''))
      return ['web', 'code', 'customized'].includes(cells[2] ?? '')
        ? [{ name: cells[1]!, category: cells[2]!, tools: number(cells[3]), queries: number(cells[4]) }]
        : []
    })

describe.skipIf(!existsSync(shared))('the reference sets (skipped: data not present)', () => {
  test('have the tools, queries and categories that their table says', async () => {
    const { parts, notes } = await toolret.read(shared, [], { splits: 'all', distractors: 'join' })
    const counts = parts.map(({ name, category, cards, queries }) => ({
      name,
      category,
      tools: cards.length,
      queries: queries.length,
    }))
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    expect(counts.sort(byName)).toEqual(published().sort(byName))
    expect(notes).toEqual(['Tools of toucan-mcp-corpus join the corpus.'])
    const ids = parts.flatMap(({ queries }) => queries.map(({ id }) => id))
    expect(new Set(ids).size).toBe(61_078)
  })

  test('label only tools of their own corpus', async () => {
    const { parts } = await toolretDev.read(shared, [])
    expect(parts.map(({ name }) => name)).toEqual(devSets)
    for (const { cards, queries } of parts) {
      const ids = new Set(cards.map(({ id }) => id))
      expect(queries.flatMap(({ grades }) => [...grades.keys()]).filter((id) => !ids.has(id))).toEqual([])
    }
    expect(parts.find(({ name }) => name === 'toollens')!.queries).toHaveLength(1877)
  })
})
