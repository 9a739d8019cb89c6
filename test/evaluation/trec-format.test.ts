import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank, type Ranking } from '../../src/domain/ranking.ts'
import { DatasetError } from '../../src/evaluation/datasets/dataset.ts'
import { readTrecRun, trecQrelsLines, trecRunLines, trecScores } from '../../src/evaluation/runs/trec.ts'
import { gradesOf } from './rankings.ts'
import { readTrecQrels } from './read-qrels.ts'

const idsOf = (ranking: Ranking | undefined) => ranking?.map(({ id }) => id)

describe('a run is read', () => {
  test('by score, whatever the rank column says, ties going to the higher id', async () => {
    const run = await readTrecRun(['q Q0 a 1 0.5 t', 'q Q0 b 2 0.5 t', 'q Q0 c 3 7 t'], 'run.txt')
    expect(idsOf(run.get('q'))).toEqual(['c', 'b', 'a'])
  })

  test('with scores as 32-bit floats, as trec_eval has them', async () => {
    const run = await readTrecRun(['q Q0 a 1 1.00000001 t', 'q Q0 b 2 1 t'], 'run.txt')
    expect(idsOf(run.get('q'))).toEqual(['b', 'a'])
  })

  test('through tabs, runs of blanks, a byte order mark, line ends of any kind, comments and blank lines', async () => {
    const text = '\uFEFFq1\tQ0\ta  1 3e-1 t\r\n# a comment\r\n\r\n  q2 Q0 b 1 -.5 t and more\n\n'
    const run = await readTrecRun(createInterface({ input: Readable.from([text]) }), 'run.txt')
    expect([...run]).toEqual([
      ['q1', [{ id: 'a', score: Math.fround(0.3) }]],
      ['q2', [{ id: 'b', score: -0.5 }]],
    ])
  })

  test('with ids of any script, and blanks that only some know', async () => {
    const run = await readTrecRun(['質問 Q0 agent/é\u00A0ü 1 1 t'], 'run.txt')
    expect(idsOf(run.get('質問'))).toEqual(['agent/é\u00A0ü'])
  })
})

describe('what is wrong with a line is said with file and line', () => {
  test.each([
    {
      line: 'q Q0 a 1 0.5',
      message: 'a.txt, line 2: 5 fields where "query Q0 candidate rank score tag" has 6.',
    },
    { line: 'q Q0 a 1 high t', message: 'a.txt, line 2: the score "high" is no number.' },
    { line: 'q Q0 a 1 nan t', message: 'a.txt, line 2: the score "nan" is no number.' },
    { line: 'q Q0 a 1 0x10 t', message: 'a.txt, line 2: the score "0x10" is no number.' },
    {
      line: 'p Q0 x 9 4 t',
      message: 'a.txt, line 2: a line before this one has query "p" and candidate "x".',
    },
  ])('run: $line', async ({ line, message }) => {
    const error = await readTrecRun(['p Q0 x 1 1 t', line], 'a.txt').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(DatasetError)
    expect(error).toMatchObject({ message, remedy: expect.stringMatching(/\.$/) })
  })
})

describe('a run is written', () => {
  test('queries by id, candidates by rank', () => {
    const run = new Map([
      ['q2', rank([{ id: 'a', score: 0.1 }])],
      [
        'q10',
        rank([
          { id: 'b', score: 2 },
          { id: 'c', score: 2 },
          { id: 'a', score: 1e-9 },
        ]),
      ],
      ['q3', rank([])],
    ])
    expect([...trecRunLines(run, 'mine')].join('')).toBe(
      'q10 Q0 c 1 2 mine\nq10 Q0 b 2 2 mine\nq10 Q0 a 3 1e-9 mine\nq2 Q0 a 1 0.1 mine\n',
    )
  })

  test.each([
    {
      why: 'a candidate with a blank',
      query: 'q',
      id: 'my agent',
      tag: 't',
      message: 'candidate id "my agent"',
    },
    { why: 'a query with a tab', query: 'q\t1', id: 'a', tag: 't', message: 'query id "q\t1"' },
    { why: 'an empty id', query: 'q', id: '', tag: 't', message: 'candidate id ""' },
    { why: 'a tag with a blank', query: 'q', id: 'a', tag: 'my run', message: 'tag id "my run"' },
    { why: 'a query that looks like a comment', query: '#1', id: 'a', tag: 't', message: 'query id "#1"' },
  ])('but not $why', ({ query, id, tag, message }) => {
    const write = () => [...trecRunLines(new Map([[query, rank([{ id, score: 1 }])]]), tag)]
    expect(write).toThrow(message)
    expect(write).toThrow(DatasetError)
  })
})

