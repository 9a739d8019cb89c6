import { atLeast, atMost, type Bench } from '../../../bench/bench.ts'
import { type HonestCase, honestCases } from './honest.ts'
import { leakedHeaders } from './lost-headers.ts'
import { type AttackReport, attackByName, attackByRedirect, attackByUrl } from './run-attacks.ts'

/** All that the suite finds out; the same at any size, since it takes seconds. */
export type SsrfResult = {
  readonly reports: readonly AttackReport[]
  readonly honest: readonly HonestCase[]
  readonly leaked: readonly string[]
}

export async function runSsrf(): Promise<SsrfResult> {
  const byUrl = await attackByUrl()
  const byName = [await attackByName('card'), await attackByName('user')]
  const byRedirect = await attackByRedirect()
  const leaked = (await Promise.all([301, 302, 303, 307, 308].map(leakedHeaders))).flat()
  return { reports: [...byUrl, ...byName, ...byRedirect], honest: await honestCases(), leaked }
}

const sum = (reports: readonly AttackReport[], of: (report: AttackReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0)

/** Addresses, names and redirects of strangers that lead to what only this machine or its network should reach. */
export const ssrf: Bench = {
  name: 'ssrf',
  question: 'Do requests to addresses that cards and callers name ever reach what is private?',
  async run() {
    const { reports, honest, leaked } = await runSsrf()
    const faults = reports.flatMap(({ sort, faults }) => faults.map((fault) => `${sort}: ${fault}`))
    const failed = honest.filter(({ fault }) => fault !== null)
    const rows = reports.map(({ sort, attacks, refused, reached, reachedPlain }) => [
      sort,
      ...[attacks, refused, reached, reachedPlain].map(String),
    ])
    return {
      tables: [
        {
          title: 'Attacks by what they do',
          head: ['attack', 'tried', 'refused', 'connections inside', 'with plain fetch'],
          rows,
        },
      ],
      notes: [
        'A connection inside is one that a listener on all addresses of this machine counted. Plain fetch is tried on what names that listener.',
        `${honest.length} honest uses: own servers, listed hosts, public names, redirects.`,
        ...faults.slice(0, 10),
        ...failed.map(({ use, fault }) => `${use}: ${fault}`).slice(0, 10),
      ],
      floors: [
        atLeast(
          'attacks tried',
          80,
          sum(reports, ({ attacks }) => attacks),
        ),
        atMost(
          'connections to what must not be reached',
          0,
          sum(reports, ({ reached }) => reached),
        ),
        atMost('attacks that were not refused in so many words', 0, faults.length),
        atLeast(
          'connections inside with plain fetch',
          20,
          sum(reports, (one) => one.reachedPlain),
        ),
        atMost('secret headers that another origin saw', 0, leaked.length),
        atMost('honest uses that failed', 0, failed.length),
      ],
    }
  },
}
