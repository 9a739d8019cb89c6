import type { Card } from '../../domain/card.ts'
import type { ProbeWriter, Task } from '../ports.ts'
import type { KeptProbes } from '../record/kept-probes.ts'
import { ProbingError, type TaskChoice } from './probing.ts'

/** Where tasks are had from. */
export type TaskSources = {
  /** Null when no language model is configured. */
  readonly openWriter: () => Promise<ProbeWriter | null>
  readonly keptProbes: KeptProbes
  /** Tasks that a card brings, at most so many. */
  readonly ownTasks: (card: Card, count: number) => Promise<readonly Task[]>
}

/**
 * The tasks of each of these cards, as they were chosen.
 *
 * @throws ProbingError when tasks are to be written and no language model is configured
 */
export async function chosenTasks(
  choice: TaskChoice,
  { cards, signal }: { readonly cards: readonly Card[]; readonly signal: AbortSignal | undefined },
  sources: TaskSources,
): Promise<(card: Card) => Promise<readonly Task[]>> {
  switch (choice.kind) {
    case 'own':
      return (card) => sources.ownTasks(card, choice.count)
    case 'given':
      return async () => choice.tasks
    case 'written': {
      const tasks = (await writtenFor(choice, { cards, signal }, sources)).map((text) => ({ text }))
      return async () => tasks
    }
  }
}

/** Tasks that told candidates apart before, then new ones. */
async function writtenFor(
  { goal, count }: Extract<TaskChoice, { readonly kind: 'written' }>,
  { cards, signal }: { readonly cards: readonly Card[]; readonly signal: AbortSignal | undefined },
  { keptProbes, openWriter }: TaskSources,
): Promise<readonly string[]> {
  const kept = (await keptProbes.of(goal)).slice(0, count)
  if (kept.length === count) return kept
  const writer = await openWriter()
  if (writer === null && kept.length > 0) return kept
  if (writer === null) throw noWriter()
  const fresh = await writer.write({ goal, candidates: cards, count: count - kept.length }, signal)
  return [...new Set([...kept, ...fresh])].slice(0, count)
}

const noWriter = (): ProbingError =>
  new ProbingError(
    'Tasks for a goal are written by a language model, and none is configured.',
    'Give a task, or name a model in AUDITION_LLM.',
  )
