import type { Card } from '../../domain/card.ts'
import type { Task } from '../ports.ts'
import { type ToolTaskOptions, toolTasks } from './tool-tasks.ts'

/** Longest example that is taken as a task, in characters. */
const longestExample = 4000

/**
 * Tasks that a card itself brings: its example requests for an agent, which have no reference; for a tool calls that its schema admits
 * (see {@link toolTasks}), since an example in words is no call. The same card gives the same tasks.
 *
 * @param count - tasks wanted; fewer may come
 */
export function tasksOfCard(card: Card, count: number, options: ToolTaskOptions = {}): readonly Task[] {
  if (card.kind === 'tool') return toolTasks(card, count, options)
  const examples = new Set(card.examples.map((example) => example.trim()))
  return [...examples]
    .filter((example) => example !== '' && example.length <= longestExample)
    .slice(0, count)
    .map((text) => ({ text }))
}
