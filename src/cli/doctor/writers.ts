import type { Check } from './check.ts'

/** Whether a store in object storage keeps the commits of several writers apart; no word of a folder, which has a lock. */
export const writers: Check = {
  name: 'several writers',
  async run(context) {
    const tried = await (await context.audition()).conditionalPuts()
    switch (tried.outcome) {
      case 'needless':
        return []
      case 'honoured':
        return [{ state: 'ok', message: 'the store honours conditional puts (If-None-Match)' }]
      case 'ignored':
        return [
          {
            state: 'fail',
            message: `the store ignores conditional puts (If-None-Match): ${tried.detail}. Nothing is committed there, since two writers would destroy each other's commits unnoticed`,
            remedy: tried.remedy,
          },
        ]
      case 'failed':
        return [
          {
            state: 'warn',
            message: `conditional puts could not be tried: ${tried.detail}`,
            remedy: tried.remedy,
          },
        ]
    }
  },
}
