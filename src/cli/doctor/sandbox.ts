import type { Check } from './check.ts'

/** Which sandbox holds the programs that are started, and whether it works here. */
export const sandbox: Check = {
  name: 'sandbox',
  async run(context) {
    const { within, fault } = await (await context.audition()).containment()
    return fault === null
      ? [{ state: 'ok', message: within }]
      : [{ state: 'fail', message: `nothing is started: ${fault.message}`, remedy: fault.remedy }]
  },
}
