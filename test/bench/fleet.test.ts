import { describe, expect, test } from 'vitest'
import { type Fleet, simulateHour, untilNext } from '../../bench/fleet/busy-hour.ts'
import { linearGrowth } from '../../bench/fleet/growth.ts'
import { machineFor, machines } from '../../bench/fleet/machines.ts'
import { breaksFirst, costsOf, planOf } from '../../bench/fleet/plan.ts'
import type { Measured } from '../../bench/million/million.ts'
import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'

const quiet: Fleet = {
  hosts: 1,
  tasksAnHour: 0,
  searchesOfTask: 1,
  thinkSeconds: 0,
  replicas: 1,
  atOnce: 1,
  commitsAnHour: 0,
  openSeconds: 0,
}
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Mean seconds that a request waits in a queue of c servers, by Erlang's formula. */
function erlangWait(rate: number, service: number, servers: number): number {
  const load = rate * service
  let [term, sum] = [1, 0]
  for (let k = 0; k < servers; k += 1) {
    sum += term
    term *= load / (k + 1)
  }
  const last = (term * servers) / (servers - load)
  return (last / (sum + last)) * (service / (servers - load))
}

describe('the busy hour', () => {
  test.each([
    { servers: 1, load: 0.5 },
    { servers: 2, load: 0.7 },
    { servers: 4, load: 0.8 },
    { servers: 8, load: 0.9 },
  ])('waits as Erlang says: $servers threads, $load of their time', ({ servers, load }) => {
    const [service, rate] = [servers / 40, load * 40]
    const times = seededRandom(7)
    const exponential = () => untilNext(times, 3_600) * service
    const fleet = { ...quiet, tasksAnHour: rate * 3_600, atOnce: servers }
    const { seconds, busy, searches } = simulateHour(fleet, seededRandom(25), exponential)
    const expected = erlangWait(rate, service, servers)
    expect(searches).toBeGreaterThan(70_000)
    expect(busy).toBeCloseTo(load, 1)
    expect(mean(seconds) - service).toBeGreaterThan(expected * 0.9)
    expect(mean(seconds) - service).toBeLessThan(expected * 1.1)
  })

  test('a lone host never waits, and its searches of one task are apart', () => {
    const fleet = { ...quiet, tasksAnHour: 100, searchesOfTask: 3, thinkSeconds: 5 }
    const { seconds } = simulateHour({ ...fleet, atOnce: 3 }, seededRandom(1), () => 0.01)
    expect(seconds.length % 3).toBe(0)
    expect(Math.max(...seconds)).toBeCloseTo(0.01)
  })

  test('a commit takes a thread of every replica, and those behind it wait', () => {
    const fleet = { ...quiet, tasksAnHour: 36_000, replicas: 2 }
    const before = simulateHour(fleet, seededRandom(1), () => 0.001)
    const after = simulateHour({ ...fleet, commitsAnHour: 60, openSeconds: 10 }, seededRandom(1), () => 0.001)
    expect(before.searches).toBe(after.searches)
    expect(after.busy - before.busy).toBeCloseTo((60 * 10) / 3_600, 2)
    expect(mean(after.seconds)).toBeGreaterThan(10 * mean(before.seconds))
  })
})

test('growth goes through what was measured, and finds where a limit is reached', () => {
  const linear = linearGrowth([
    { cards: 10, value: 30 },
    { cards: 50, value: 110 },
  ])
  expect([linear.at(10), linear.at(50), linear.at(0), linear.reaches(210)]).toEqual([30, 110, 10, 100])
  const falling = linearGrowth([
    { cards: 10, value: 30 },
    { cards: 50, value: 20 },
  ])
  expect([falling.at(1e9), falling.reaches(1e9)]).toEqual([20, Number.POSITIVE_INFINITY])
})

test('the smallest machine that holds a replica is taken, and none where none does', () => {
  expect(machineFor(1)).toBe(machines[0])
  expect(machineFor(10 * 2 ** 30)?.gigabytes).toBe(16)
  expect(machineFor(1e12)).toBeUndefined()
})

/** A catalog whose every figure is of its cards. */
const measuredAt = (cards: number): Measured => {
  const run = (each: number) => ({
    seconds: cards * each,
    processorSeconds: cards * each,
    peakBytes: 0,
    writtenBytes: cards * 100,
  })
  return {
    first: run(1e-3),
    commit: run(1e-4),
    storeBytes: cards * 3_000,
    firstAnswerMs: 0,
    folder: '',
    firstProcessorMs: 500 + cards / 100,
    search: { p50: cards / 10_000, p95: 0, p99: 0 },
    pass: {
      milliseconds: [],
      processorMilliseconds: [1, 1, 1, 2].map((one) => (one * cards) / 10_000),
      found: [],
      peakBytes: 0,
      residentBytes: cards * 2_000,
      heldBytes: cards * 2_000,
    },
  }
}
const costs = costsOf(
  { cards: 10_000, measured: measuredAt(10_000) },
  { cards: 50_000, measured: measuredAt(50_000) },
)

test('a plan for more cards and hosts costs more, and says what it is for', () => {
  const small = planOf(costs, 100_000, 10)
  const large = planOf(costs, 1_000_000, 2_000)
  expect(small.machine?.name).toBe('m7g.large')
  expect(small.residentBytes).toBeCloseTo(2e8)
  expect(large.fleet.replicas).toBeGreaterThan(small.fleet.replicas)
  expect(small.hour.searches / 3_600).toBeCloseTo((10 * 15 * 4) / 3_600, 1)
  for (const [what, dollars] of Object.entries(small.dollars)) {
    expect(dollars, what).toBeGreaterThan(0)
    expect(large.dollars[what], what).toBeGreaterThanOrEqual(dollars)
  }
})

test('what breaks first stands first', () => {
  const breaks = breaksFirst(costs, 1_000)
  expect(breaks.map(({ cards }) => cards)).toEqual(
    [...breaks.map(({ cards }) => cards)].sort((a, b) => a - b),
  )
  const byName = new Map(breaks.map(({ what, cards }) => [what, cards]))
  // 2,000 bytes a card in 6.4 GiB; 0.1 ms of processor time a card in 300 s; 10 ns a card of opening, after half a second, in 5 s.
  expect(byName.get('memory of the smallest machine')).toBeCloseTo((6.4 * 2 ** 30) / 2_000, -1)
  expect(byName.get('a commit of 1,000 changed cards, processor time')).toBeCloseTo(3_000_000, -1)
  expect(byName.get('opening a commit, seen within')).toBeCloseTo(450_000, -1)
})
