import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mulberry32 } from '../../../src/domain/random.ts'
import { atLeast, atMost, type Bench, type Findings, fixed } from '../../../bench/bench.ts'
import type { Fault, FaultReport } from './fault.ts'
import { type KillRuns, killRuns } from './kill-runs.ts'
import { killTrials } from './kill-trials.ts'
import { faults } from './one-by-one.ts'

/** The command line program as users get it, from `dist/bench/test/attacks/faults`. */
const builtProgram = fileURLToPath(new URL('../../../../cli/main.js', import.meta.url))

/** How much of the suite is run, and on what. */
export type FaultsScope = {
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  /** Kills over all kinds of trial. */
  readonly kills: number
  readonly faults: readonly Fault[]
  readonly seed: number
  readonly log: (message: string) => void
}

/** What was found out. */
export type FaultsFound = {
  readonly killed: readonly KillRuns[]
  readonly faults: readonly { readonly fault: Fault; readonly report: FaultReport }[]
}

/** Kills, and then brings about one fault after the other. */
export async function runFaults(scope: FaultsScope): Promise<FaultsFound> {
  const { program, folder, log } = scope
  const random = mulberry32(scope.seed)
  const killed: KillRuns[] = []
  for (const { trial, share } of killTrials) {
    const kills = Math.max(1, Math.round(scope.kills * share))
    const runs = await killRuns(trial, kills, {
      program,
      folder: join(folder, `kill-${killed.length}`),
      random,
    })
    killed.push(runs)
    log(`faults: ${runs.killed} of ${runs.trials} killed in ${runs.name}, ${runs.faults.length} wrong`)
  }
  const reports: { readonly fault: Fault; readonly report: FaultReport }[] = []
  for (const fault of scope.faults) {
    const place = join(folder, `fault-${reports.length}`)
    mkdirSync(place)
    const report = await brought(fault, { program, folder: place })
    reports.push({ fault, report })
    rmSync(place, { recursive: true, force: true })
    if (report.kind === 'seen' && report.wrong.length > 0)
      log(`faults: ${fault.group}, ${fault.name}: ${report.wrong.join('; ')}`)
  }
  return { killed, faults: reports }
}

async function brought(fault: Fault, place: Parameters<Fault['run']>[0]): Promise<FaultReport> {
  try {
    return await fault.run(place)
  } catch (error) {
    return { kind: 'seen', said: '', wrong: [error instanceof Error ? error.message : String(error)] }
  }
}

/** Real processes of the built program, killed and starved in every way that we know. */
export const faultsSuite: Bench = {
  name: 'faults',
  question: 'What is left after kill -9, full disks, damaged files, wrong clocks and sources without end?',
  async run(workplace) {
    const seed = Date.now() % 2 ** 32
    const found = await runFaults({
      program: builtProgram,
      folder: workplace.scratch(),
      kills: workplace.quick ? 15 : 220,
      faults: workplace.quick ? faults.filter(({ slow }) => slow !== true) : faults,
      seed,
      log: workplace.log,
    })
    return findingsOf(found, seed, workplace.quick)
  },
}

function findingsOf({ killed, faults: all }: FaultsFound, seed: number, quick: boolean): Findings {
  const kills = killed.reduce((sum, one) => sum + one.killed, 0)
  const wrong = (start: string): number =>
    killed.reduce((sum, one) => sum + one.faults.filter((fault) => fault.includes(start)).length, 0)
  const groups = [...new Set(all.map(({ fault }) => fault.group))]
  const broken = all.filter(({ report }) => report.kind === 'seen' && report.wrong.length > 0)
  return {
    tables: [
      {
        title: `Processes killed at random instants (seed ${seed})`,
        head: ['command', 'usual run', 'trials', 'killed', 'torn', 'lost', 'stuck', 'damaged'],
        rows: killed.map(({ name, usualMs, trials, killed: dead, faults: found }) => [
          name,
          `${fixed(usualMs / 1000)} s`,
          ...[trials, dead].map(String),
          ...['torn', 'lost', 'stuck', 'damaged'].map((kind) =>
            String(found.filter((fault) => fault.includes(`${kind}:`)).length),
          ),
        ]),
      },
      {
        title: 'Faults one by one',
        head: ['fault', 'brought about', 'skipped', 'unclear or left broken', 'for example'],
        rows: groups.map((group) => {
          const own = all.filter(({ fault }) => fault.group === group)
          const said = own.flatMap(({ report }) => (report.kind === 'seen' ? [report.said] : []))
          return [
            group,
            String(said.length),
            String(own.length - said.length),
            String(broken.filter(({ fault }) => fault.group === group).length),
            (said[0] ?? '').replace(/\/\S*\/(?=[\w.-])/g, '').slice(0, 90),
          ]
        }),
      },
    ],
    notes: [
      'torn: what is found was never committed as a whole; lost: something that was reported is gone; stuck: the next run, with nothing done by hand, fails or leaves something else; damaged: `doctor` finds damage.',
      'Disks are filled as a tmpfs of its own (`unshare -rm`), and by `ulimit -f`; a home is read-only by a bind mount, which binds root too. JavaScript sees the shifted clock, LanceDB the true one.',
      'Before our error LanceDB itself may write a line about a panic of its threads, when it reads damaged bytes: that line is not counted.',
      ...killed.flatMap(({ name, faults: found }) => found.slice(0, 3).map((fault) => `${name}: ${fault}`)),
      ...broken.flatMap(({ fault, report }) =>
        report.kind === 'seen' ? [`${fault.group}, ${fault.name}: ${report.wrong.join('; ')}`] : [],
      ),
      ...new Set(all.flatMap(({ report }) => (report.kind === 'skipped' ? [`skipped: ${report.why}`] : []))),
    ],
    floors: [
      atLeast('processes killed', quick ? 10 : 200, kills),
      atMost('catalogs that are half old, half new, or do not open', 0, wrong('torn:') + wrong('damaged:')),
      atMost('acknowledged commits and outcomes that are lost', 0, wrong('lost:')),
      atMost('next runs that need a manual step', 0, wrong('stuck:')),
      atMost('undisturbed runs that fail', 0, wrong('undisturbed:')),
      atMost('faults without a clear error, or with a broken product afterwards', 0, broken.length),
    ],
  }
}
