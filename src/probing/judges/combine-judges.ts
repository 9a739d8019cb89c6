import type { Verdict } from '../../domain/outcome.ts'
import type { Execution, Judge, Task } from '../ports.ts'

/** Who grades, in order of trust. */
type Judges = {
  /** Decides where the task has a reference. */
  readonly reference: Judge
  /** A model; null when none is configured. Costs money. */
  readonly model: Judge | null
}

/** Grades an execution, or leaves it as executed and not graded. */
export type JudgePanel = {
  /** What may stand with verdicts, for reports: `reference, llm:<spec>`. */
  readonly name: string
  /** Null: executed, not graded. */
  judge(task: Task, execution: Execution, signal?: AbortSignal): Promise<Verdict | null>
}

/** Stands with verdicts that need no judge. */
export const byExecution = 'execution'

/**
 * One verdict of several judges. What failed, ran into a limit, or answered nothing has grade 1 by `execution`: no judge is asked. What
 * the caller stopped has no verdict, since it says nothing of the candidate. Then the reference decides where there is one that can be
 * used, then the model, else null. A reference that cannot be used leaves the grade to the model; without one its refusal stands.
 */
export function combineJudges({ reference, model }: Judges): JudgePanel {
  return {
    name: model === null ? reference.name : `${reference.name}, ${model.name}`,
    async judge(task, execution, signal) {
      if (execution.ending === 'cancelled') return null
      if (execution.ending !== 'answered') {
        const what = execution.ending === 'limit' ? 'stopped at a limit' : 'failed'
        return {
          grade: 1,
          reason: `The execution ${what}: ${execution.failure ?? 'no reason given'}`,
          judge: byExecution,
        }
      }
      if (execution.answer.trim() === '' && execution.structured === undefined) {
        return { grade: 1, reason: 'The execution ended without an answer.', judge: byExecution }
      }
      const decided = task.reference === undefined ? null : await reference.judge(task, execution, signal)
      if (decided !== null && 'grade' in decided) return decided
      return model === null ? decided : model.judge(task, execution, signal)
    },
  }
}
