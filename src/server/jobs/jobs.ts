import { randomUUID } from 'node:crypto'
import type { Audition } from '../../compose/audition.ts'
import { RemedyError, withRemedy } from '../../domain/remedy-error.ts'
import { quoted, withoutPaths } from '../text.ts'
import { Mistake } from '../mistakes.ts'
import type { ServedAnswer, ToolContext } from '../tool.ts'

/** Work that goes on while calls come and go. */
export type Job<Progress> = {
  /** The handle by which later calls read it. */
  readonly id: string
  /** What it works on, for people. */
  readonly subject: string
  /** How far it is; undefined until it tells. */
  progress(): Progress | undefined
  /** What came out, or undefined while it runs. */
  outcome(): { readonly answer: ServedAnswer } | { readonly error: unknown } | undefined
  /** Settles when it ends, however it ends. */
  readonly ended: Promise<void>
  /** Tells how far it is, now and at every step, until the returned function is called. */
  watch(onProgress: (progress: Progress) => void): () => void
  /** @param reason - becomes its error */
  stop(reason: Error): void
}

/** What a job does; it must obey the signal. */
type JobWork<Progress> = (watch: {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}) => Promise<ServedAnswer>

/** Jobs of one kind in one process, one at a time: two would slow each other and every search. */
type Jobs<Progress> = {
  /** @throws Mistake naming the job that runs, when one does */
  start(subject: string, work: JobWork<Progress>): Job<Progress>
  /** @throws Mistake when none has this handle */
  find(id: string): Job<Progress>
  /** The one that runs, if any. */
  running(): Job<Progress> | undefined
}

/** What jobs are called in messages. */
export type JobKind = {
  /** The tool that starts and reads them. */
  readonly tool: string
  /** With its article's vowel in mind: `evaluation`, `probe`. */
  readonly noun: string
  /** What becomes of the next call after one that took too long. */
  readonly smaller: string
  /** What to do about a handle that is not known. */
  readonly again: string
}

/** Ended jobs that can still be read. */
const remembered = 20

/**
 * @param longestMs - after which a job is stopped
 * @param check - throws when no more may start now
 */
export function jobsOf<Progress>(
  kind: JobKind,
  longestMs: number,
  check: () => void = () => undefined,
): Jobs<Progress> {
  const jobs: Job<Progress>[] = []
  const article = /^[aeiou]/.test(kind.noun) ? 'An' : 'A'
  const findRunning = () => jobs.find((job) => job.outcome() === undefined)
  return {
    running: findRunning,
    find(id) {
      const job = jobs.find((one) => one.id === id)
      if (job !== undefined) return job
      throw new Mistake(
        `No ${kind.noun} has the run_id ${quoted(id)}: it is of another session, or long gone. ${kind.again}`,
      )
    },
    start(subject, work) {
      const running = findRunning()
      if (running !== undefined) {
        throw new Mistake(
          `${article} ${kind.noun} of ${running.subject} is running, and one runs at a time. Call ${kind.tool} ` +
            `${JSON.stringify({ run_id: running.id })} to wait for it, or with "stop": true to end it.`,
        )
      }
      check()
      const tooLong = new Mistake(
        `The ${kind.noun} of ${subject} took longer than ${longestMs / 1000} seconds and was stopped. ${kind.smaller}`,
      )
      const job = startJob(subject, work, { ms: longestMs, reason: tooLong })
      jobs.push(job)
      if (jobs.length > remembered) jobs.shift()
      return job
    },
  }
}

/**
 * The job that a call names by its handle, told to stop when the call says so; null when it names none.
 *
 * @throws Mistake when none has this handle, or none is named to stop
 */
export function knownJob<Progress>(
  jobs: Jobs<Progress>,
  { run_id, stop }: { readonly run_id?: string | undefined; readonly stop?: boolean | undefined },
): Job<Progress> | null {
  if (run_id === undefined) {
    if (stop === true) throw new Mistake('"stop" goes with "run_id": say which run is to end.')
    return null
  }
  const job = jobs.find(run_id)
  if (stop === true) job.stop(new Mistake('It was stopped, as a call asked.'))
  return job
}

/** Every server over one Audition shares its jobs: over HTTP there is a server per request. */
export function sharedJobs<Progress>(kind: JobKind, longestMs: number): (app: Audition) => Jobs<Progress> {
  const byApp = new WeakMap<Audition, Jobs<Progress>>()
  return (app) => {
    const known = byApp.get(app)
    if (known !== undefined) return known
    const jobs = jobsOf<Progress>(kind, longestMs, () => checkJob(app))
    byApp.set(app, jobs)
    endedWith(app, jobs.running)
    return jobs
  }
}

/** Per app, what refuses one more job. */
const checks = new WeakMap<Audition, () => void>()

