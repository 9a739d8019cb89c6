import { differenceText } from '../render/difference-lines.ts'
import { changedLaunches } from '../ask/changed-launches.ts'
import type { Check, Finding } from './check.ts'

/** Whether what MCP servers start is what somebody agreed to: a line for each that is another program now. */
export const launches: Check = {
  name: 'launches',
  async run(context) {
    return (await changedLaunches(context)).map(
      ({ source, location, change }): Finding => ({
        state: 'warn',
        message: `"${source}" changed since you agreed to start it, and is not asked for its tools: ${differenceText(change)}`,
        remedy: `Look at it; \`audition index ${location}\` asks again.`,
      }),
    )
  },
}
