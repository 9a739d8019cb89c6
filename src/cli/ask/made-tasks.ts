import type { Card } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Task } from '../../probing/ports.ts'
import type { Budget } from '../../probing/run/budget.ts'
import type { AskedOfWriter } from '../../tasks/desk.ts'
import { tasksView } from '../progress.ts'
import { dropLines } from '../render/tasks-lines.ts'
import type { Context } from '../context.ts'
import { agreeToAsk } from './agree-to-ask.ts'
import { inOwnOrder } from './audition-tasks.ts'

/** Tasks of a job, and what is left of the budget. */
type Made = {
  readonly tasks: { readonly kind: 'given'; readonly tasks: readonly Task[] }
  readonly budget: Partial<Budget>
  /** What the writing took. */
  readonly asked: AskedOfWriter
}

/** Fewer tell nobody apart. */
const leastTasks = 2

/**
 * Has the configured model write tasks of a job for its candidates, as `audition tasks make` does: self-contained, naming none of them, each
 * answer kept. It is asked when the person agrees to what it takes, which comes out of the budget.
 *
 * @returns null when it was stopped by hand
 * @throws NotAgreedToAskError; RemedyError without a model, or when too few tasks came of it
 */
export async function madeTasks(
  { job, cards, count }: { readonly job: string; readonly cards: readonly Card[]; readonly count: number },
  { budget, isAgreed }: { readonly budget: Partial<Budget>; readonly isAgreed: boolean },
  context: Context,
): Promise<Made | null> {
  const { terminal, signal, log, env } = context
  if ((env.AUDITION_LLM?.trim() ?? '') === '')
    throw new RemedyError(
      'Tasks are written by a language model, and none is configured.',
      'Set AUDITION_LLM, for example AUDITION_LLM=ollama:qwen3:8b, or give --tasks and a file.',
    )
  const view = tasksView(terminal.stderr)
  const made = await (await context.audition())
    .makeTasks({
      contest: { job, candidates: cards.map(({ id }) => id) },
      ...{ count, budget, signal, onProgress: (progress) => view.show(progress) },
      agree: agreeToAsk(isAgreed, context),
    })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      return null
    })
    .finally(() => view.stop())
  if (made === null) {
    log('Stopped while tasks were written; nothing was run. The same command goes on where it was.')
    return null
  }
  const { tasks, report } = made
  const { asked, drops, stopped } = report
  const why = stopped === undefined ? '' : ` Stopped early: ${printableLine(stopped)}`
  log(`${countOf(tasks.length, 'task')} made, ${drops.length} dropped.${why}`, ...dropLines(report))
  if (tasks.length < leastTasks)
    throw new RemedyError(
      `The model made ${countOf(tasks.length, 'task')} of ${count}; the last fault: ${drops.at(-1)?.why ?? stopped ?? 'none'}.`,
      'The same command goes on where it was; say the job in more words, or give --tasks and a file.',
    )
  const left = (of: number | null | undefined, used = 0) =>
    of === undefined || of === null ? of : Math.max(0, of - used)
  const rest = {
    tokens: left(budget.tokens, asked.tokens.input + asked.tokens.output),
    cost: left(budget.cost, asked.cost),
    seconds: left(budget.seconds, asked.seconds),
  }
  return {
    asked,
    // What a model holds right is a good answer to show to the judge, and no text that an answer has to state.
    tasks: {
      kind: 'given',
      tasks: inOwnOrder(
        tasks.map(({ query, expect }) => ({ text: query, ...(expect ? { golden: expect } : {}) })),
      ),
    },
    budget: Object.fromEntries(Object.entries(rest).filter(([, amount]) => amount !== undefined)),
  }
}
