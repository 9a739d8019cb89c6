#!/usr/bin/env node
import { run } from './run.ts'
import { processTerminal } from './terminal.ts'

const argv = process.argv.slice(2)
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The same twice ends at once. Claude Code sends the one, a tenth of a second later the other: that is no second wish.
  process.once(signal, () => {
    interruption.abort()
    process.once(signal, () => process.exit(130))
  })
}

const code = await run(argv, {
  terminal: processTerminal(argv),
  async openAudition(env) {
    const [{ openAudition }, { configFrom }] = await Promise.all([
      import('../compose/app.ts'),
      import('../config.ts'),
    ])
    const config = configFrom(env)
    if (!env.AUDITION_TENANT) return openAudition(config)
    const { configOfTenant } = await import('../compose/tenants/tenant-config.ts')
    return openAudition(await configOfTenant(config))
  },
  signal: interruption.signal,
})
process.exitCode = code
// Node puts back what signals do by default while it takes itself down: the second of two would kill a process that has done all.
if (interruption.signal.aborted) process.stdout.write('', () => process.exit(code))
