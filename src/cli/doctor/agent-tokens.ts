import type { Check } from './check.ts'

/** Whether the tokens of A2A agents are written as they are read; no word when there are none. Never shows one. */
export const agentTokens: Check = {
  name: 'a2a tokens',
  async run(context) {
    const origins = await (await context.audition()).agentOrigins()
    return origins.length === 0 ? [] : [{ state: 'ok', message: `for ${origins.join(', ')}` }]
  },
}
