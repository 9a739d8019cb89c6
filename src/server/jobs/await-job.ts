import { RemedyError } from '../../domain/remedy-error.ts'
import { withRemedy } from '../../domain/with-remedy.ts'
import type { Job } from './jobs.ts'
import { withoutPaths } from '../answers/machine-paths.ts'
import { Mistake } from '../tools/mistakes.ts'
import type { ToolAnswer, ToolContext } from '../tools/tool.ts'

/** Least time between two progress messages, in milliseconds. */
const progressEveryMs = 250

/** How a kind of job is told of. */
export type JobWords<Progress> = {
  /** For a caller who asked to be told. */
  tell(progress: Progress): { readonly done: number; readonly total: number; readonly message: string }
  /** What is answered when the wait is over and the job is not. */
  running(job: Job<Progress>): ToolAnswer
}

/** Waits for a job, but not for ever; when its time is up, the answer says how to ask again. */
export async function awaitJob<Progress>(
  job: Job<Progress>,
  waitMs: number,
  context: ToolContext,
  words: JobWords<Progress>,
): Promise<ToolAnswer> {
  const stopTelling = tellProgress(job, context, words)
  try {
    await firstOf(job.ended, waitMs, context.signal)
  } finally {
    stopTelling()
  }
  const outcome = job.outcome()
  if (outcome === undefined) return words.running(job)
  if ('answer' in outcome) return outcome.answer
  throw toMistake(outcome.error)
}

/** The same for the caller who started it: when that one gives up, the job stops. */
export async function awaitOwnJob<Progress>(
  job: Job<Progress>,
  waitMs: number,
  context: ToolContext,
  words: JobWords<Progress>,
  reason: string,
): Promise<ToolAnswer> {
  const giveUp = (): void => job.stop(new Mistake(reason))
  if (context.signal.aborted) giveUp()
  context.signal.addEventListener('abort', giveUp)
  try {
    return await awaitJob(job, waitMs, context, words)
  } finally {
    context.signal.removeEventListener('abort', giveUp)
  }
}

function tellProgress<Progress>(
  job: Job<Progress>,
  { progress }: ToolContext,
  { tell }: JobWords<Progress>,
): () => void {
  if (progress === undefined) return () => undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let toldDone = Number.NEGATIVE_INFINITY
  return job.watch((step) => {
    const { done, total, message } = tell(step)
    if (done <= toldDone) return // the protocol wants a number that grows
    const now = performance.now()
    if (done < total && now - toldAt < progressEveryMs) return
    toldAt = now
    toldDone = done
    progress(done, total, message)
  })
}

/** Resolves when the job ends, the time is up or the caller gives up, whichever comes first. */
function firstOf(ended: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, waitMs)
    if (signal.aborted) finish()
    signal.addEventListener('abort', finish)
    ended.then(finish, finish)
  })
}

/** Errors that name their remedy are no accidents: they are told in full, without the paths of this machine. */
function toMistake(error: unknown): unknown {
  if (!RemedyError.isInstance(error)) return error
  return new Mistake(withoutPaths(withRemedy(error.message, error.remedy)), { cause: error })
}
