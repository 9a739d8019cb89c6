import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mulberry32 } from '../../src/domain/random.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'
import { costOf, costOfMonth, prices } from './replicas/costs.ts'
import { editionsOf, oneAfterAnother } from './replicas/editions.ts'
import { totalOf } from './replicas/replicas.ts'
import { runReplicas } from './replicas/run-replicas.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-replicas-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('callers of replicas meet no error and no mixed answer while two indexers commit and the storage fails', async () => {
  const { main: program } = await compiledPackage()
  const seed = Date.now() % 2 ** 32
  const found = await runReplicas({
    program,
    folder,
    replicas: 2,
    searches: 60,
    commits: 4,
    shelf: 20,
    pauseMs: 50,
    calmMs: 10_000,
    mostMs: 300_000,
    faults: { latencyMs: 2, errors: 0.01, torn: 0.002 },
    storms: { everyMs: 20_000, lastMs: 2000 },
    random: mulberry32(seed),
    log: () => undefined,
  })
  const { heard, committed, mixed, calm, outage } = found
  expect({ errors: heard.flatMap(({ errors }) => errors), mixed }, `seed ${seed}`).toEqual({
    errors: [],
    mixed: [],
  })
  expect(committed).toHaveLength(4)
  for (const { answers } of heard) {
    expect(answers.length).toBeGreaterThanOrEqual(30)
    expect(answers.at(-1)?.editions, 'the last commits are seen').toEqual({ post: 5, bank: 5 })
  }
  expect(calm.minute, 'searches ask nothing but whether there is news').toMatchObject({
    GET: 0,
    HEAD: 0,
    PUT: 0,
  })
  expect(outage.before, 'from the disk alone').toEqual({ post: 2, bank: 2 })
  expect(outage.after).toEqual({ post: 3, bank: 3 })
  expect(JSON.parse(outage.ready)).toMatchObject({
    status: 'ready',
    store: { seconds: expect.any(Number), unreachableSince: expect.stringMatching(/^20/) },
  })
  expect(totalOf(calm.warmStart), 'from the disk').toBeLessThan(totalOf(calm.coldStart))
}, 900_000)

test.each([
  { why: 'one edition', found: [['post/post_5', 'Edition 3 place 2: x']], expected: { post: 3 } },
  {
    why: 'both sources',
    found: [
      ['post/post_5', 'Edition 3 place 2: x'],
      ['bank/bank_1', 'Edition 1 place 0: x'],
      ['shelf/shelf_1', 'Shelf 1: x'],
    ],
    expected: { post: 3, bank: 1 },
  },
  {
    why: 'two editions of a source',
    found: [
      ['post/post_5', 'Edition 3 place 2: x'],
      ['post/post_6', 'Edition 4 place 2: x'],
    ],
    expected: '"post" is of editions 3 and 4',
  },
  {
    why: 'a card under an id of another edition',
    found: [['post/post_6', 'Edition 3 place 2: x']],
    expected: '"post/post_6" is no card of edition 3, place 2',
  },
])('an answer with $why is told', ({ found, expected }) => {
  expect(editionsOf(found.map(([id = '', description = '']) => ({ id, description })))).toEqual(expected)
})

test('states of two sources that no row of commits leaves are told', () => {
  const row = [
    { post: 1, bank: 1 },
    { post: 2, bank: 1 },
    { post: 2, bank: 3 },
  ]
  expect(oneAfterAnother(row)).toEqual([])
  expect(oneAfterAnother([...row, { post: 1, bank: 2 }])).toEqual([
    'post 1 was seen with bank 2, and post 2 with bank 1',
  ])
})

test('requests cost what the list says', () => {
  const counts = { LIST: 1000, GET: 1000, HEAD: 0, PUT: 1000, POST: 50, DELETE: 50, parts: 0, faults: 0 }
  expect(costOf(counts)).toBeCloseTo(2 * prices.write + prices.read, 10)
  const none = { ...counts, LIST: 0, GET: 0, PUT: 0 }
  const month = costOfMonth(
    { replicas: 2, hours: 12, commitsADay: 10 },
    { minute: { ...none, LIST: 30 }, news: none, commit: none },
  )
  expect(month).toEqual({ looks: expect.closeTo(2 * 12 * 30 * 60 * 30 * 0.000005, 6), news: 0, commits: 0 })
})
