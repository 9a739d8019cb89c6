import { packageVersion } from '../../package-version.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-code.ts'

/** `audition version`. */
export const versionCommand = defineCommand({
  description: 'Prints the version.',
  options: {},
  examples: [{ line: 'audition version', does: 'the same as audition --version' }],
  async run(_call, context) {
    context.print(packageVersion())
    return exitCodes.done
  },
})
