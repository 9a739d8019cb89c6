import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JudgedQuery } from '../../../src/evaluation/datasets/dataset.ts'
import { ownQueries } from '../../../src/evaluation/datasets/own-queries.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const fileWith = (name: string, contents: unknown) => join(folderWith({ [name]: contents }), name)

const queriesOf = async (name: string, contents: unknown): Promise<readonly JudgedQuery[]> => {
  const path = fileWith(name, contents)
  expect(ownQueries.recognises(path)).toBe(true)
  const { parts } = await ownQueries.read(path, [])
  expect(parts.map(({ cards }) => cards)).toEqual(parts.map(() => []))
  return parts.flatMap(({ queries }) => queries)
}

const fly = { id: 'mine-1', text: 'fly a kite', grades: new Map([['kites/fly', 1]]) }

describe('queries of a user', () => {
  test.each([
    {
      why: 'a list in JSON Lines',
      name: 'mine.jsonl',
      contents: [{ query: 'fly a kite', expected: ['kites/fly'] }],
    },
    {
      why: 'one id in JSON Lines',
      name: 'mine.ndjson',
      contents: '{"query": "fly a kite", "expected": "kites/fly"}\n\n',
    },
    {
      why: 'a JSON array',
      name: 'mine.json',
      contents: JSON.stringify([{ query: 'fly a kite', expected: ['kites/fly'] }]),
    },
    { why: 'CSV', name: 'mine.csv', contents: 'query,expected\nfly a kite,kites/fly\n' },
    {
      why: 'CSV with a byte-order mark, CRLF and columns in capitals',
      name: 'mine.csv',
      contents: '\ufeffQuery,Expected\r\nfly a kite,kites/fly\r\n',
    },
    {
      why: 'CSV with semicolons, as spreadsheets in some countries write it',
      name: 'mine.csv',
      contents: 'query;expected\nfly a kite;kites/fly\n',
    },
    { why: 'tabs', name: 'mine.tsv', contents: 'expected\tquery\nkites/fly\tfly a kite\n' },
    {
      why: 'a JSON list in CSV',
      name: 'mine.csv',
      contents: 'query,expected\nfly a kite,"[""kites/fly""]"\n',
    },
  ])('are read from $why', async ({ name, contents }) => {
    expect(await queriesOf(name, contents)).toEqual([fly])
  })

  test('may expect several cards, each with a grade', async () => {
    const grades = new Map([
      ['a/one', 2],
      ['a/two', 1],
    ])
    const row = { id: 'q7', text: 'both', grades, group: 'hard' }
    expect(
      await queriesOf('mine.csv', 'id,query,expected,grade,group\nq7,both,a/one | a/two,2|1,hard\n'),
    ).toEqual([row])
    expect(
      await queriesOf('mine.jsonl', [
        { id: 'q7', query: 'both', expected: { 'a/one': 2, 'a/two': 1 }, group: 'hard' },
      ]),
    ).toEqual([row])
    expect(
      await queriesOf(
        'mine.csv',
        'id,query,expected,grade,group\nq7,both,a/one,2,hard\nq7,both,a/two,1,hard\n',
      ),
    ).toEqual([row])
  })

  test('may name what is needed, any member of each list serving', async () => {
    const [query] = await queriesOf('mine.jsonl', [
      { query: 'both', expected: ['a/one', 'a/two', 'a/three'], needs: [['a/one'], ['a/two', 'a/three']] },
    ])
    expect(query!.needs).toEqual([['a/one'], ['a/two', 'a/three']])
  })

  test('may carry an instruction', async () => {
    const [query] = await queriesOf('mine.jsonl', [
      { query: 'both', expected: ['a/one'], instruction: 'Given a `desk` task, retrieve tools that add.' },
    ])
    expect(query!.instruction).toBe('Given a `desk` task, retrieve tools that add.')
  })

  test('rows of one text without ids are one query', async () => {
    expect(await queriesOf('mine.csv', 'query,expected\nboth,a/one\nelse,a/two\nboth,a/two\n')).toEqual([
      {
        id: 'mine-1',
        text: 'both',
        grades: new Map([
          ['a/one', 1],
          ['a/two', 1],
        ]),
      },
      { id: 'mine-2', text: 'else', grades: new Map([['a/two', 1]]) },
    ])
  })

  test('may expect nothing', async () => {
    const path = fileWith('mine.csv', 'query,expected\nfly to Mars,\n')
    const { parts, notes } = await ownQueries.read(path, [])
    expect(parts[0]!.queries).toEqual([{ id: 'mine-1', text: 'fly to Mars', grades: new Map() }])
    expect(notes).toEqual(['1 query expects nothing: it is right when the answer is "no good match".'])
  })

  test('look for tools unless they say agents, or all of them do', async () => {
    const path = fileWith('mine.csv', 'query,expected,kind\nfly,a/fly,\nplan,b/planner,agent\n')
    const { parts } = await ownQueries.read(path, [])
    expect(parts.map(({ name, kind, queries }) => [name, kind, queries.map(({ text }) => text)])).toEqual([
      ['mine tools', 'tool', ['fly']],
      ['mine agents', 'agent', ['plan']],
    ])
    const agents = fileWith('mine.csv', 'query,expected\nplan,b/planner\n')
    const [part] = (await ownQueries.read(agents, [], { kind: 'agent' })).parts
    expect(part).toMatchObject({ name: 'mine', kind: 'agent' })
  })

  test.each([
    {
      why: 'the column query is missing',
      name: 'a.csv',
      contents: 'question,expected\nfly,a\n',
      message: 'no column "query"',
    },
    {
      why: 'the column expected is missing',
      name: 'a.csv',
      contents: 'query\nfly\n',
      message: 'no column "expected"',
    },
    { why: 'a quote is not closed', name: 'a.csv', contents: 'query,expected\n"fly,a\n', message: 'Quote' },
    {
      why: 'a row has too many fields',
      name: 'a.csv',
      contents: 'query,expected\nfly,a,b\n',
      message: 'Record Length',
    },
    {
      why: 'a row has no query',
      name: 'a.csv',
      contents: 'query,expected\nfly,a\n,b\n',
      message: 'line 3: the row has no "query"',
    },
    {
      why: 'a grade is no number',
      name: 'a.csv',
      contents: 'query,expected,grade\nfly,a,best\n',
      message: 'the grade "best"',
    },
    {
      why: 'a grade is negative',
      name: 'a.csv',
      contents: 'query,expected,grade\nfly,a,-1\n',
      message: 'the grade "-1"',
    },
    {
      why: 'grades and ids differ in number',
      name: 'a.csv',
      contents: 'query,expected,grade\nfly,a|b|c,1|2\n',
      message: '2 grades stand beside 3 ids',
    },
    {
      why: 'an id has two texts',
      name: 'a.csv',
      contents: 'id,query,expected\n1,fly,a\n1,sail,b\n',
      message: 'line 3: the id "1" is that of another query',
    },
    {
      why: 'a kind is unknown',
      name: 'a.csv',
      contents: 'query,expected,kind\nfly,a,robot\n',
      message: 'the kind "robot"',
    },
    { why: 'there are no rows', name: 'a.csv', contents: 'query,expected\n', message: 'no query is in it' },
    {
      why: 'a line is no JSON',
      name: 'a.jsonl',
      contents: '{"query": "fly", "expected": []}\n{"query"',
      message: 'line 2',
    },
    {
      why: 'a record is no object',
      name: 'a.json',
      contents: '[{"query": "fly", "expected": []}, 3]',
      message: 'a.json[1]',
    },
  ])('are refused when $why', async ({ name, contents, message }) => {
    const failure = await ownQueries.read(fileWith(name, contents), []).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'DatasetError' })
    const { message: said, remedy } = failure as { message: string; remedy: string }
    expect(`${said} ${remedy}`).toContain(message)
  })

  test.each([
    { why: 'another table', name: 'a.csv', contents: 'name,price\nkite,3\n' },
    { why: 'records of tools', name: 'a.jsonl', contents: [{ id: 'a', documentation: {} }] },
    { why: 'a text', name: 'a.md', contents: 'query,expected' },
    { why: 'a binary file', name: 'a.csv', contents: Buffer.from([0, 1, 2]) },
  ])('are not recognised in $why', ({ name, contents }) => {
    expect(ownQueries.recognises(fileWith(name, contents))).toBe(false)
  })
})
