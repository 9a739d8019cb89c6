import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLeast, atMost, type Bench, type Findings } from '../../../bench/bench.ts'
import { randomNumbers } from '../../fakes/evaluation-runs.ts'
import { severalCases, singleCases } from './cases.ts'
import { commandWorker } from './command-worker.ts'
import { type CaseFound, type DamageCase, runCase, soundAnswers } from './one-case.ts'
import { damageUnderServer, tablesUnderServer } from './serving.ts'
import { type SoundStore, soundStore } from './sound-store.ts'

/** The command line program as users get it, from `dist/bench/test/attacks/damage`. */
const builtProgram = fileURLToPath(new URL('../../../../cli/main.js', import.meta.url))

/** Which cases are run, and on what. */
export type DamageScope = {
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  /** Of all cases of a store those that are run. */
  readonly choose: (store: SoundStore) => readonly DamageCase[]
  readonly log: (message: string) => void
}

/** Makes a store, and does all harm to copies of it, one after the other. */
export async function runDamage({
  program,
  folder,
  choose,
  log,
}: DamageScope): Promise<readonly CaseFound[]> {
  const made = join(folder, 'sound')
  mkdirSync(made, { recursive: true })
  const store = await soundStore(made)
  const worker = commandWorker(program)
  try {
    const sound = await soundAnswers(store, worker)
    const found: CaseFound[] = []
    for (const one of choose(store)) {
      const seen = await runCase(one, store, sound, worker, join(folder, 'case'))
      found.push(seen)
      const wrong = wrongIn(seen)
      if (wrong.length > 0) log(`damage: ${one.name}: ${wrong.join('; ')}`)
      if (found.length % 50 === 0) log(`damage: ${found.length} cases`)
    }
    return found
  } finally {
    worker.close()
  }
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
    const seed = Date.now() % 2 ** 32
    const random = randomNumbers(seed)
    const several = workplace.quick ? 5 : 60
    const found = await runDamage({
      program: builtProgram,
      folder: workplace.scratch(),
      choose: ({ home }) => [
        ...singleCases(home).filter((_, at) => !workplace.quick || at % 23 === seed % 23),
        ...severalCases(home, several, random),
      ],
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
    /^\d+ files/.test(name) ? 'several files at once' : name.split(/[.:/]/)[0]!
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
      'Each file is flipped (one bit, 64 bytes), cut off and zeroed at three places, zeroed whole, and deleted. Then `search`, `record export`, `sources` and a transcript are read, in every other case `index` runs, `doctor --repair --yes` mends, a second one must find nothing, and all is read and indexed again.',
      'noticed: a command or the doctor said that something is wrong; files that LanceDB does not need again (`_transactions`, its note of the newest version) are not noticed, and change nothing. silent: an answer that is not that of the sound store, without a word. circle: a command that fails after the repair, or that names no way out. lost unnamed: something is gone, and the repair did not say so.',
      ...served.flat(),
      ...found.flatMap((one) => wrongIn(one).map((wrong) => `${one.name}: ${wrong}`)).slice(0, 20),
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
