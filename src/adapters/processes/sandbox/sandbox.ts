import { RemedyError } from '../../../domain/remedy-error.ts'
import {
  type ChildLimits,
  type CommandLine,
  limitedLine,
  defaultChildLimits,
  describeLimits,
} from '../child-limits.ts'
import type { VariableSources } from '../expand-variables.ts'
import type { StdioLaunch } from '../process-group.ts'
import { existsSync } from 'node:fs'
import { findProgram } from '../find-program.ts'

/** What a program is allowed beyond its working folder. */
export type Opening = {
  readonly network: boolean
  /** Absolute paths that it may read. */
  readonly readable: readonly string[]
  /** Absolute paths that it may read and write. */
  readonly writable: readonly string[]
}

/** What stands between a program and the machine. One adapter for each way to do that; all pass one contract. */
export type Sandbox = {
  readonly name: 'none' | 'bubblewrap' | 'container'
  /**
   * Why it cannot be used here, or null. Asked before every start; it is never passed over when it cannot be used. The answer is
   * kept when it works.
   */
  fault(): Promise<SandboxError | null>
  /** What is started so that the program runs inside, under the limits, and with the mark of its limits where the system can. Starts nothing. */
  enclose(enclosure: Enclosure): Enclosed
  /** For people who decide whether it may start: what it keeps the program from. */
  describe(opening: Opening): string
}

/** A program that is to run inside. */
export type Enclosure = {
  readonly launch: StdioLaunch
  readonly opening: Opening
  readonly limits: ChildLimits
  /** Left on all that it starts, where the system can. */
  readonly mark?: number | undefined
}

/** A program inside a sandbox, ready to start. */
type Enclosed = {
  readonly start: StdioLaunch
  /** Ends what the signals to the started process do not reach. */
  readonly end?: () => Promise<void>
}

/** The sandbox that the user asked for cannot be used. */
export class SandboxError extends RemedyError {
  override readonly name = 'SandboxError'
  /** What makes it work, a sentence, for who wants no other; undefined where nothing is known to. */
  readonly mend: string | undefined
  constructor(
    message: string,
    remedy: string,
    { mend, ...options }: ErrorOptions & { readonly mend?: string } = {},
  ) {
    super(message, remedy, options)
    this.mend = mend
  }
}

/** A launch with another line to start. */
export const withLine = (launch: StdioLaunch, { command, args }: CommandLine): StdioLaunch => ({
  ...launch,
  command,
  args,
})

/** The program runs as the user, with a scrubbed environment and limits, and may do what the user may. */
export const noSandbox = (): Sandbox => ({
  name: 'none',
  fault: async () => null,
  enclose({ launch, limits, mark }) {
    // What is not there is started as it is: the system's own error says so best.
    if (!isStartable(launch)) return { start: launch }
    return { start: withLine(launch, limitedLine(launch, limits, mark)) }
  },
  describe: () => 'no sandbox: it may read, write and reach what you can',
})

export const isStartable = ({ command, env, cwd }: StdioLaunch): boolean =>
  existsSync(cwd) && findProgram(command, env, cwd) !== undefined

/** What programs of others are started with. */
export type StartSettings = VariableSources & {
  /** What holds them. @defaultValue no sandbox, the usual limits */
  readonly containment?: Containment
}

/** What holds the programs that Audition starts, as the user's settings have it. */
export type Containment = {
  readonly sandbox: Sandbox
  readonly limits: ChildLimits
  /** What a program may use beyond its working folder, by the permit that the user gave it. */
  opening(permit: string): Opening
  /** Whether the user chose the sandbox for the permit of a command alone, and not for all programs. */
  readonly isOfPermit?: boolean
  /** What holds the command of a permit for which the user chose a sandbox. @defaultValue the same as everything else */
  of?(permit: string): Omit<Containment, 'of'>
}

const closed: Opening = { network: false, readable: [], writable: [] }

/** No sandbox, and limits that only what went wrong reaches. */
export const defaultContainment: Containment = {
  sandbox: noSandbox(),
  limits: defaultChildLimits,
  opening: () => closed,
}

/** For people who decide whether it may start: the sandbox and the limits, in one line. */
export const describeContainment = ({ sandbox, limits, opening }: Containment, permit: string): string =>
  `${sandbox.describe(opening(permit))}; ${describeLimits(limits)}`
