import { type ChildLimits, defaultChildLimits, describeLimits } from './child-limits.ts'
import { type Opening, type Sandbox, noSandbox } from './sandbox/sandbox.ts'

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
