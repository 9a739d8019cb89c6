import type { RunEnd } from '../../../src/adapters/command/run-program.ts'
import type { Bounds } from '../../../src/domain/bounds.ts'

/** What came of one hostile program. */
export type Observation = {
  readonly end: RunEnd
  /** What of its bounds ended it. */
  readonly stoppedBy: ReturnType<Bounds['stoppedBy']>
  readonly out: string
  /** Living processes of its, after the run had settled. */
  readonly left: number
  /** Seconds from start to the end of the run, cleaning up included. */
  readonly seconds: number
  /** Names of planted secrets that it printed. */
  readonly secrets: readonly string[]
  /** What it changed or reached outside: files written, connections made, others killed, folders of its own left. */
  readonly harm: readonly string[]
}

/** A hostile program, and what has to come of it. */
export type Attack = {
  readonly name: string
  /** What holds it back: a limit of the system or of ours, the end of the run, or a sandbox alone. */
  readonly heldBy: 'limits' | 'end' | 'scrubbing' | 'sandbox'
  /** What is wrong with what came of it; null when nothing is. Left processes, secrets and harm are looked at for all. */
  readonly fault: (seen: Observation) => string | null
}

const stopped = ({ end, stoppedBy }: Observation): string | null =>
  stoppedBy === 'budget' || (end.kind === 'exited' && (end.signal !== null || end.code !== 0))
    ? null
    : `it was not stopped by its limits: ${end.kind}`
const atLimit =
  (bound: Observation['stoppedBy']) =>
  ({ end, stoppedBy }: Observation): string | null =>
    stoppedBy === bound ? null : `it ended with ${stoppedBy ?? end.kind}`
const done = ({ end }: Observation): string | null =>
  end.kind === 'exited' && end.code === 0 ? null : `it ended with ${end.kind}`
const printed =
  (pattern: RegExp) =>
  (seen: Observation): string | null =>
    pattern.test(seen.out) ? done(seen) : `it got ${seen.out.slice(0, 80)}`

/** All hostile programs, in the order of `programs/hostile.mjs`. */
export const attacks: readonly Attack[] = [
  ...[
    'fork bomb',
    'processes one after another',
    'memory hog',
    'family of memory hogs',
    'CPU spinner',
    'family of CPU spinners',
    'many files',
  ].map((name): Attack => ({ name, heldBy: 'limits', fault: stopped })),
  { name: 'one large file', heldBy: 'limits', fault: printed(/^EFBIG after (?:[0-7]\d{6}|8[0-3]\d{5})$/m) },
  { name: 'open files', heldBy: 'limits', fault: printed(/^EMFILE after \d{1,3}$/m) },
  { name: 'flood on stdout', heldBy: 'end', fault: atLimit('output') },
  { name: 'flood on stderr', heldBy: 'end', fault: atLimit('output') },
  { name: 'ignores signals', heldBy: 'end', fault: atLimit('time') },
  { name: 'stops itself', heldBy: 'end', fault: atLimit('time') },
  ...['daemon', 'daemon, forked twice', 'daemon without environment'].map(
    (name): Attack => ({ name, heldBy: 'end', fault: done }),
  ),
  { name: 'deletes its folder', heldBy: 'end', fault: () => null },
  { name: 'link out of its folder', heldBy: 'end', fault: done },
  { name: 'closed folder', heldBy: 'end', fault: done },
  { name: 'reads its environment', heldBy: 'scrubbing', fault: done },
  ...[
    'reads the environment of others',
    'reads keys',
    'finds secrets',
    'connects to this machine',
    'connects to a socket file',
    'writes into the home folder',
    'writes into the store',
    'writes into temporary files',
    'kills others',
  ].map((name): Attack => ({ name, heldBy: 'sandbox', fault: () => null })),
]

/** Servers that harm while they are harvested; all but the last must end as a failed harvest. */
export const serverAttacks: readonly { readonly name: string; readonly says: RegExp }[] = [
  { name: 'stdout without an end', says: /more than .* bytes/ },
  { name: 'notifications without an end', says: /more than .* bytes|did not answer/ },
  { name: 'stderr without an end', says: /did not answer within/ },
  { name: 'pages without an end', says: /more than \d+ (?:pages|tools)/ },
  { name: 'pages in circles', says: /circles/ },
  { name: 'a list without an end', says: /more than .* bytes/ },
  { name: 'no answer', says: /did not list its tools within/ },
  { name: 'no list but memory', says: /memory|ended by|exited/ },
  { name: 'no list but processes', says: /processes/ },
  { name: 'daemon left behind', says: /^$/ },
]
