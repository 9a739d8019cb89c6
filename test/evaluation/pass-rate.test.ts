import { expect, test } from 'vitest'
import { type PassRun, passRates } from '../../src/evaluation/pass-rate.ts'

const run = (
  toolset: string,
  task: string,
  isSolved: boolean | null,
  more: Partial<PassRun> = {},
): PassRun => ({
  toolset,
  task,
  isSolved,
  isLimited: false,
  tokens: null,
  cost: null,
  ...more,
})

test('rates, means and paired tests are those that one reckons by hand', () => {
  const tasks = ['a', 'b', 'c', 'd', 'e', 'f']
  const { rows, pairs } = passRates([
    ...tasks.map((task) => run('given', task, true, { tokens: 30, cost: 0.5 })),
    ...tasks.map((task, at) =>
      run('none', task, at === 5 ? null : at === 4, { tokens: at === 0 ? 10 : null, isLimited: at < 2 }),
    ),
  ])
  expect(rows).toMatchObject([
    { toolset: 'given', runs: 6, ungraded: 0, limited: 0, tokens: 30, cost: 0.5, costPerSolved: 0.5 },
    { toolset: 'none', runs: 6, ungraded: 1, limited: 2, tokens: 10, cost: null, costPerSolved: null },
  ])
  expect(rows.map(({ rate }) => rate.mean)).toEqual([1, 0.2])
  // Of five tasks judged in both four were won: 2 of the 16 sign patterns are as far from zero.
  expect(pairs).toMatchObject([
    { toolset: 'given', other: 'none', won: 4, lost: 0, p: 2 / 16, pHolm: 2 / 16 },
  ])
  expect(pairs[0]!.difference).toMatchObject({ mean: 0.8, queries: 5 })
})

test('of three toolsets each two are compared, with Holm over the three', () => {
  const toolsets = { all: [1, 1, 1, 1, 1, 1], half: [1, 1, 1, 0, 0, 0], nothing: [0, 0, 0, 0, 0, 0] }
  const runs = Object.entries(toolsets).flatMap(([toolset, solved]) =>
    solved.map((one, at) => run(toolset, `${at}`, one === 1)),
  )
  const { pairs } = passRates(runs)
  expect(pairs.map(({ toolset, other }) => `${toolset} ${other}`)).toEqual([
    'all half',
    'all nothing',
    'half nothing',
  ])
  // 2 of 8, 2 of 64, 2 of 8; the smallest counts three times, the others at least twice theirs.
  expect(pairs.map(({ p }) => p)).toEqual([0.25, 0.03125, 0.25])
  expect(pairs.map(({ pHolm }) => pHolm)).toEqual([0.5, 0.09375, 0.5])
})

test('all of four solved is no proof of 100 per cent, nor none of four of 0', () => {
  const { rows } = passRates(
    ['a', 'b', 'c', 'd'].flatMap((task) => [run('all', task, true), run('nothing', task, false)]),
  )
  const [all, nothing] = rows.map(({ rate }) => rate)
  // Wilson's ends for 4 of 4: 4 / (4 + 1.96 * 1.96) and 1.
  expect(all!.low).toBeCloseTo(0.5101, 4)
  expect(all!.high).toBeCloseTo(1, 12)
  expect(nothing!.low).toBeCloseTo(0, 12)
  expect(nothing!.high).toBeCloseTo(0.4899, 4)
})
