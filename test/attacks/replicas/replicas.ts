import { mulberry32 } from '../../../src/domain/random.ts'
import { atLeast, atMost, type Bench, type Findings, fixed, type Table } from '../../../bench/bench.ts'
import { builtProgram } from '../../../bench/built-program.ts'
import type { RequestCounts } from '../../fixtures/faulty-way.ts'
import { costOf, costOfMonth, type Month } from './costs.ts'
import { type ReplicasFound, type ReplicasScope, runReplicas } from './run-replicas.ts'

/** Replicas over one store in object storage, of which one request in a hundred fails. */
export const replicas: Bench = {
  name: 'replicas',
  question:
    'What do callers of several replicas meet while a store in object storage changes, and its server fails?',
  async run(workplace) {
    const { quick } = workplace
    const seed = Date.now() % 2 ** 32
    const scope: ReplicasScope = {
      program: builtProgram,
      folder: workplace.scratch(),
      ...(quick
        ? { replicas: 2, searches: 400, commits: 8, shelf: 100, pauseMs: 20, calmMs: 21_000 }
        : { replicas: 4, searches: 10_000, commits: 100, shelf: 1100, pauseMs: 220, calmMs: 61_000 }),
      mostMs: 25 * 60_000,
      faults: { latencyMs: quick ? 5 : 50, errors: 0.01, torn: 0.002 },
      storms: { everyMs: quick ? 20_000 : 60_000, lastMs: 3000 },
      random: mulberry32(seed),
      log: workplace.log,
    }
    return findingsOf(await runReplicas(scope), { ...scope, seed, quick })
  },
}

/** In how many milliseconds a commit is to be seen. */
const mostLagMs = 5000

/**
 * Milliseconds from each commit to the first answer of each replica that knows it, of those commits after which nothing stormed so long.
 */