describe('qrels are written', () => {
  test('in one order, whatever order they were made in', () => {
    const made = [
      ['q2', gradesOf({ b: 1, a: 0 })],
      ['q1', gradesOf({ a: 3 })],
    ] as const
    const lines = 'q1 0 a 3\nq2 0 a 0\nq2 0 b 1\n'
    expect([...trecQrelsLines(new Map(made))].join('')).toBe(lines)
    expect([...trecQrelsLines(new Map([...made].reverse()))].join('')).toBe(lines)
  })

  test('but not with grades that are not whole', () => {
    expect(() => [...trecQrelsLines(new Map([['q', gradesOf({ a: 0.5 })]]))]).toThrow(
      'query "q", candidate "a": the grade 0.5 cannot stand in a qrels file.',
    )
  })
})

const id = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !/[\s#]/.test(text))
const score = fc.oneof(
  fc.double({ min: -1e30, max: 1e30, noNaN: true }),
  fc.constantFrom(0, -0, 1, 1 + 1e-9, 1 - 1e-9, 1 + 2e-9, 1e-50, -1e-50, 0.1, 0.1 + 1e-12),
)
const rankings = fc
  .array(fc.record({ id, score }), { minLength: 1, maxLength: 12 })
  .map((candidates) => rank(candidates))

describe('what is written is read back', () => {
  test('in the same order, ties and all, though scores differ by less than a float can tell', async () => {
    await fc.assert(
      fc.asyncProperty(rankings, async (ranking) => {
        const again = (await readTrecRun(trecRunLines(new Map([['q', ranking]])), 'run.txt')).get('q')!
        expect(idsOf(again)).toEqual(idsOf(ranking))
        for (const [place, candidate] of ranking.entries()) {
          const tied = place > 0 && ranking[place - 1]!.score === candidate.score
          expect(place > 0 && again[place - 1]!.score === again[place]!.score).toBe(tied)
          expect(Math.abs(again[place]!.score - candidate.score)).toBeLessThanOrEqual(
            1e-5 * Math.abs(candidate.score) + 1e-40,
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  test('and written again, gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(id, rankings, { maxKeys: 4 }), async (queries) => {
        const bytes = [...trecRunLines(new Map(Object.entries(queries)))].join('')
        expect([...trecRunLines(await readTrecRun(bytes.split('\n'), 'run.txt'))].join('')).toBe(bytes)
      }),
    )
  })

  test('qrels too', () => {
    const qrels = fc.dictionary(id, fc.dictionary(id, fc.nat(5), { minKeys: 1, maxKeys: 5 }), { maxKeys: 4 })
    fc.assert(
      fc.property(qrels, (queries) => {
        const made = new Map(Object.entries(queries).map(([query, grades]) => [query, gradesOf(grades)]))
        expect(readTrecQrels([...trecQrelsLines(made)])).toEqual(made)
      }),
    )
  })
})

test('scores beyond all floats become the largest ones', () => {
  const ranking = rank([
    { id: 'a', score: Number.POSITIVE_INFINITY },
    { id: 'b', score: 1 },
    { id: 'c', score: Number.NaN },
  ])
  expect(trecScores(ranking)).toEqual(['3.4028235e+38', '1', '-3.4028235e+38'])
})

test('a score of zero has a float below it', () => {
  const ranking = rank([
    { id: 'a', score: 0 },
    { id: 'b', score: -1e-60 },
    { id: 'c', score: -2e-60 },
  ])
  const [first, second, third] = trecScores(ranking).map(Number)
  expect(first).toBe(0)
  expect(Math.fround(second!)).toBeLessThan(0)
  expect(Math.fround(third!)).toBeLessThan(Math.fround(second!))
})
