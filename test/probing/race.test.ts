import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { raced, strengthSets } from '../../bench/early-stop.ts'
import { openRace, bet, holding, meanInterval, newWealth } from '../../src/probing/run/race.ts'

const wins = (count: number) => Array.from({ length: count }, () => [1, 0] as const)

describe('a race', () => {
  test.each([
    { why: 'five wins of five could be luck', scores: wins(5), winner: null },
    // The mean of 1.1^n, 1.2^n, 1.4^n, 1.6^n, 1.8^n and 2^n: 11.9 after five, 20.4 after six; with the indifference 20 is reached at five and a half.
    { why: 'six wins of six are enough for a pair', scores: wins(6), winner: 0 },
    {
      why: 'ties alone say nothing yet',
      scores: Array.from({ length: 10 }, () => [1, 1] as const),
      winner: null,
    },
    { why: 'long ties are as good', scores: Array.from({ length: 40 }, () => [1, 1] as const), winner: 0 },
    {
      why: 'what nobody graded is no win',
      scores: Array.from({ length: 50 }, () => [1, null] as const),
      winner: null,
    },
  ])('$why', ({ scores, winner }) => {
    const race = openRace(2)
    for (const one of scores) race.add(one)
    expect(race.winner()).toBe(winner)
  })

  test('p is 1 over the most that the bets held', () => {
    const race = openRace(2)
    for (const one of [...wins(3), [0, 1], [0.5, 0.5]]) race.add(one)
    const shares = [0.1, 0.2, 0.4, 0.6, 0.8, 1]
    const held = shares.reduce((sum, share) => sum + (1 + share) ** 3, 0) / shares.length
    expect(race.pair(0, 1).p).toBeCloseTo(1 / held, 12)
  })

  test('who is beaten by one is who p says so of, however many rivals there are', () => {
    const race = openRace(3)
    for (let task = 1; task <= 10; task += 1) {
      race.add([1, 0, 1])
      expect(race.pair(0, 1).p <= 0.05).toBe(race.beaten.has(1))
    }
    expect(race.beaten.has(1)).toBe(true)
  })

  test('the more rivals, the more has to be seen', () => {
    const until = (candidates: number): number => {
      const race = openRace(candidates)
      let tasks = 0
      for (; race.winner() === null; tasks += 1) race.add([1, ...new Array<number>(candidates - 1).fill(0)])
      return tasks
    }
    expect([2, 3, 5, 9].map(until)).toEqual([6, 7, 8, 9])
  })

  test('the order in which candidates are named does not matter', () => {
    const score = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score, score), { maxLength: 40 }), (scores) => {
        const [forward, backward] = [openRace(3), openRace(3)]
        for (const one of scores) {
          forward.add(one)
          backward.add(one.toReversed())
        }
        expect([...backward.beaten].map((at) => 2 - at).sort()).toEqual([...forward.beaten].sort())
        expect(backward.winner() === null).toBe(forward.winner() === null)
      }),
    )
  })
})

describe('bets', () => {
  test('at fair odds nobody gets rich: 20 times the money with a chance of 1 in 20 at most', () => {
    let rich = 0
    const games = 2_000
    let state = 7
    const toss = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 16) & 1 ? 1 : -1
    }
    for (let game = 0; game < games; game += 1) {
      const wealth = newWealth()
      let most = 1
      for (let turn = 0; turn < 100; turn += 1) {
        bet(wealth, toss())
        most = Math.max(most, holding(wealth))
      }
      if (most >= 20) rich += 1
    }
    expect(rich / games).toBeLessThan(0.05)
  })

  test.each([
    { values: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], mean: 1, high: 1, above: 0.4 },
    { values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], mean: 0, high: 0.6, above: 0 },
    { values: [1, 0, 1, 0, 1, 0, 1, 0], mean: 0.5, high: 1, above: 0 },
  ])('an interval holds the mean $mean of what was seen', ({ values, mean, high, above }) => {
    const interval = meanInterval(values, 0.05)
    expect(interval.mean).toBe(mean)
    expect(interval.low).toBeLessThanOrEqual(mean)
    expect(interval.low).toBeGreaterThanOrEqual(above)
    expect(interval.high).toBeGreaterThanOrEqual(mean)
    expect(interval.high).toBeLessThanOrEqual(high)
  })
})

describe('simulated agents of known strengths', () => {
  const repeats = 30
  const endsOf = (strengths: readonly number[], tasks: number) =>
    (['known answer', 'five grades'] as const).flatMap((grading) =>
      Array.from({ length: repeats }, (_, at) => raced(strengths, { tasks, grading, seed: at + 1 })),
    )

  test.each([
    { set: 'one of two', saves: 80, why: 'a clear winner is soon sure' },
    { set: 'a clear winner of five', saves: 75, why: 'the weak leave first' },
    { set: 'one of eight', saves: 75, why: 'so they do of many' },
    { set: 'evenly spread', saves: 55, why: 'each step takes its time' },
    { set: 'a tie of two in front', saves: 40, why: 'only the two run on' },
    { set: 'close together', saves: 10, why: 'little can be dropped' },
    { set: 'a tie of three', saves: 5, why: 'nobody leads' },
  ])('of $set, $saves % of the runs over 100 tasks are saved: $why', ({ set, saves }) => {
    const ends = endsOf(strengthSets[set]!, 100)
    const share = ends.reduce((sum, { runs, all }) => sum + 1 - runs / all, 0) / ends.length
    expect(100 * share).toBeGreaterThan(saves)
    expect(ends.filter(({ isWrong }) => isWrong).length).toBeLessThanOrEqual(0.05 * ends.length)
  })

  test('over all sets 40 % are saved, and 5 % of the winners are wrong at most', () => {
    const ends = Object.values(strengthSets).flatMap((strengths) =>
      [20, 50, 100, 200].flatMap((tasks) => endsOf(strengths, tasks)),
    )
    expect(ends.reduce((sum, { runs, all }) => sum + 1 - runs / all, 0) / ends.length).toBeGreaterThanOrEqual(
      0.4,
    )
    expect(ends.filter(({ isWrong }) => isWrong).length / ends.length).toBeLessThanOrEqual(0.05)
  })
})

test('near is who differs by less than the indifference for sure, not who may yet be far off', () => {
  const race = openRace(2)
  const far = openRace(2)
  for (let task = 0; task < 60; task += 1) race.add([0.75, 0.75])
  for (let task = 0; task < 5; task += 1) far.add([1, task % 2 === 0 ? 0 : 1])
  expect(race.pair(0, 1).isNear).toBe(true)
  expect(far.pair(0, 1).isNear).toBe(false)
})
