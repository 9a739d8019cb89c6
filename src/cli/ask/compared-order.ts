import type { Plan } from '../../probing/run/probing.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import {
  comparedAgents,
  compareOrders,
  type Comparing,
  type OrderedCandidate,
  type OrderedTask,
  type OrderReport,
  tasksIn,
} from './compare-order.ts'
import { limitsIn, taskOf } from '../command.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { orderTitles } from '../../evaluation/order-agreement.ts'
import { notRunLines } from '../render/permit-lines.ts'
import type { Output } from '../terminal.ts'
import { apart } from '../render/text.ts'
import { left, right, tableOf } from '../render/table.ts'
import type { Estimate } from '../../evaluation/evaluation-run.ts'

/** Flags of `audition probe`. */
type OrderFlags = {
  readonly compareOrder: boolean
  readonly tasks: string | undefined
  readonly expect: string | undefined
  readonly seconds: number | undefined
  readonly budget: string | undefined
  readonly dryRun: boolean
  readonly json: boolean
  /** Those that choose candidates or tasks otherwise. */
  readonly top: number | undefined
  readonly count: number | undefined
  readonly arguments: string | undefined
  readonly tools: boolean
  readonly fromExamples: boolean
  readonly task: readonly string[]
}

/** How runs and plans are shown. */
type Shown = {
  readonly probe: Comparing['probe']
  readonly printPlans: (plans: readonly Plan[]) => Promise<ExitCode>
}

/** Runs agents of several ranks, and prints how far the ranking agrees with what they answered. @throws UsageError */
export async function comparedOrder(
  called: { readonly words: readonly string[]; readonly flags: OrderFlags },
  { probe, printPlans }: Shown,
  context: Context,
): Promise<ExitCode> {
  const { flags } = called
  const tasks = tasksOf(called)
  if (flags.dryRun) {
    const probing = await (await context.audition()).probing()
    const plans = []
    for (const task of tasks) plans.push(...(await comparedAgents(task, probing, context)).plans)
    return printPlans(plans)
  }
  const report = await compareOrders(tasks, { ...limitsIn(flags), probe }, context)
  if (flags.json) context.printJson(report)
  else context.print(...orderLines(report, context.terminal.stdout, context.terminal.platform))
  if (report.stopped === 'cancelled') return exitCodes.interrupted
  return report.tasks.every(({ leftOut }) => leftOut !== null) ? exitCodes.failed : exitCodes.done
}

function tasksOf({ words, flags }: Parameters<typeof comparedOrder>[0]) {
  const text = words.join(' ').trim()
  if (!flags.compareOrder) throw new UsageError('--tasks goes with --compare-order.')
  if ((text === '') === (flags.tasks === undefined))
    throw new UsageError('--compare-order takes one task in plain words, or --tasks and a file.')
  const { top, count, arguments: given, tools, fromExamples, task, expect } = flags
  if ([top, count, given].some((one) => one !== undefined) || tools || fromExamples || task.length > 0)
    throw new UsageError(
      '--compare-order goes with --tasks, --expect, --seconds, --budget, --dry-run and --json alone.',
    )
  if (flags.tasks === undefined) return [taskOf(text, { expect })]
  if (expect !== undefined) throw new UsageError('--expect goes with exactly one task.')
  return tasksIn(flags.tasks)
}

/** How far search agrees with what execution showed: task by task, and over all beside a random order and the paper. */
function orderLines(report: OrderReport, output: Output, platform: NodeJS.Platform): readonly string[] {
  const { tasks, comparer, stopped } = report
  const counted = tasks.filter(({ leftOut }) => leftOut === null).length
  return apart([
    ...tasks.map((task) => taskLines(task, output, platform)),
    counted === 0 ? [] : summary(report, counted, output),
    [
      comparer === null
        ? 'Equal grades stay equal: set AUDITION_LLM, and a model compares their answers.'
        : `Answers of equal grades are compared by ${printableLine(comparer)}.`,
      ...(stopped === null ? [] : [`Stopped early (${stopped}).`]),
    ],
  ])
}

function taskLines(
  { task, candidates, leftOut }: OrderedTask,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  const columns = [
    right<OrderedCandidate>('rank', ({ rank }) => rank),
    left<OrderedCandidate>('agent', ({ card }) => card, { paint: output.paint.cyan }),
    right<OrderedCandidate>('grade', ({ grade }) => grade ?? '–'),
    right<OrderedCandidate>('place', ({ place }) => place ?? '–'),
  ]
  return [
    output.paint.bold(printableLine(task)),
    ...tableOf(candidates, output, columns),
    ...candidates.flatMap(({ card, notRun }) =>
      notRun === null
        ? []
        : [`${printableLine(card)} was not run: ${notRunLines(card, notRun, platform).join(' ')}`],
    ),
    ...(leftOut === null ? [] : [output.paint.yellow(`Left out: ${leftOut}.`)]),
  ]
}

function summary(
  { ranked, random, published }: OrderReport,
  counted: number,
  output: Output,
): readonly string[] {
  const said = (value: number): string => value.toFixed(3).replace(/^-(?=0\.000$)/, '')
  const ofSearch = ({ mean, low, high }: Estimate): string =>
    counted < 2 ? said(mean) : `${said(mean)} [${said(low)}, ${said(high)}]`
  return tableOf(orderTitles, output, [
    left(`over ${countOf(counted, 'task')}`, ([, title]) => title),
    right('search', ([name]) => ofSearch(ranked[name])),
    right('random', ([name]) => said(random[name])),
    right('paper', ([name]) => said(published.ranked[name])),
    right('paper, random', ([name]) => said(published.random[name])),
  ])
}
