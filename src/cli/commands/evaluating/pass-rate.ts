import { resolve } from 'node:path'
import { countOf } from '../../../domain/text/count-of.ts'
import { type ToolsetName, toolsets } from '../../../compose/evaluating/pass-rating.ts'
import { budgetOf, choicesOf, defineCommand, flag, limitsOf, whole } from '../../command.ts'
import { exitCodes } from '../../errors.ts'

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
    const [{ taskRows }, { probeView }, { passRateLines }] = await Promise.all([
      import('../../ask/audition-tasks.ts'),
      import('../../progress.ts'),
      import('../../render/pass-rate-lines.ts'),
    ])
    const rows = taskRows(resolve(context.terminal.cwd, file), 'tool', 'agent')
    const tasks = [...new Map(rows.map(({ task, expected }) => [task.text, { ...task, expected }])).values()]
    const { toolset, k = 5, steps, seconds, limit } = flags
    const chosen: readonly ToolsetName[] = toolset.length === 0 ? toolsets : toolset
    const taken = tasks.slice(0, limit)
    context.log(`${countOf(taken.length, 'task')}, ${countOf(taken.length * chosen.length, 'run')} at most.`)
    const audition = await context.audition()
    const view = probeView(context.terminal.stderr)
    const report = await audition
      .passRate({
        ...{ tasks: taken, toolsets: chosen, k, simulate: flags.simulate, mayChange: flags.changes },
        limits: { ...(steps === undefined ? {} : { steps }), ...(seconds === undefined ? {} : { seconds }) },
        budget: budgetOf(flags.budget),
        signal: context.signal,
        onEvent: (event) => view.show(event),
      })
      .finally(() => view.stop())
    if (flags.json) context.printJson(report)
    else context.print(...passRateLines(report, k, context.terminal.stdout))
    if (report.stopped === 'cancelled') return exitCodes.interrupted
    return report.runs.length === 0 ? exitCodes.failed : exitCodes.done
  },
})
