import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beir } from '../../../evals/benchmarks/src/beir.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const files = {
  'set/corpus.jsonl': [
    { _id: 'd1', title: 'Kites', text: 'How kites fly', metadata: {} },
    { _id: 'd/2', title: '', text: 'Boats' },
  ],
  'set/queries.jsonl': [
    { _id: 'q1', text: 'flying', metadata: {} },
    { _id: 'q2', text: 'sailing' },
    { _id: 'unjudged', text: 'nobody asks' },
  ],
  'set/qrels/test.tsv':
    'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td/2\t0\nq9\td1\t1\nq2\tgone\t1\nq2\td/2\t1\n',
  'set/qrels/train.tsv': 'q2\t0\td/2\t1\n',
}

describe('a folder in the layout of BEIR', () => {
  test('gives one part for the split "test", with judged queries only', async () => {
    const folder = join(folderWith(files), 'set')
    expect(beir.recognises(folder)).toBe(true)
    const { name, parts, notes } = await beir.read(folder, [])
    expect(name).toBe('set')
    expect(parts).toHaveLength(1)
    expect(parts[0]!.cards.map(({ id, name, description }) => [id, name, description])).toEqual([
      ['set/d1', 'Kites', 'How kites fly'],
      ['set/d-2', 'd/2', 'Boats'],
    ])
    expect(parts[0]!.queries).toEqual([
      {
        id: 'q1',
        text: 'flying',
        grades: new Map([
          ['set/d1', 2],
          ['set/d-2', 0],
        ]),
      },
      {
        id: 'q2',
        text: 'sailing',
        grades: new Map([
          ['set/gone', 1],
          ['set/d-2', 1],
        ]),
      },
    ])
    expect(notes).toEqual([
      '1 judged query has no text and was left out.',
      '1 judgement names a document that is not in the corpus; nothing can find it.',
    ])
  })

  test('gives a part per named split, over the same cards; four columns as TREC writes them are read', async () => {
    const { parts } = await beir.read(join(folderWith(files), 'set'), ['test', 'train'])
    expect(parts.map(({ name }) => name)).toEqual(['test', 'train'])
    expect(parts[1]!.cards).toBe(parts[0]!.cards)
    expect(parts[1]!.queries).toEqual([
      { id: 'train/q2', text: 'sailing', grades: new Map([['set/d-2', 1]]) },
    ])
  })

  test.each([
    {
      why: 'a judgement has no grade',
      change: { 'set/qrels/test.tsv': 'q1\td1\t1\nq1\td1\tyes\n' },
      message: 'line 2',
    },
    {
      why: 'a judgement has no document',
      change: { 'set/qrels/test.tsv': 'q1\td1\t1\nq1 1\n' },
      message: 'line 2',
    },
    {
      why: 'the corpus is cut short',
      change: { 'set/corpus.jsonl': '{"_id": "d1", "te' },
      message: 'corpus.jsonl, line 1',
    },
  ])('is refused when $why', async ({ change, message }) => {
    await expect(beir.read(join(folderWith({ ...files, ...change }), 'set'), [])).rejects.toThrow(message)
  })

  test('is not recognised in another folder', async () => {
    const folder = folderWith({ 'corpus.jsonl': [{ _id: 'a' }] })
    expect(beir.recognises(folder)).toBe(false)
    await expect(beir.read(folder, [])).rejects.toThrow('no folder in the layout of BEIR')
  })
})
