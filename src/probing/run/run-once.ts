import type { Card } from '../../domain/card.ts'
import { conclude, execute, type ExecutionDependencies } from './execute-once.ts'
import type { ExecutionLimits, Task, TranscriptEvent } from '../ports.ts'
import type { RunReport } from './probing.ts'

/**
 * Runs a card once for its answer. Where there is a record, the run is judged and recorded like a probe, as a `run`;
 * one that its caller stopped is not.
 */
export async function runOnce(
  request: {
    readonly card: Card
    readonly task: Task
    readonly limits: ExecutionLimits
    readonly signal: AbortSignal
    readonly onEvent: (event: TranscriptEvent) => void
  },
  dependencies: ExecutionDependencies,
): Promise<RunReport> {
  const turn = { ...request, origin: 'run', pacing: atOnce, onStart: () => {} } as const
  const end = await execute(turn, dependencies)
  if (end.kind !== 'ran') return end
  const { execution } = end
  const isStopped = execution.ending === 'cancelled' && request.signal.aborted
  if (dependencies.record === null || isStopped) return { kind: 'ran', execution, recorded: null }
  const { outcome } = await conclude(turn, end, dependencies)
  return { kind: 'ran', execution, recorded: outcome.id }
}

const atOnce = async (): Promise<void> => {}
