import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { writeEdition } from './catalogs.ts'
import { type Fault, failed, seen } from './fault.ts'
import { call, homeIn, indexEdition, notEdition, sourceIn } from './stores.ts'

const yearMs = 365.25 * 24 * 60 * 60_000

/** Shifts the clock that JavaScript sees; LanceDB's own goes on as it is, so that the two differ as well. */
const clockOf = (years: number): NodeJS.ProcessEnv => {
  const code = `
    const shift = ${years * yearMs}, Real = Date
    globalThis.Date = class Date extends Real {
      constructor(...parts) { if (parts.length === 0) super(Real.now() + shift); else super(...parts) }
      static now() { return Real.now() + shift }
    }`
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` }
}

const jumps = [10, -10, 25, -25, 0]

const runsOverYears: Fault = {
  group: 'clock jumps',
  name: 'each run ten or twenty-five years before or after the last',
  slow: true,
  async run(place) {
    const wrong: string[] = []
    let edition = 0
    let last = await call(place, ['--version'])
    for (const years of jumps) {
      edition += 1
      writeEdition(sourceIn(place), edition)
      const environment = clockOf(years)
      last = await call(place, ['index', sourceIn(place)], { environment })
      wrong.push(...failed(`index in ${years} years`, last))
      if (edition === 1) {
        // Else nothing would be told by all this.
        const { stdout } = await call(place, ['sources', '--json'])
        const year = new Date(Date.now() + years * yearMs).getUTCFullYear()
        if (!stdout.includes(`"indexedAt": "${year}-`)) wrong.push('the clock was not shifted')
      }
      const file = join(place.folder, 'outcomes.jsonl')
      writeFileSync(file, `${JSON.stringify(outcome(edition, years))}\n`)
      wrong.push(...failed('record import', await call(place, ['record', 'import', file], { environment })))
      const search = await call(place, ['search', 'review a contract', '--json'], {
        environment: clockOf(-years),
      })
      wrong.push(...failed('search', search))
      if (!search.stdout.includes(`Edition ${edition}.`)) wrong.push(`edition ${edition} is not found`)
    }
    const record = await call(place, ['record', '--json'])
    if (!record.stdout.includes('crew/clerk-2')) wrong.push('outcomes are gone')
    return seen(last, [...wrong, ...(await notEdition(homeIn(place), edition))])
  },
}

const outcome = (turn: number, years: number) => ({
  id: `clock-${turn}`,
  card: 'crew/clerk-2',
  cardHash: 'one',
  kind: 'agent',
  task: 'Review this',
  time: new Date(Date.now() + years * yearMs).toISOString(),
  origin: 'imported',
  executor: 'command',
  ending: 'answered',
  verdict: { grade: 5, reason: 'right', judge: 'somebody' },
  seconds: 0.1,
  tokens: null,
  cost: null,
})

/** Locks of a process that was killed, made by clocks that were wrong. */
const locks: readonly Fault[] = [10, -10].flatMap((years) =>
  [
    { what: 'an unreadable lock', text: '{"pid":' },
    {
      what: 'the lock of a dead process',
      text: JSON.stringify({ pid: 999_999_999, host: hostname(), mark: 'x' }),
    },
  ].map(
    ({ what, text }): Fault => ({
      group: 'clock jumps',
      name: `${what}, dated ${years} years away`,
      async run(place) {
        await indexEdition(place, 1)
        mkdirSync(homeIn(place), { recursive: true })
        for (const name of ['index.lock', 'index.lock.breaker']) {
          const file = join(homeIn(place), name)
          writeFileSync(file, name === 'index.lock' ? text : '')
          const time = new Date(Date.now() + years * yearMs)
          utimesSync(file, time, time)
        }
        writeEdition(sourceIn(place), 2)
        const index = await call(place, ['index', sourceIn(place)], { mostMs: 30_000 })
        return seen(index, [...failed('index', index), ...(await notEdition(homeIn(place), 2))])
      },
    }),
  ),
)

export const clocks: readonly Fault[] = [runsOverYears, ...locks]
