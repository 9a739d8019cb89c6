import { join } from 'node:path'
import { atLeast, atMost, type Bench, type Table } from '../../../bench/bench.ts'
import { type Change, changes } from './changes.ts'
import { killDecisions, type KilledDecisions } from './kill-decisions.ts'
import { liveFloors, liveTable } from './live-findings.ts'
import { liveTrials } from './live-trials.ts'
import { faultOf, type Played, playChange } from './play.ts'
import { realStage, type Transport } from './real-stage.ts'
import { type RunWithTools, runTrials } from './run-with-tools.ts'

/** Compiled scripts that run as processes of their own. */
export type Scripts = { readonly server: string; readonly decider: string }

/** Plays changes on a real server, each over a store of its own. */
export async function playAll(
  chosen: readonly Change[],
  transport: Transport,
  folder: string,
  script: string,
): Promise<readonly Played[]> {
  const played: Played[] = []
  for (const [at, change] of chosen.entries()) {
    const stage = await realStage(join(folder, `${transport}-${at}`), script, transport)
    try {
      played.push(await playChange(change, stage))
    } finally {
      await stage.close()
    }
  }
  return played
}

/** A server that changes what it says after its cards were taken. */
export const rugPull: Bench = {
  name: 'rug-pull',
  question:
    'Can a server change, under any guise, what search gives or a running model reads without its user accepting it?',
  async run({ quick, scratch, log }) {
    const folder = scratch()
    const script = (name: string): string => join(import.meta.dirname, `${name}.js`)
    const scripts: Scripts = { server: script('changing-server'), decider: script('decider') }
    const all = changes(quick ? 50 : 200)
    const runs = new Map<Transport, readonly Played[]>()
    for (const [turn, transport] of (['stdio', 'http'] as const).entries()) {
      const chosen = all.filter((_, at) => !quick || at % 2 === turn)
      log(`rug-pull: ${chosen.length} changes over ${transport}`)
      runs.set(transport, await playAll(chosen, transport, folder, scripts.server))
    }
    const trials = liveTrials(quick ? 50 : 200).filter(
      ({ source }, at) => !quick || source !== 'untrusted' || at % 3 === 0,
    )
    log(`rug-pull: ${trials.length} agents that run with a changed server`)
    const live = await runTrials(trials, folder, scripts.server)
    log('rug-pull: decisions that are killed')
    const kills = quick ? 8 : 40
    const instants = Array.from({ length: kills }, (_, trial) => (1.2 * trial) / (kills - 1))
    const killed = await killDecisions(folder, scripts, instants)
    return findings(runs, live, killed)
  },
}

function findings(
  runs: ReadonlyMap<Transport, readonly Played[]>,
  live: readonly RunWithTools[],
  killed: KilledDecisions,
): Awaited<ReturnType<Bench['run']>> {
  const played = [...runs.values()].flat()
  const share = (ones: readonly Played[], keeps: (one: Played) => boolean): number =>
    (100 * ones.filter(keeps).length) / Math.max(1, ones.length)
  const hostile = played.filter(({ change }) => change.kind === 'hostile')
  const harmless = played.filter(({ change }) => change.kind === 'harmless')
  const faults = played.flatMap((one) => {
    const fault = faultOf(one)
    return fault === '' ? [] : [`${one.change.what}: ${fault}`]
  })
  return {
    tables: [changeTable(runs), liveTable(live), killTable(killed)],
    notes: [
      'Each change was played against a server that is a process of its own, over a new LanceDB store.',
      'Hostile is every change of what a model reads or a call does. Held: it is not in search, and the card of before is, and is found by its own words; another run changes nothing.',
      'A running model is one over real HTTP that is told of tools as models are; the server is attached to a profile, as a process of its own.',
      ...faults,
      ...killed.faults,
    ],
    floors: [
      atLeast('kinds of hostile change', 20, new Set(hostile.map(({ change }) => change.what)).size),
      atLeast(
        'hostile changes held',
        100,
        share(hostile, ({ held }) => held.length > 0),
        ' %',
      ),
      atLeast(
        'hostile changes after which search is as before',
        100,
        share(hostile, (one) => faultOf(one) === ''),
        ' %',
      ),
      atMost(
        'harmless changes held',
        0,
        share(harmless, ({ held }) => held.length > 0),
        ' %',
      ),
      atLeast(
        'harmless changes taken',
        100,
        share(harmless, (one) => faultOf(one) === ''),
        ' %',
      ),
      ...liveFloors(live),
      atMost('decisions lost or halved by a kill', 0, killed.faults.length),
    ],
  }
}

const changeTable = (runs: ReadonlyMap<Transport, readonly Played[]>): Table => ({
  title: 'What became of each change',
  head: ['change', 'kind', 'over', 'held', 'because', 'fault'],
  rows: [...runs].flatMap(([transport, played]) =>
    played.map((one) => [
      one.change.what,
      one.change.kind,
      transport,
      String(one.held.length),
      [...new Set(one.held.map(({ because }) => because))].slice(0, 3).join('; '),
      faultOf(one),
    ]),
  ),
})

const killTable = ({ trials, acknowledged, done, faults }: KilledDecisions): Table => ({
  title: 'Decisions whose process was killed',
  head: ['trials', 'acknowledged before', 'done and not yet said', 'not done', 'lost or halved'],
  rows: [[trials, acknowledged, done, trials - acknowledged - done, faults.length].map(String)],
})
