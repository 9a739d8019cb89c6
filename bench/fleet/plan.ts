import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import type { Measured } from '../million/million.ts'
import { median, percentiles } from '../statistics.ts'
import { type BusyHour, type Fleet, simulateHour } from './busy-hour.ts'
import { type Growth, linearGrowth } from './growth.ts'
import { type Machine, machineFor, machines, prices, usableShare } from './machines.ts'

/** What is assumed of those who ask and of those who publish: nobody measured them. */
export const assumed = {
  tasksAnHour: 15,
  searchesOfTask: 4,
  thinkSeconds: 3,
  /** Hours a day in which all hosts are at work at once. */
  workingHours: 10,
  commitsAnHour: 12,
  /** Bytes of an answer with its request, as they pass the network. */
  answerBytes: 6_000,
  /** Lists by which a replica looks for news in object storage, each second. */
  looksASecond: 0.5,
  /** Requests of a commit to object storage, and those by which a replica reads what is new. */
  requestsOfCommit: 93,
  readsOfCommit: 12,
} as const

/** Seconds within which callers get their answer, 99 of 100, where one search alone is that fast. */
const patience = 0.1
/** Else so many times what it takes alone: more replicas make no search faster. */
const crowding = 1.5

/** How all that was measured grows with cards. */
export type Costs = {
  readonly resident: Growth
  readonly store: Growth
  readonly firstIndex: Growth
  readonly commit: Growth
  readonly written: Growth
  /** Processor time of one search, p50: where others work too, a clock tells nothing. */
  readonly search: Growth
  readonly open: Growth
  /** The same of each search at the larger size, over the p50. */
  readonly shape: readonly number[]
}

/** @param many - the larger of two sizes at which the same was measured */
export function costsOf(
  few: { readonly cards: number; readonly measured: Measured },
  many: { readonly cards: number; readonly measured: Measured },
): Costs {
  const by = (value: (measured: Measured) => number) =>
    linearGrowth([
      { cards: few.cards, value: value(few.measured) },
      { cards: many.cards, value: value(many.measured) },
    ])
  const alone = ({ pass }: Measured): number => median(pass.processorMilliseconds)
  const { pass } = many.measured
  const spare = Math.max(0, pass.residentBytes - pass.heldBytes)
  const slower = [...pass.processorMilliseconds].sort((a, b) => a - b)
  return {
    // What a process holds grows; the rest of its memory is garbage, and as large whatever it holds.
    resident: by(({ pass }) => pass.heldBytes + spare),
    store: by(({ storeBytes }) => storeBytes),
    firstIndex: by(({ first }) => first.processorSeconds),
    commit: by(({ commit }) => commit.processorSeconds),
    written: by(({ commit }) => commit.writtenBytes),
    search: by((measured) => alone(measured) / 1_000),
    open: by(({ firstProcessorMs }) => firstProcessorMs / 1_000),
    // Without the slowest two of a hundred, in which the compiler or the collector worked beside the search.
    shape: slower.slice(0, Math.ceil(slower.length * 0.98)).map((one) => one / alone(many.measured)),
  }
}

/** What a catalog and its callers need. */
export type Plan = {
  readonly cards: number
  readonly hosts: number
  /** Undefined when none in the table holds a replica. */
  readonly machine: Machine | undefined
  readonly fleet: Fleet
  readonly hour: BusyHour
  readonly p99: number
  /** Whether so many replicas are enough. */
  readonly isEnough: boolean
  readonly residentBytes: number
  readonly storeBytes: number
  /** Of all replicas together, from object storage, all the time. */
  readonly fetchedASecond: number
  readonly answersASecond: number
  /** Share of an hour that the one who commits works. */
  readonly indexing: number
  /** Dollars a month, by what they are for. */
  readonly dollars: { readonly [what: string]: number }
}

const mostReplicas = 64

