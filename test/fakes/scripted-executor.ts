import type { Card } from '../../src/domain/card.ts'
import type { Execution, ExecutionLimits, Executor, Launch, Task } from '../../src/probing/ports.ts'

/** How a scripted agent behaves on a task: an execution, or fields of one. */
export type Behaviour = (
  task: Task,
  run: { readonly card: Card; readonly limits: ExecutionLimits; readonly signal: AbortSignal },
) => Partial<Execution> | Promise<Partial<Execution>>

/** An executor in this process; counts what it was asked. */
export type ScriptedExecutor = Executor & {
  /** `card: task` of every start, in order. */
  readonly started: string[]
  /** The most executions that were under way at once. */
  readonly busiest: { count: number }
}

/** Runs every card that has an entry. What a behaviour leaves out is an answer that took a second. */
export function scriptedExecutor(
  behaviours: { readonly [card: string]: Behaviour },
  launchOf: (card: Card) => Partial<Launch> | Promise<Partial<Launch>> = () => ({}),
): ScriptedExecutor {
  const started: string[] = []
  const busiest = { count: 0 }
  let underWay = 0
  return {
    name: 'scripted',
    started,
    busiest,
    accepts: ({ id }) => Object.hasOwn(behaviours, id),
    async plan(card) {
      const permit = `command:/bin/${card.name}`
      return { permit, needs: [], display: `/bin/${card.name}`, host: null, ...(await launchOf(card)) }
    },
    async execute(card, task, { limits, signal, onEvent }) {
      started.push(`${card.id}: ${task.text}`)
      underWay += 1
      busiest.count = Math.max(busiest.count, underWay)
      onEvent?.({ at: 0, kind: 'status', text: 'started' })
      try {
        const part = await behaviours[card.id]!(task, { card, limits, signal })
        return {
          ending: 'answered',
          answer: '',
          failure: null,
          transcript: [{ at: 0, kind: 'status', text: 'started' }],
          seconds: 1,
          outputBytes: 10,
          tokens: null,
          cost: null,
          ...part,
        }
      } finally {
        underWay -= 1
      }
    },
  }
}

/** A behaviour that ends only when it is stopped. */
export const hangs: Behaviour = (_, { signal }) =>
  new Promise((resolve) => {
    const stop = () => resolve({ ending: 'cancelled', failure: 'stopped' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
