import type { EvaluationProgress } from '../../evaluation/evaluation-settings.ts'
import type { JobWords } from './await-job.ts'
import type { Job, JobKind } from './jobs.ts'

/** An evaluation that goes on while calls come and go. */
export type EvaluationJob = Job<EvaluationProgress>

/** How evaluations are called in messages. */
export const evaluationJobKind: JobKind = {
  tool: 'evaluate',
  noun: 'evaluation',
  smaller: 'Call evaluate again with a smaller limit.',
  again: 'Call evaluate with a dataset to run it again; what was finished is kept.',
}

/** How an evaluation is told of while it runs. */
export const evaluationWords: JobWords<EvaluationProgress> = {
  tell: ({ part, done, total }) => ({ done, total, message: `${part}: ${done} of ${total} queries` }),
  running(job) {
    const { done = 0, total = 0, secondsLeft = null } = job.progress() ?? {}
    const next = `Call evaluate ${JSON.stringify({ run_id: job.id })} to wait for it.`
    return {
      text: `Running: ${done} of ${total} queries of ${job.subject}. ${next}`,
      structured: {
        state: 'running',
        run_id: job.id,
        dataset: job.subject,
        done,
        total,
        ...(secondsLeft === null ? {} : { seconds_left: Math.ceil(secondsLeft) }),
        next,
      },
    }
  },
}
