import { chooseSandbox } from '../ask/permission.ts'
import type { Check } from './check.ts'

/** Which sandbox holds the programs that are started, whether it works here, and which one would where none is chosen. */
export const sandbox: Check = {
  name: 'sandbox',
  async run(context) {
    const { within, fault, available } = await (await context.audition()).containment()
    if (fault !== null)
      return [{ state: 'fail', message: `nothing is started: ${fault.message}`, remedy: fault.remedy }]
    return [
      {
        state: 'ok',
        message: within,
        ...(available === undefined ? {} : { remedy: chooseSandbox(available) }),
      },
    ]
  },
}
