import type { Plan } from '../../probing/run/probing.ts'
import { budgetOf } from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes, UsageError } from '../errors.ts'
import { comparedAgents, compareOrders, type Comparing, tasksIn } from './compare-order.ts'

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
  const limits = flags.seconds === undefined ? {} : { seconds: flags.seconds }
  const report = await compareOrders(tasks, { limits, budget: budgetOf(flags.budget), probe }, context)
  if (flags.json) context.printJson(report)
  else {
    const { orderLines } = await import('../render/order-lines.ts')
    context.print(...orderLines(report, context.terminal.stdout, context.terminal.platform))
  }
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
  if (flags.tasks === undefined)
    return [
      { text, ...(expect === undefined ? {} : { reference: { kind: 'states' as const, text: expect } }) },
    ]
  if (expect !== undefined) throw new UsageError('--expect goes with exactly one task.')
  return tasksIn(flags.tasks)
}