/** @param check - throws a Mistake when no more jobs may start over this app now */
export const checkedBeforeJobs = (app: Audition, check: () => void): void => void checks.set(app, check)

/** @throws Mistake when no more jobs may start over this app now */
export const checkJob = (app: Audition): void => checks.get(app)?.()

/** One that runs, or several that end together. */
type RunningJob = () => (Pick<Job<never>, 'ended' | 'stop'> & { readonly count?: number }) | undefined

/** Per app, what tells the running job of each kind. */
const kindsByApp = new WeakMap<Audition, readonly RunningJob[]>()

/** Has the job that runs come to its end before the app is closed. */
export const endedWith = (app: Audition, running: RunningJob): void =>
  void kindsByApp.set(app, [...(kindsByApp.get(app) ?? []), running])

/** Per app, work that counts as a job while a call waits for it. */
const awaited = new WeakMap<Audition, number>()

/** Does work that takes what a job takes, within one call. @throws Mistake when no more may start over this app now */
export async function countedAsJob<T>(app: Audition, work: () => Promise<T>): Promise<T> {
  checkJob(app)
  const add = (count: number) => awaited.set(app, (awaited.get(app) ?? 0) + count)
  add(1)
  try {
    return await work()
  } finally {
    add(-1)
  }
}

/** Jobs of all kinds that run over this app. */
export const countJobs = (app: Audition): number =>
  (kindsByApp.get(app) ?? []).reduce((sum, runningOf) => {
    const running = runningOf()
    return sum + (running === undefined ? 0 : (running.count ?? 1))
  }, awaited.get(app) ?? 0)

/** Resolves when no job over this app runs any more. Those that still do at the deadline are stopped. */
export async function endJobs(app: Audition, deadline: AbortSignal): Promise<void> {
  const running = (kindsByApp.get(app) ?? []).flatMap((runningOf) => runningOf() ?? [])
  const stop = (): void => {
    for (const job of running) job.stop(new Mistake('The server is stopping. Start it again to go on.'))
  }
  if (deadline.aborted) stop()
  else deadline.addEventListener('abort', stop, { once: true })
  await Promise.all(running.map(({ ended }) => ended))
  deadline.removeEventListener('abort', stop)
}

function startJob<Progress>(
  subject: string,
  work: JobWork<Progress>,
  most: { readonly ms: number; readonly reason: Mistake },
): Job<Progress> {
  const stopping = new AbortController()
  const watchers = new Set<(progress: Progress) => void>()
  let progress: Progress | undefined
  let outcome: ReturnType<Job<Progress>['outcome']>
  const timer = setTimeout(() => stopping.abort(most.reason), most.ms)
  timer.unref()
  const onProgress = (now: Progress): void => {
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
    subject,
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

/** Least time between two progress messages, in milliseconds. */
const progressEveryMs = 250

/** How a kind of job is told of. */
export type JobWords<Progress> = {
  /** For a caller who asked to be told. */
  tell(progress: Progress): { readonly done: number; readonly total: number; readonly message: string }
  /** What is answered when the wait is over and the job is not. */
  running(job: Job<Progress>): ServedAnswer
}

/** How long a caller waits, and what it means that one gives up. */
type Wait = {
  readonly waitMs: number
  readonly context: ToolContext
  /** For the caller who started it: when that one gives up, the job stops, for this reason. */
  readonly gaveUp?: string
}

/** Waits for a job, but not for ever; when its time is up, the answer says how to ask again. */
export async function awaitJob<Progress>(
  job: Job<Progress>,
  words: JobWords<Progress>,
  { waitMs, context, gaveUp }: Wait,
): Promise<ServedAnswer> {
  const { signal } = context
  const giveUp = (): void => {
    if (gaveUp !== undefined) job.stop(new Mistake(gaveUp))
  }
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  const stopTelling = tellProgress(job, context, words)
  try {
    await firstOf(job.ended, waitMs, signal)
  } finally {
    stopTelling()
    signal.removeEventListener('abort', giveUp)
  }
  const outcome = job.outcome()
  if (outcome === undefined) return words.running(job)
  if ('answer' in outcome) return outcome.answer
  throw toMistake(outcome.error)
}

function tellProgress<Progress>(
  job: Job<Progress>,
  { progress }: ToolContext,
  { tell }: JobWords<Progress>,
): () => void {
  if (progress === undefined) return () => undefined
  let reportedAt = Number.NEGATIVE_INFINITY
  let reportedDone = Number.NEGATIVE_INFINITY
  return job.watch((step) => {
    const { done, total, message } = tell(step)
    if (done <= reportedDone) return // the protocol wants a number that grows
    const now = performance.now()
    if (done < total && now - reportedAt < progressEveryMs) return
    reportedAt = now
    reportedDone = done
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
