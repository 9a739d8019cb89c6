import { printable, printableLine } from '../../domain/printable.ts'
import { defineCommand } from '../command.ts'
import { flag, number } from '../command-options.ts'
import type { Context } from '../context.ts'
import type { Check, Finding, Thoroughness } from '../doctor/check.ts'
import { exitCodes } from '../exit-code.ts'
import { HarvestError } from '../../catalog/ports.ts'

/** `audition doctor`. */
export const doctorCommand = defineCommand({
  description: [
    'Checks the installation and says what to mend: Node.js, the store and its models, sources that failed,',
    'the configurations of your AI hosts, whether they know Audition, and (with --servers) whether every MCP',
    'server starts. Changes nothing. Ends with 1 when a check fails; warnings do not count.',
  ].join(' '),
  options: {
    servers: flag('--servers', 'start every configured MCP server to see if it answers'),
    timeout: number('--timeout <seconds>', 'longest wait for one MCP server (default: 30)', {
      least: 0.1,
      most: 3600,
      whole: false,
    }),
    json: flag('--json', 'print the findings as JSON'),
  },
  examples: [
    { line: 'audition doctor', does: 'is everything in order?' },
    { line: 'audition doctor --servers --timeout 10', does: 'and does every MCP server start?' },
  ],
  async run({ flags }, context) {
    const { doctorChecks } = await import('../doctor-checks.ts')
    const thoroughness = { servers: flags.servers, timeoutMs: Math.round((flags.timeout ?? 30) * 1000) }
    const findings: ReportedFinding[] = []
    for (const check of doctorChecks) {
      const seen = (await findingsOf(check, context, thoroughness)).map((one) => ({
        check: check.name,
        ...one,
      }))
      findings.push(...seen)
      if (!flags.json) context.print(...seen.flatMap((one) => findingLines(one, context)))
    }
    const failed = findings.filter(({ state }) => state === 'fail').length
    const warned = findings.filter(({ state }) => state === 'warn').length
    if (flags.json) context.printJson({ ok: failed === 0, findings })
    else context.print('', summary(failed, warned))
    return failed === 0 ? exitCodes.done : exitCodes.failed
  },
})

type ReportedFinding = Finding & { readonly check: string }

async function findingsOf(
  check: Check,
  context: Context,
  thoroughness: Thoroughness,
): Promise<readonly Finding[]> {
  try {
    return await check.run(context, thoroughness)
  } catch (error) {
    if (context.signal.aborted) throw error
    const message = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof HarvestError ? error.remedy : 'AUDITION_DEBUG=1 shows where it happened.'
    return [{ state: 'fail', message, remedy }]
  }
}

function findingLines(
  { check, state, message, remedy }: ReportedFinding,
  { terminal }: Context,
): readonly string[] {
  const { paint } = terminal.stdout
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red }[state]
  const line = `${colour(state.padEnd(4))}  ${check}: ${printableLine(message)}`
  return remedy === undefined ? [line] : [line, paint.dim(`      ${printable(remedy)}`)]
}

function summary(failed: number, warned: number): string {
  if (failed + warned === 0) return 'Everything is in order.'
  const parts = [
    ...(failed > 0 ? [failed === 1 ? '1 check failed' : `${failed} checks failed`] : []),
    ...(warned > 0 ? [warned === 1 ? '1 warning' : `${warned} warnings`] : []),
  ]
  return `${parts.join(', ')}.`
}
