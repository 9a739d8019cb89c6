import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mulberry32 } from '../../../src/domain/random.ts'
import { atLeast, atMost, type Bench, type Findings } from '../../../bench/bench.ts'
import { type ObjectStorage, objectStorage } from '../../fixtures/object-storage.ts'
import { runProgram } from '../faults/run-program.ts'
import { fileOf, writeSource } from './race-catalog.ts'
import { type RacesFound, runRaces } from './races.ts'

/** The command line program as users get it, from `dist/bench/test/attacks/store-races`. */
const builtProgram = fileURLToPath(new URL('../../../../cli/main.js', import.meta.url))

/** How many races are run, and on what. */
export type StoreRacesScope = {
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  /** Races in object storage, and in a local folder. */
  readonly races: { readonly storage: number; readonly folder: number }
  readonly seed: number
  readonly log: (message: string) => void
}

/** What was found out. */
export type StoreRacesFound = {
  readonly storage: RacesFound
  readonly folder: RacesFound
  /** What is wrong with how a server is treated that ignores the condition of a put. */
  readonly untrusted: readonly string[]
}

export async function runStoreRaces(scope: StoreRacesScope): Promise<StoreRacesFound> {
  const { program, folder, races, log } = scope
  const random = mulberry32(scope.seed)
  const storage = await withStorage('honoured', ({ store, environment }) => {
    const home = (at: number) => store(`races-${at}`)
    return runRaces(
      { program, folder: join(folder, 'storage'), home, environment, random },
      races.storage,
      log,
    )
  })
  const local = join(folder, 'local')
  const inFolder = await runRaces(
    { program, folder: local, home: (at) => join(local, `home-${at}`), environment: {}, random },
    races.folder,
    log,
  )
  const untrusted = await withStorage('ignored', (ignoring) => wrongWith(ignoring, program, local))
  return { storage, folder: inFolder, untrusted }
}

/** The library takes the way to a server from the environment of the process, so that this one is given it too. */
async function withStorage<T>(
  conditions: 'honoured' | 'ignored',
  use: (storage: ObjectStorage) => Promise<T>,
): Promise<T> {
  const storage = await objectStorage(conditions)
  const before = { ...process.env }
  Object.assign(process.env, storage.environment)
  try {
    return await use(storage)
  } finally {
    for (const name of Object.keys(storage.environment)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
    await storage.close()
  }
}

/** `doctor` and `index` both refuse a server that ignores the condition, and leave nothing there. */
async function wrongWith(
  { store, environment }: ObjectStorage,
  program: string,
  folder: string,
): Promise<readonly string[]> {
  writeSource(folder, 'post', 1)
  const call = (...words: readonly string[]) =>
    runProgram({
      program,
      words,
      home: store('untrusted'),
      environment: {
        ...environment,
        HOME: join(folder, 'user'),
        AUDITION_SETTINGS: join(folder, 'settings.yaml'),
        AUDITION_MODEL: 'none',
      },
    })
  const doctor = await call('doctor', '--json')
  const indexed = await call('index', fileOf(folder, 'post'))
  const searched = await call('search', 'anything')
  const isTold = /"check": ?"several writers",\s*"state": ?"fail"/.test(doctor.stdout)
  return [
    ...(doctor.code === 1 && isTold
      ? []
      : [`doctor ended with ${doctor.code}: ${doctor.stdout.slice(0, 300)}`]),
    ...(indexed.code === 1 && /ignores conditional puts.*s3\+ddb:/s.test(indexed.stderr)
      ? []
      : [`index ended with ${indexed.code}: ${indexed.stderr.slice(-300)}`]),
    ...(/nothing is indexed yet/.test(searched.stderr)
      ? []
      : [`a search found: ${searched.stdout.slice(0, 300)}`]),
  ]
}

/** Several processes of the built program that write one store at the same time, some of them killed. */
export const storeRaces: Bench = {
  name: 'store-races',
  question: 'Do several writers of one store, some of them killed, keep what each was told is stored?',
  async run(workplace) {
    const seed = Date.now() % 2 ** 32
    const found = await runStoreRaces({
      program: builtProgram,
      folder: workplace.scratch(),
      races: workplace.quick ? { storage: 16, folder: 8 } : { storage: 200, folder: 40 },
      seed,
      log: workplace.log,
    })
    return findingsOf(found, seed, workplace.quick)
  },
}

function findingsOf({ storage, folder, untrusted }: StoreRacesFound, seed: number, quick: boolean): Findings {
  const both = [storage, folder]
  const all = (which: 'lost' | 'unreadable' | 'failed'): readonly string[] =>
    both.flatMap((one) => one[which])
  const row = (name: string, one: RacesFound): readonly string[] => [
    name,
    ...[one.races, one.writers, one.killed, one.committed, one.reads].map(String),
    ...[one.lost, one.unreadable, one.failed].map(({ length }) => String(length)),
  ]
  return {
    tables: [
      {
        title: `Two to four processes at a time that index into one store (seed ${seed})`,
        head: ['store', 'races', 'writers', 'killed', 'committed', 'reads', 'lost', 'unreadable', 'failed'],
        rows: [row('object storage', storage), row('local folder', folder)],
      },
    ],
    notes: [
      'lost: a source is not of the edition that was acknowledged, or of one that nobody wrote; unreadable: the store cannot be opened, or what is searched is not what is stored, by a reader while it is written or after; failed: a process that was not killed did not end well.',
      'Object storage is s3rver on this machine behind a proxy that honours If-None-Match. In one race of four two writers change the same source; in one of three some are killed with kill -9 at a random instant; every eighth race begins with an empty store.',
      ...['lost', 'unreadable', 'failed'].flatMap((which) => all(which as 'lost').slice(0, 5)),
      ...untrusted,
    ],
    floors: [
      atLeast('races in object storage', quick ? 16 : 200, storage.races),
      atMost('acknowledged commits that are lost', 0, all('lost').length),
      atMost('states that cannot be read', 0, all('unreadable').length),
      atMost('processes that fail undisturbed', 0, all('failed').length),
      atMost('ways in which a server that ignores conditions is trusted', 0, untrusted.length),
    ],
  }
}
