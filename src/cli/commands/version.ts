import { packageVersion } from '../../package-version.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../errors.ts'

/** `audition version`. */
export const command = defineCommand({
  description: 'Prints the version.',
  options: {},
  examples: [{ line: 'audition version', does: 'the same as audition --version' }],
  async run(_call, context) {
    context.print(packageVersion())
    return exitCodes.done
  },
})
