import type { Card } from '../../domain/card.ts'
import type { Task } from '../ports.ts'
import type { NotRun } from './probe-report.ts'

/** What of some tasks a card can be asked, and why it is not run when that is none. */
export function askableTasks(
  card: Card,
  tasks: readonly Task[],
): { readonly tasks: readonly Task[]; readonly notRun: NotRun | null } {
  const askable = card.kind === 'tool' ? tasks.filter(isCallOf(card.parameters)) : tasks
  if (askable.length > 0) return { tasks: askable, notRun: null }
  return { tasks: [], notRun: tasks.length > 0 ? noArguments : noTask(card) }
}

/** A tool is called with arguments: what has none, where some are required, is no task for it. */
const isCallOf =
  (parameters: readonly { readonly required: boolean }[]) =>
  (task: Task): boolean =>
    task.arguments !== undefined || !parameters.some(({ required }) => required)

const noArguments: NotRun = {
  kind: 'arguments',
  message: 'it is a tool, which is called with arguments, and the task has none',
  remedy: 'Give the task "arguments" that fit the input schema; `describe` shows it.',
}

const noTask = (card: Card): NotRun => ({
  kind: 'no-task',
  message: 'it brings no task to be tried with',
  remedy: card.kind === 'tool' ? 'Give a task, and the arguments of a call.' : 'Give a task.',
})
