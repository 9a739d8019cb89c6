import { join } from 'node:path'
import { atLeast, atMost, type Bench, type Findings } from '../../../bench/bench.ts'
import { root } from '../../../bench/built-program.ts'
import { attacks } from './attacks.ts'
import { type AttackOutcome, runAttacks, runServers, type ServerOutcome } from './run-attacks.ts'

/** Programs that harm, started as probes and harvests start them. The same at any size, since each takes seconds. */
export const children: Bench = {
  name: 'children',
  question: 'Do hostile programs stay within their limits, get no secret and leave nothing behind?',
  async run(workplace) {
    if (process.platform !== 'linux') return elsewhere
    const ground = {
      folder: workplace.scratch(),
      programs: join(root, 'test', 'attacks', 'children', 'programs'),
    }
    const outcomes = await runAttacks(ground, undefined, workplace.log)
    return findingsOf(outcomes, await runServers(ground))
  },
}

const elsewhere: Findings = {
  tables: [],
  notes: ['skipped: what programs use and leave behind is read from /proc, which only Linux has.'],
  floors: [],
}

function findingsOf(outcomes: readonly AttackOutcome[], servers: readonly ServerOutcome[]): Findings {
  const sandboxes = [...new Set(outcomes.map(({ sandbox }) => sandbox))]
  const of = (sandbox: string) => outcomes.filter((one) => one.sandbox === sandbox)
  const sum = (list: readonly AttackOutcome[], count: (one: AttackOutcome) => number): number =>
    list.reduce((total, one) => total + count(one), 0)
  const inside = outcomes.filter(({ sandbox }) => sandbox !== 'none')
  const faults = outcomes.flatMap(({ attack, sandbox, faults }) =>
    faults.map((fault) => `${sandbox}, ${attack.name}: ${fault}`),
  )
  const left = sum(outcomes, ({ seen }) => seen.left) + servers.reduce((total, one) => total + one.left, 0)
  const scrubbed = outcomes.filter(({ attack }) => attack.heldBy !== 'sandbox')
  const limited = outcomes.filter(({ attack }) => attack.heldBy === 'limits' || attack.heldBy === 'end')
  return {
    tables: [
      {
        title: 'Hostile programs: what each got',
        head: ['program', ...sandboxes],
        rows: attacks.map(({ name }) => [
          name,
          ...sandboxes.map((sandbox) => resultOf(of(sandbox).find(({ attack }) => attack.name === name))),
        ]),
      },
      {
        title: 'Hostile MCP servers, harvested',
        head: ['server', 'what was said of it', 'processes left', 'seconds'],
        rows: servers.map(({ name, said, left: count, seconds }) => [
          name,
          said === '' ? 'harvested' : said.replace(/^MCP server "hostile": /, '').slice(0, 70),
          String(count),
          seconds.toFixed(1),
        ]),
      },
    ],
    notes: [
      'Limits of this run: 3 s of processor time, 450 MiB, 24 processes, 128 open files, 8 MiB of files, 512 KiB of output.',
      'Without a sandbox a program may read, write and reach what the user can: "got" says what that was.',
      ...(inside.length === 0
        ? ['bubblewrap does not work here: nothing was measured inside a sandbox.']
        : []),
      ...faults.slice(0, 12),
      ...servers.flatMap(({ name, fault }) => (fault === null ? [] : [`server, ${name}: ${fault}`])),
    ],
    floors: [
      atLeast('hostile programs and servers tried', 35, outcomes.length + servers.length),
      atMost('processes left behind', 0, left),
      atMost(
        'programs and servers not held by their limits, or that cleaning up missed',
        0,
        limited.filter((one) => one.faults.length > 0).length +
          servers.filter(({ fault }) => fault !== null).length,
      ),
      atMost(
        'secrets of our environment that a program was given',
        0,
        sum(scrubbed, ({ seen }) => seen.secrets.length),
      ),
      atMost(
        'secrets that left a sandbox',
        0,
        inside.length === 0 ? undefined : sum(inside, ({ seen }) => seen.secrets.length),
      ),
      atMost(
        'harm done out of a sandbox',
        0,
        inside.length === 0 ? undefined : sum(inside, ({ seen }) => seen.harm.length),
      ),
    ],
  }
}

function resultOf(outcome: AttackOutcome | undefined): string {
  if (outcome === undefined) return '-'
  const { end, stoppedBy, secrets, harm } = outcome.seen
  const got = [...secrets, ...harm]
  const how = end.kind === 'exited' ? (end.signal ?? `exit ${end.code}`) : (stoppedBy ?? end.kind)
  return got.length === 0 ? how : `${how}; got: ${got.join(', ')}`
}