/** The fewest replicas by which callers hardly wait for one another in the busy hour, and one more, since one may be lost. */
export function planOf(costs: Costs, cards: number, hosts: number): Plan {
  const residentBytes = costs.resident.at(cards)
  const machine = machineFor(residentBytes)
  const p50 = costs.search.at(cards)
  const openSeconds = costs.open.at(cards)
  const fleetOf = (replicas: number): Fleet => ({
    hosts,
    replicas,
    openSeconds,
    ...assumed,
    // One thread opens what is new while the others search.
    atOnce: (machine ?? machines.at(-1)!).cores,
  })
  const hourOf = (replicas: number): BusyHour => {
    const random = seededRandom(25)
    const draw = () => p50 * costs.shape[random.below(costs.shape.length)]!
    return simulateHour(fleetOf(replicas), random, draw)
  }
  const p99Of = ({ seconds }: BusyHour): number => percentiles(seconds).p99
  const wanted = Math.max(patience, crowding * p50 * percentiles(costs.shape).p99)
  let replicas = 1
  while (replicas < mostReplicas && p99Of(hourOf(replicas)) > wanted) replicas *= 2
  const fleet = fleetOf(replicas + 1)
  const hour = hourOf(replicas + 1)
  const fetchedASecond = (fleet.replicas * assumed.commitsAnHour * costs.written.at(cards)) / 3_600
  const answersASecond = (hour.searches * assumed.answerBytes) / 3_600
  const plan = {
    cards,
    hosts,
    machine,
    fleet,
    hour,
    p99: p99Of(hour),
    isEnough: p99Of(hour) <= wanted,
    residentBytes,
    fetchedASecond,
    answersASecond,
    storeBytes: costs.store.at(cards),
    indexing: (assumed.commitsAnHour * costs.commit.at(cards)) / 3_600,
  }
  return { ...plan, dollars: dollarsOf(plan, costs) }
}

type Bill = Omit<Plan, 'dollars'>

function dollarsOf(
  { cards, machine, fleet, hour, storeBytes, indexing }: Bill,
  costs: Costs,
): Plan['dollars'] {
  const { hoursOfMonth, storage, puts, gets, disk, betweenZones } = prices
  const commits = assumed.commitsAnHour * hoursOfMonth
  // What a commit replaced is kept for a day.
  const kept = storeBytes + assumed.commitsAnHour * 24 * costs.written.at(cards)
  const looks = fleet.replicas * hoursOfMonth * 3_600 * assumed.looksASecond
  const reads = fleet.replicas * commits * assumed.readsOfCommit
  const searches = hour.searches * assumed.workingHours * (hoursOfMonth / 24)
  const hourly = (machine ?? machines.at(-1)!).dollarsAnHour
  return {
    replicas: fleet.replicas * hourly * hoursOfMonth,
    'their disks': (fleet.replicas * storeBytes * disk) / 1e9,
    indexing: Math.max(1, Math.ceil(indexing)) * hourly * hoursOfMonth,
    storage: (kept * storage) / 1e9,
    requests: ((commits * assumed.requestsOfCommit + looks) * puts + reads * gets) / 1_000,
    'between zones': (searches * assumed.answerBytes * betweenZones) / 1e9,
  }
}

/** A limit, and how many cards reach it. */
export type Breaks = { readonly what: string; readonly limit: string; readonly cards: number }

/** What ends first as cards are added, the callers being as many. */
export function breaksFirst(costs: Costs, hosts: number): readonly Breaks[] {
  const largest = machines.at(-1)!
  const small = machines[0]!
  const interval = 3_600 / assumed.commitsAnHour
  const all = [
    {
      what: 'memory of the smallest machine',
      limit: `${small.gigabytes} GB, ${usableShare * 100}% of it`,
      cards: costs.resident.reaches(small.gigabytes * usableShare * 2 ** 30),
    },
    {
      what: 'memory of the largest machine',
      limit: `${largest.gigabytes} GB, ${usableShare * 100}% of it`,
      cards: costs.resident.reaches(largest.gigabytes * usableShare * 2 ** 30),
    },
    {
      what: 'one search alone, p99',
      limit: `${patience * 1_000} ms`,
      cards: costs.search.reaches(patience / percentiles(costs.shape).p99),
    },
    {
      what: 'a commit of 1,000 changed cards, processor time',
      limit: `${interval} s, the time to the next`,
      cards: costs.commit.reaches(interval),
    },
    { what: 'opening a commit, seen within', limit: '5 s', cards: costs.open.reaches(5) },
    {
      what: 'fetching a commit, over a gigabit a second',
      limit: '5 s',
      cards: costs.written.reaches((5 * 1e9) / 8),
    },
    { what: 'first index on one core', limit: 'a day', cards: costs.firstIndex.reaches(86_400) },
  ]
  const isEnough = (cards: number): boolean => planOf(costs, cards, hosts).isEnough
  const replicas = {
    what: `${mostReplicas} replicas in the busy hour`,
    limit: 'callers wait for one another',
    cards: lastThat(isEnough),
  }
  return [...all, replicas].sort((a, b) => a.cards - b.cards)
}

/** The most cards that hold, to a fifth. */
function lastThat(hold: (cards: number) => boolean): number {
  let [low, high] = [1_000, 1e9]
  if (hold(high)) return Number.POSITIVE_INFINITY
  while (high / low > 1.2) {
    const middle = Math.sqrt(low * high)
    if (hold(middle)) low = middle
    else high = middle
  }
  return low
}
