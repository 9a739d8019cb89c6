import { resolve } from 'node:path'
import { countOf } from '../../../domain/text/count-of.ts'
import { mayNotFit, type PassRateReport, type ToolsetName, toolsets } from '../../../compose/pass-rating.ts'
import { budgetOf, choicesOf, defineCommand, flag, limitsOf, whole } from '../../command.ts'
import { exitCodes } from '../../errors.ts'
import { probeView, shownBy } from '../../progress.ts'
import { defined } from '../../../domain/defined.ts'
import { printableLine } from '../../../domain/text/printable.ts'
import { interval, perCent, probability, signed, signedInterval } from '../../../evaluation/report/numbers.ts'
import type { Output } from '../../terminal.ts'
import { left, right, tableOf } from '../../render/table.ts'
import { apart, dollars } from '../../render/text.ts'

const options = {
  toolset: choicesOf(
    '--toolset <which>',
    'the tools of a task: those that it expects (given), the first of a search (retrieved), or none (default: all three)',
    toolsets,
  ),
  k: whole('--k <count>', 'tools that the search gives (default: 5)', [1, 100]),
  simulate: flag('--simulate', 'simulated servers stand for the real ones; nothing is started'),
  changes: flag('--changes', 'call real tools too that do not declare to be read-only'),
  limit: whole('--limit <count>', 'the first so many tasks', [1, 100_000]),
  steps: whole('--steps <count>', 'turns of the model for one task (default: 12)', [1, 200]),
  ...limitsOf('3600s,5000000tokens,2usd'),
  json: flag('--json', 'print figures and runs as JSON'),
}

/** `audition evaluate pass-rate`. */
export const passRateCommand = defineCommand({
  description: [
    'The model in AUDITION_LLM does tasks in a bounded loop, with the tools that each task expects, with those that a',
    'search finds for it, and with none. A task is solved when its known answer matches or the judge gives 4 or 5. Printed',
    'are the shares with 95% intervals, paired tests, tokens and cost. Nothing enters the track record. Tasks are rows as',
    '`audition evaluate` reads them (`query`, `expected`), and perhaps `expect`; see docs/evaluation.md.',
  ].join(' '),
  arguments: [{ syntax: '<file>', description: 'JSON Lines, JSON or CSV of tasks for tools' }],
  options,
  examples: [
    { line: 'audition evaluate pass-rate tasks.jsonl', does: 'what good retrieval is worth to the model' },
    {
      line: 'audition evaluate pass-rate tasks.jsonl --simulate --toolset given --budget 2usd',
      does: 'without any real call',
    },
  ],
  async run({ words: [file = ''], flags }, context) {
    const { taskRows } = await import('../../ask/audition-tasks.ts')
    const rows = taskRows(resolve(context.terminal.cwd, file), 'tool', 'agent')
    const tasks = [...new Map(rows.map(({ task, expected }) => [task.text, { ...task, expected }])).values()]
    const { toolset, k = 5, steps, seconds, limit } = flags
    const chosen: readonly ToolsetName[] = toolset.length === 0 ? toolsets : toolset
    const taken = tasks.slice(0, limit)
    context.log(`${countOf(taken.length, 'task')}, ${countOf(taken.length * chosen.length, 'run')} at most.`)
    const audition = await context.audition()
    const { signal, terminal } = context
    const report = await shownBy(probeView(terminal.stderr), (onEvent) =>
      audition.passRate({
        tasks: taken,
        toolsets: chosen,
        k,
        simulate: flags.simulate,
        mayChange: flags.changes,
        limits: defined({ steps, seconds }),
        budget: budgetOf(flags.budget),
        signal,
        onEvent,
      }),
    )
    if (flags.json) context.printJson(report)
    else context.print(...passRateLines(report, k, context.terminal.stdout))
    if (report.stopped === 'cancelled') return exitCodes.interrupted
    return report.runs.length === 0 ? exitCodes.failed : exitCodes.done
  },
})

/** What a model solved with each way of choosing its tools. @param k - tools that a search gave */
function passRateLines(report: PassRateReport, k: number, output: Output): readonly string[] {
  const { model, servers, rows, pairs, completeness, leftOut, knownAnswers, stopped, spent } = report
  const nameOf = (toolset: string): string => (toolset === 'retrieved' ? `retrieved, first ${k}` : toolset)
  const table = tableOf(rows, output, [
    left('tools', ({ toolset }) => nameOf(toolset), { paint: output.paint.cyan }),
    right('runs', ({ runs }) => runs),
    right('pass rate', ({ rate }) => (rate.queries === 0 ? '–' : `${perCent(rate.mean)} ${interval(rate)}`)),
    right('ungraded', ({ ungraded }) => ungraded),
    right('at a limit', ({ limited }) => limited),
    right('tokens', ({ tokens }) => (tokens === null ? '–' : Math.round(tokens))),
    right('cost', ({ cost }) => dollars(cost)),
    right('per solved', ({ costPerSolved }) => dollars(costPerSolved)),
  ])
  const tests = tableOf(pairs, output, [
    left('compared', ({ toolset, other }) => `${nameOf(toolset)} against ${nameOf(other)}`),
    right('difference', ({ difference }) => `${signed(difference.mean)} ${signedInterval(difference)}`),
    right('won', ({ won }) => won),
    right('lost', ({ lost }) => lost),
    right('p', ({ p }) => probability(p)),
    right('p (Holm)', ({ pHolm }) => `${probability(pHolm)}${pHolm < 0.05 ? ' *' : ''}`),
  ])
  return apart([
    [`${printableLine(model)} over ${servers} servers`],
    table,
    pairs.length === 0 ? [] : tests,
    [
      'Per cent of the judged runs, with 95% Wilson intervals; of differences they are bootstrap intervals. Tokens and cost are means of a run.',
      ...(completeness === null
        ? []
        : [`The search gave all that is needed for ${perCent(completeness)}% of the tasks.`]),
      ...(leftOut.length === 0
        ? []
        : [
            `Left out of what the search gave: tools of ${leftOut.map(printableLine).join(', ')}, which may not be started. \`audition allow\` with an id allows it.`,
          ]),
      ...(knownAnswers === 0 ? [] : [mayNotFit(countOf(knownAnswers, 'task'))]),
      ...(stopped === null ? [] : [`Stopped (${stopped}): ${countOf(report.left, 'run')} left out.`]),
      `Took ${spent.seconds.toFixed(1)} s.`,
    ],
  ])
}
