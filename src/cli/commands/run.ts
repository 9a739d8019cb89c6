import { printable } from '../../domain/text/printable.ts'
import type { RunReport } from '../../probing/run/probing.ts'
import { argumentsOf, defineCommand, flag, number, taskOf, text } from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import { knownCard } from '../ask/known.ts'
import { askPermission } from '../ask/permission.ts'
import { notRunLines } from '../render/permit-lines.ts'
import { transcriptLines } from '../render/probe-lines.ts'
import { saidIn } from '../ask/ask.ts'
import { defined } from '../../domain/defined.ts'

/** The most that a task may hold, in characters. */
const taskLimit = 100_000

/** `audition run`. */
export const command = defineCommand({
  description: [
    'Runs one agent or tool once and prints its answer on standard output; what it does meanwhile goes to standard',
    'error. Only what you allow is started, as with `audition probe`. The run is added to the track record only if',
    'your settings say "recordRuns: true".',
  ].join(' '),
  arguments: [
    { syntax: '<agent>', description: 'the id of an agent or a tool' },
    { syntax: '[task...]', description: 'the task in plain words; - reads it from standard input' },
  ],
  options: {
    arguments: text('--arguments <json>', 'arguments of the call, for tools'),
    seconds: number('--seconds <seconds>', 'longest time it may take (default: 60)', [0.1, 86_400]),
    quiet: flag('-q, --quiet', 'print the answer alone'),
    json: flag('--json', 'print answer, transcript and usage as JSON'),
  },
  examples: [
    {
      line: `audition run audition-calendar/add_to_date --arguments '{"date":"2026-03-13","days":10}'`,
      does: 'a tool of the bundled catalog',
    },
    {
      line: 'audition run demo-profiles/ratio-elm "What is 17.5% of 81.25?"',
      does: 'an agent of `audition index bundled:demo`',
    },
    {
      line: 'audition run team/reviewer - < lease.txt > review.txt',
      does: 'a long task, only the answer kept',
    },
  ],
  async run({ words: [id = '', ...words], flags }, context) {
    const given = argumentsOf(flags.arguments)
    const said = await saidIn(words, taskLimit, context)
    if (said === '' && given === undefined) {
      throw new UsageError(
        'Say the task in plain words: audition run <agent> "<task>". Tools take --arguments.',
      )
    }
    const task = taskOf(said === '' ? `call with ${JSON.stringify(given)}` : said, { arguments: given })
    const audition = await context.audition()
    const card = await knownCard(audition, id)
    const probing = await audition.probing()
    const plans = await probing.plan({ cards: [card], tasks: { kind: 'given', tasks: [task] } })
    const allow = await askPermission(plans, probing, context)
    const report = await probing.run({
      card,
      task,
      allow,
      limits: defined({ seconds: flags.seconds }),
      signal: context.signal,
      onEvent: (event) => {
        if (!flags.quiet && !flags.json) context.log(...transcriptLines(event))
      },
    })
    return printed(report, { id, json: flags.json }, context)
  },
})

function printed(
  report: RunReport,
  { id, json }: { readonly id: string; readonly json: boolean },
  { terminal, log, print, printJson, signal }: Context,
): ExitCode {
  if (report.kind === 'stopped') return stopped(log)
  if (report.kind === 'not-run') {
    if (json) printJson(report)
    const [first, ...rest] = notRunLines(id, report.why, terminal.platform)
    log(`${terminal.stderr.paint.red('error:')} ${first}`, ...rest)
    return exitCodes.failed
  }
  const { execution, recorded } = report
  if (signal.aborted && execution.ending === 'cancelled') return stopped(log)
  if (json) printJson({ ...execution, recorded })
  else if (execution.answer !== '') print(printable(execution.answer).trimEnd())
  if (execution.ending === 'answered') return exitCodes.done
  const why = printable(execution.failure ?? execution.ending)
  log(`${terminal.stderr.paint.red('error:')} ${why}`)
  return exitCodes.failed
}

function stopped(log: Context['log']): ExitCode {
  log('Stopped.')
  return exitCodes.interrupted
}
