import { existsSync } from 'node:fs'
import { limitedLine } from '../child-limits.ts'
import { findProgram } from '../find-program.ts'
import type { StdioLaunch } from '../process-group.ts'
import { type Sandbox, withLine } from './sandbox.ts'

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
