import { randomUUID } from 'node:crypto'
import type { EvaluationProgress } from '../evaluation/evaluation-settings.ts'
import { Mistake } from './mistakes.ts'
import type { ToolAnswer } from './tool.ts'

/** An evaluation that goes on while calls come and go. */
export type EvaluationJob = {
  /** The handle by which later calls read it. */
  readonly id: string
  readonly dataset: string
  /** How far it is; undefined until it begins to search. */
  progress(): EvaluationProgress | undefined
  /** What came out, or undefined while it runs. */
  outcome(): { readonly answer: ToolAnswer } | { readonly error: unknown } | undefined
  /** Settles when it ends, however it ends. */
  readonly ended: Promise<void>
  /** Tells how far it is, now and at every step, until the returned function is called. */
  watch(onProgress: (progress: EvaluationProgress) => void): () => void
  /** @param reason - becomes its error */
  stop(reason: Error): void
}

/** What a job does; it must obey the signal. */
export type JobWork = (watch: {
  readonly signal: AbortSignal
  readonly onProgress: (progress: EvaluationProgress) => void
}) => Promise<ToolAnswer>

/** The evaluations of one process, one at a time: two would slow each other and every search. */
export type EvaluationJobs = {
  /** @throws Mistake naming the job that runs, when one does */
  start(dataset: string, work: JobWork): EvaluationJob
  find(id: string): EvaluationJob | undefined
}

/** Ended jobs that can still be read. */
const remembered = 20

/** @param longestMs - after which a job is stopped */
export function evaluationJobs(longestMs: number): EvaluationJobs {
  const jobs: EvaluationJob[] = []
  return {
    find: (id) => jobs.find((job) => job.id === id),
    start(dataset, work) {
      const running = jobs.find((job) => job.outcome() === undefined)
      if (running !== undefined) {
        throw new Mistake(
          `An evaluation of ${running.dataset} is running, and one runs at a time. Call evaluate ` +
            `${JSON.stringify({ run_id: running.id })} to wait for it.`,
        )
      }
      const job = startJob(dataset, work, longestMs)
      jobs.push(job)
      if (jobs.length > remembered) jobs.shift()
      return job
    },
  }
}

function startJob(dataset: string, work: JobWork, longestMs: number): EvaluationJob {
  const stopping = new AbortController()
  const watchers = new Set<(progress: EvaluationProgress) => void>()
  let progress: EvaluationProgress | undefined
  let outcome: ReturnType<EvaluationJob['outcome']>
  const tooLong = new Mistake(
    `The evaluation of ${dataset} took longer than ${longestMs / 1000} seconds and was stopped. ` +
      'Call evaluate again with a smaller limit.',
  )
  const timer = setTimeout(() => stopping.abort(tooLong), longestMs)
  timer.unref()
  const onProgress = (now: EvaluationProgress): void => {
    progress = now
    for (const watcher of watchers) watcher(now)
  }
  const ended = work({ signal: stopping.signal, onProgress })
    .then(
      (answer) => {
        outcome = { answer }
      },
      (error: unknown) => {
        outcome = { error: stopping.signal.aborted ? stopping.signal.reason : error }
      },
    )
    .finally(() => clearTimeout(timer))
  return {
    id: randomUUID().slice(0, 8),
    dataset,
    progress: () => progress,
    outcome: () => outcome,
    ended,
    watch(onStep) {
      if (progress !== undefined) onStep(progress)
      watchers.add(onStep)
      return () => watchers.delete(onStep)
    },
    stop: (reason) => stopping.abort(reason),
  }
}
