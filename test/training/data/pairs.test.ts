import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/catalog/ports.ts'
import { readTrainingCorpora } from '../../../embeddings/trainer/src/data/read-training-corpora.ts'
import { writeParquet } from '../../fixtures/write-parquet.ts'
import { folderWith, query, tool } from './folders.ts'

const doc = (name: string) => JSON.stringify({ name, description: `Does ${name}` })
const rows = [
  {
    query: 'Will it rain?',
    pos: [doc('forecast')],
    neg: [doc('tides'), doc('maps')],
    prompt: 'Find weather.',
  },
  { query: 'When is high water?', pos: [doc('tides'), doc('harbours')], neg: [doc('forecast')], prompt: '' },
]
const asText = ({ query: text, pos, neg, prompt }: (typeof rows)[number]) => ({
  query: text,
  pos: JSON.stringify(pos),
  neg: JSON.stringify(neg),
  prompt,
})

function parquetFolder(): string {
  const folder = folderWith({})
  const data = join(folder, 'datasets--owner--ToolRet-Training', 'snapshots', 'e'.repeat(40), 'data')
  mkdirSync(data, { recursive: true })
  rows.forEach((row, shard) => {
    writeParquet(join(data, `train-0000${shard}-of-00002.parquet`), [asText(row)])
  })
  return join(folder, 'datasets--owner--ToolRet-Training')
}

describe('queries with the documentations that serve them, as ToolRet-train is released', () => {
  test.each([
    { form: 'JSON Lines', folder: () => folderWith({ 'mine/train.jsonl': rows }), name: 'mine' },
    {
      form: 'one JSON array',
      folder: () => folderWith({ 'mine/train.json': [JSON.stringify(rows)] }),
      name: 'mine',
    },
    { form: "parquet in the hub's cache, in shards", folder: parquetFolder, name: 'ToolRet-Training' },
  ])('are read from $form', async ({ folder, name }) => {
    const problems: Problem[] = []
    const { corpora } = await readTrainingCorpora([folder()], { onProblem: (one) => problems.push(one) })
    expect(problems).toEqual([])
    expect(corpora.map((corpus) => [corpus.name, corpus.family])).toEqual([[name, name]])
    const [{ cards, queries } = { cards: [], queries: [] }] = corpora
    expect(cards.map((card) => card.name).sort()).toEqual(['forecast', 'harbours', 'maps', 'tides'])
    const nameOf = new Map(cards.map((card) => [card.id, card.name]))
    expect(
      queries.map(({ text, instruction, relevant }) => [
        text,
        instruction,
        relevant.map((id) => nameOf.get(id)),
      ]),
    ).toEqual([
      ['Will it rain?', 'Find weather.', ['forecast']],
      ['When is high water?', undefined, ['tides', 'harbours']],
    ])
  })

  test('a query of a development set is kept out', async () => {
    const folder = folderWith({
      'apigen/tools.jsonl': [tool('forecast', 'Weather')],
      'apigen/queries.jsonl': [query('d1', 'will it RAIN', ['forecast'])],
      'pairs/train.jsonl': rows,
    })
    const { corpora } = await readTrainingCorpora([folder, join(folder, 'pairs')])
    expect(corpora.map(({ name, queries }) => [name, queries.map(({ text }) => text)])).toEqual([
      ['pairs', ['When is high water?']],
    ])
  })

  test('a record without what serves it is counted, and the others are read', async () => {
    const problems: Problem[] = []
    const folder = folderWith({ 'mine/train.jsonl': [...rows, { query: 'Nothing', pos: [], neg: [] }] })
    const { corpora } = await readTrainingCorpora([folder], { onProblem: (one) => problems.push(one) })
    expect(corpora[0]?.queries).toHaveLength(2)
    expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining('1 of 3') }])
  })
})
