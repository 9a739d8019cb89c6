import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mulberry32 } from '../../../src/domain/random.ts'
import { atLeast, atMost, type Bench, type Findings } from '../../../bench/bench.ts'
import { severalCases, shortName, singleCases } from './cases.ts'
import { byProgram, commandWorker } from './command-worker.ts'
import { type CaseFound, type DamageCase, runCase, soundAnswers } from './one-case.ts'
import { damageUnderServer, tablesUnderServer } from './serving.ts'
import { type SoundStore, soundStore } from './sound-store.ts'

/** The command line program as users get it, from `dist/bench/test/attacks/damage`. */
const builtProgram = fileURLToPath(new URL('../../../../cli/main.js', import.meta.url))

/** Which cases are run, and on what. */
export type DamageScope = {
  readonly program: string
  /** Empty, or that of a run that was cut off: then this one goes on from there, with cases in which something was wrong run again. */
  readonly folder: string
  /** Of all cases of a store those that are run. */
  readonly choose: (store: SoundStore) => readonly DamageCase[]
  readonly log: (message: string) => void
}

/** Cases that run at once: one for each of two processors. */
const lanes = 2

const rounds = 13

/** Makes a store, and does all harm to copies of it. */
export async function runDamage({
  program,
  folder,
  choose,
  log,
}: DamageScope): Promise<readonly CaseFound[]> {
  const store = await soundStore(join(folder, 'sound'))
  const kept = join(folder, 'found.jsonl')
  const known = foundIn(kept)
  const cases = choose(store)
  const unknown = cases.filter(({ name }) => !known.has(name))
  if (unknown.length < cases.length) log(`damage: ${cases.length - unknown.length} cases were run before`)
  // Some of each file first: a run that is cut off has seen something of all.
  const waiting = Array.from({ length: rounds }, (_, round) =>
    unknown.filter((_, at) => at % rounds === round),
  ).flat()
  const started = performance.now()
  const run = async (lane: number): Promise<void> => {
    const together = commandWorker(program)
    const ways = { together, apart: byProgram(program, together) }
    try {
      const sound = await soundAnswers(store, together)
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        // Its own for each: a process may remember files by their names.
        const place = join(folder, 'cases', `${lane}-${waiting.length}`)
        rmSync(place, { recursive: true, force: true })
        const seen = await runCase(one, { store, sound, ways, home: join(place, 'home') })
        rmSync(place, { recursive: true, force: true })
        known.set(one.name, seen)
        appendFileSync(kept, `${JSON.stringify(seen)}\n`)
        const wrong = wrongIn(seen)
        if (wrong.length > 0) log(`damage: ${shortName(one.name)}: ${wrong.join('; ')}`)
        if (known.size % 50 === 0)
          log(`damage: ${known.size} of ${cases.length} cases, ${seconds(started)} s`)
      }
    } finally {
      together.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))
  return cases.map(({ name }) => known.get(name)!)
}

const seconds = (started: number): string => ((performance.now() - started) / 1000).toFixed(0)

/** What an earlier run found, without cases in which something was wrong. */
function foundIn(file: string): Map<string, CaseFound> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  // The last line of a run that was cut off may be half written.
  const whole = lines.slice(0, -1).map((line) => JSON.parse(line) as CaseFound)
  const all = new Map(whole.map((found) => [found.name, found]))
  return new Map([...all].filter(([, found]) => wrongIn(found).length === 0))
}

/** All that is wrong in a case, each with its kind. */
export const wrongIn = ({ silent, circles, panics, unnamed }: CaseFound): readonly string[] =>
  Object.entries({ silent, circle: circles, panic: panics, unnamed }).flatMap(([kind, all]) =>
    all.map((one) => `${kind}: ${one.replace(/\s+/g, ' ').slice(0, 300)}`),
  )

/** Every file of a store flipped, cut off, zeroed and deleted: what is told, what is lost, and whether the store works again. */
export const damageSuite: Bench = {
  name: 'damage',
  question: 'Does the store tell when any of its files is damaged, and is it mended from there?',
  async run(workplace) {
    const folder = workplace.state === null ? workplace.scratch() : join(workplace.state, 'damage')
    let seed = 0
    const several = workplace.quick ? 5 : 60
    const found = await runDamage({
      program: builtProgram,
      folder,
      choose({ home }) {
        // The same for a run that goes on.
        seed = Math.floor(statSync(join(home, 'probes.json')).mtimeMs) % 2 ** 32
        return [
          ...singleCases(home).filter((_, at) => !workplace.quick || at % 41 === seed % 41),
          ...severalCases(home, several, mulberry32(seed)),
        ]
      },
      log: workplace.log,
    })
    const store = await soundStore(workplace.scratch())
    const served: (readonly string[])[] = []
    for (const table of tablesUnderServer)
      served.push(await damageUnderServer(builtProgram, store, table, workplace.scratch()))
    return findingsOf(found, served, seed, workplace.quick)
  },
}

function findingsOf(
  found: readonly CaseFound[],
  served: readonly (readonly string[])[],
  seed: number,
  quick: boolean,
): Findings {
  const count = (of: (one: CaseFound) => readonly string[]): number =>
    found.filter((one) => of(one).length > 0).length
  const groupOf = ({ name }: CaseFound): string =>
    /^\d+ files/.test(name) ? 'several files at once' : shortName(name).split(/[.:/]/)[0]!
  return {
    tables: [
      {
        title: `A store with one file of it damaged, or several (seed ${seed})`,
        head: ['file of', 'cases', 'noticed', 'silent', 'circles', 'panics shown', 'lost unnamed'],
        rows: [...new Set(found.map(groupOf))].map((group) => {
          const own = found.filter((one) => groupOf(one) === group)
          const of = (list: (one: CaseFound) => readonly string[]): string =>
            String(own.filter((one) => list(one).length > 0).length)
          return [
            group,
            String(own.length),
            String(own.filter(({ noticed }) => noticed).length),
            of(({ silent }) => silent),
            of(({ circles }) => circles),
            of(({ panics }) => panics),
            of(({ unnamed }) => unnamed),
          ]
        }),
      },
    ],
    notes: [
      'Each file is flipped (one bit, 64 bytes), cut off and zeroed at three places, zeroed whole, and deleted. Then `search`, `record`, `sources`, `models` and a transcript are read, in every other case `index` runs, `doctor --repair --yes` mends, a second one must find nothing, and all is read and indexed again. One case in 293 runs each command in a process of its own, as users have it; in the others they share one, and a repair that ends it is made again in its own.',
      'noticed: a command or the doctor said that something is wrong; files that LanceDB does not need again (`_transactions`, its note of the newest version) are not noticed, and change nothing. silent: an answer that is not that of the sound store, without a word. circle: a command that fails after the repair, or that names no way out. lost unnamed: something is gone, and the repair did not say so.',
      ...served.flat(),
      ...found.flatMap((one) => wrongIn(one).map((wrong) => `${shortName(one.name)}: ${wrong}`)).slice(0, 20),
    ],
    floors: [
      atLeast('cases', quick ? 20 : 500, found.length),
      atMost(
        'silent damage',
        0,
        count(({ silent }) => silent),
      ),
      atMost(
        'circles',
        0,
        count(({ circles }) => circles),
      ),
      atMost(
        'panics shown',
        0,
        count(({ panics }) => panics),
      ),
      atMost(
        'running servers that do not tell, or stay broken',
        0,
        served.filter((wrong) => wrong.length > 0).length,
      ),
      atMost(
        'lost and not named',
        0,
        count(({ unnamed }) => unnamed),
      ),
    ],
  }
}