export function lagsOf({ heard, committed, storms }: ReplicasFound): readonly number[] {
  const isCalm = (at: number): boolean => storms.every(({ from, to }) => at + mostLagMs < from || at > to)
  return committed
    .filter(({ at }) => isCalm(at))
    .flatMap(({ source, edition, at }) =>
      heard.map(({ answers }) => {
        const first = answers.find(({ editions }) => (editions[source] ?? 0) >= edition)
        return first === undefined ? Number.POSITIVE_INFINITY : Math.max(0, first.at - at)
      }),
    )
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

export const totalOf = ({ LIST, GET, HEAD, PUT, POST, DELETE }: RequestCounts): number =>
  LIST + GET + HEAD + PUT + POST + DELETE

function findingsOf(
  found: ReplicasFound,
  {
    faults,
    storms,
    seed,
    quick,
    ...scope
  }: ReplicasScope & { readonly seed: number; readonly quick: boolean },
): Findings {
  const { heard, committed, mixed, failedRuns, calm } = found
  const searches = heard.reduce((all, { answers, errors }) => all + answers.length + errors.length, 0)
  const errors = heard.flatMap((one) => one.errors)
  const lags = lagsOf(found)
  return {
    tables: [feltOf(found, seed), askedOf(found), monthsOf(found)],
    notes: [
      'Each replica is `audition serve --http` in a process of its own, asked by the MCP client of the SDK; two indexers commit at the same time, each a source of its own, and each commit changes all cards of its source. Storage is s3rver on this machine behind a proxy that honours If-None-Match.',
      `On the way to it each request takes ${faults.latencyMs} ms, one in ${Math.round(1 / faults.errors)} fails (an error of the server, no connection, or no answer to what was done), one in ${Math.round(1 / faults.torn)} is torn in its midst, and ${found.storms.length} times all were told to slow down for ${storms.lastMs / 1000} s (faults met: ${found.readers.faults} by replicas, ${found.writers.faults} by writers, who sent ${found.writers.parts} parts of multipart uploads).`,
      `The commits took ${Math.round(found.raceMs / 1000)} s.`,
      'mixed: an answer with cards of two editions of a source, under an id of another edition, or of two sources as no commit left them; or a replica that went back.',
      'A commit is seen when a replica first answers by it; counted are commits with no storm under way or within five seconds after.',
      `A replica that was stopped, and started while the storage did not answer, said of itself: ${found.outage.ready}`,
      `Index runs that ended with an error, and were made again: ${failedRuns.length}.`,
      ...[...errors, ...mixed, ...failedRuns].slice(0, 5),
    ],
    floors: [
      atLeast('searches', scope.searches, searches),
      atLeast('commits', scope.commits, committed.length),
      atMost('errors to callers', 0, errors.length),
      atMost('answers of mixed generations', 0, mixed.length),
      ...(quick
        ? []
        : [atMost('a commit is seen, p99', mostLagMs / 1000, quantile(lags, 0.99) / 1000, ' s')]),
      atLeast(
        'edition that a replica answers by when it starts without the storage',
        2,
        found.outage.before.post ?? 0,
      ),
      atLeast('its edition once the storage is back, with a commit', 3, found.outage.after.post ?? 0),
      atMost('requests of a replica in a minute of searches', 45, totalOf(calm.minute)),
    ],
  }
}

function feltOf({ heard, residentBytes, ...found }: ReplicasFound, seed: number): Table {
  const milliseconds = heard.map(({ answers }) => answers.map((one) => one.milliseconds))
  const lags = lagsOf({ heard, residentBytes, ...found })
  return {
    title: `Replicas beside ${found.committed.length} commits (seed ${seed})`,
    head: ['replica', 'searches', 'errors', 'mixed', 'p50 ms', 'p99 ms', 'memory MB'],
    rows: [
      ...heard.map((one, at) => [
        `${at + 1}`,
        `${one.answers.length}`,
        `${one.errors.length}`,
        `${one.mixed.length}`,
        fixed(quantile(milliseconds[at]!, 0.5)),
        fixed(quantile(milliseconds[at]!, 0.99)),
        fixed(residentBytes[at]! / 1e6),
      ]),
      [
        'a commit is seen after, s',
        `${lags.length}`,
        `p50 ${fixed(quantile(lags, 0.5) / 1000)}`,
        `p99 ${fixed(quantile(lags, 0.99) / 1000)}`,
        `most ${fixed(Math.max(...lags) / 1000)}`,
        '',
        '',
      ],
    ],
  }
}

function askedOf({ calm, readers, writers, committed, heard }: ReplicasFound): Table {
  const searches = heard.reduce((all, { answers }) => all + answers.length, 0)
  const row = (what: string, counts: RequestCounts): readonly string[] => [
    what,
    ...[counts.LIST, counts.GET, counts.HEAD, counts.PUT, counts.POST, totalOf(counts)].map(fixed),
    `${(costOf(counts) * 1000).toFixed(3)}`,
  ]
  const each = (counts: RequestCounts, by: number): RequestCounts =>
    Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, count / by])) as RequestCounts
  return {
    title: 'Requests',
    head: ['of', 'LIST', 'GET', 'HEAD', 'PUT', 'POST', 'all', 'dollars per thousand'],
    rows: [
      row('the start of a replica, cold', calm.coldStart),
      row('its start, disk warm', calm.warmStart),
      row(`a minute of a replica, ${fixed(calm.minuteSearches)} searches`, calm.minute),
      row('two commits that a replica takes in', calm.news),
      row('a commit', calm.commit),
      row('a search, with faults and commits', each(readers, searches)),
      row('a commit, with faults and another writer', each(writers, committed.length)),
    ],
  }
}

const months: readonly Month[] = [
  { replicas: 1, hours: 8, commitsADay: 10 },
  { replicas: 4, hours: 24, commitsADay: 24 },
  { replicas: 4, hours: 24, commitsADay: 288 },
  { replicas: 20, hours: 24, commitsADay: 288 },
]

function monthsOf({ calm }: ReplicasFound): Table {
  return {
    title:
      'Requests of a month, in dollars at list prices (Amazon S3 Standard in us-east-1: $0.005 for 1,000 LIST or PUT, $0.0004 for 1,000 GET or HEAD)',
    head: ['replicas', 'searched hours a day', 'commits a day', 'looks', 'news', 'commits', 'all'],
    rows: months.map((month) => {
      const { looks, news, commits } = costOfMonth(month, calm)
      const sum = looks + news + commits
      return [
        ...[month.replicas, month.hours, month.commitsADay].map(String),
        ...[looks, news, commits, sum].map((dollars) => dollars.toFixed(2)),
      ]
    }),
  }
}
