import { randomUUID } from 'node:crypto'
import type { Audition } from '../../compose/audition.ts'
import { checkJob, endedWith } from '../jobs/jobs.ts'
import { ApiError, JobRunsError, type ErrorNotice, errorNotice } from './api-error.ts'
import type { ApiJobKind, JobResults, JobSteps } from './job-results.ts'
import { aborted } from '../../domain/bounds.ts'

/** One thing that happened in a job. Numbers rise by one, so that whoever lost the connection asks for what came after. */
export type JobEvent<Kind extends ApiJobKind = ApiJobKind> = {
  readonly number: number
  readonly step: JobSteps[Kind]
}

/** A job as it is told. */
export type JobView<Kind extends ApiJobKind = ApiJobKind> = {
  readonly [One in Kind]: {
    readonly id: string
    readonly kind: One
    readonly subject: string
    /** ISO 8601. */
    readonly startedAt: string
    readonly state: 'running' | 'done' | 'failed' | 'stopped'
    readonly result?: JobResults[One]
    readonly error?: ErrorNotice
  }
}[Kind]

type Work<Kind extends ApiJobKind> = (watch: {
  readonly signal: AbortSignal
  readonly tell: (step: JobSteps[Kind]) => void
}) => Promise<JobResults[Kind]>

type Job = {
  readonly stop: AbortController
  readonly events: JobEvent[]
  view: JobView
  /** Resolves at the next event, and at the end. */
  readonly next: () => Promise<void>
  readonly ended: Promise<void>
}

/** Work that goes on whether or not somebody watches it. */
export type ApiJobs = {
  /** @throws ApiError 409 naming the job of the same kind that runs; compositions and plans may run side by side */
  start<Kind extends ApiJobKind>(kind: Kind, subject: string, work: Work<Kind>): JobView<Kind>
  /** Newest first. */
  list(): readonly JobView[]
  /** @throws ApiError 404 */
  find(id: string): JobView
  /** @throws ApiError 404 */
  stop(id: string): JobView
  /** Events after a number, as they come; ends with the job. @throws ApiError 404 */
  events(id: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent>
}

/** What changes nothing. */
const sideBySide: ReadonlySet<ApiJobKind> = new Set(['compose', 'plan'])

/** Jobs that can still be read, and the events that are kept of each: the first are forgotten. */
const remembered = 50
const mostEvents = 5_000

const jobsByApp = new WeakMap<Audition, ApiJobs>()

/** Every page of one Audition shares its jobs. */
export function apiJobsOf(app: Audition): ApiJobs {
  const known = jobsByApp.get(app) ?? openJobs(app)
  jobsByApp.set(app, known)
  return known
}

function openJobs(app: Audition): ApiJobs {
  const jobs: Job[] = []
  const isRunning = ({ view }: Job): boolean => view.state === 'running'
  const known = (id: string): Job => {
    const job = jobs.find(({ view }) => view.id === id)
    if (job !== undefined) return job
    throw new ApiError(404, 'There is no such job here any more.', 'Start it again: what it did is kept.')
  }
  endedWith(app, () => {
    const running = jobs.filter(isRunning)
    if (running.length === 0) return undefined
    return {
      count: running.length,
      ended: Promise.all(running.map(({ ended }) => ended)).then(() => undefined),
      stop(reason) {
        for (const { stop } of running) stop.abort(reason)
      },
    }
  })
  return {
    start(kind, subject, work) {
      const other = jobs.find((job) => isRunning(job) && job.view.kind === kind)
      if (other !== undefined && !sideBySide.has(kind)) throw new JobRunsError(other.view)
      checkJob(app)
      const job = begin(kind, subject, work)
      jobs.unshift(job)
      jobs.splice(remembered)
      return job.view as ReturnType<ApiJobs['find']> as never
    },
    list: () => jobs.map(({ view }) => view),
    find: (id) => known(id).view,
    stop(id) {
      const job = known(id)
      job.stop.abort(new ApiError(409, 'It was stopped.', 'Start it again to go on.'))
      return job.view
    },
    async *events(id, after, signal) {
      const job = known(id)
      const left = aborted(signal)
      for (let last = after; !signal.aborted; ) {
        const waiting = job.next()
        for (const event of job.events)
          if (event.number > last) {
            yield event
            last = event.number
          }
        if (!isRunning(job)) return
        await Promise.race([waiting, left])
      }
    },
  }
}

function begin<Kind extends ApiJobKind>(kind: Kind, subject: string, work: Work<Kind>): Job {
  const stop = new AbortController()
  const events: JobEvent[] = []
  const waiting = new Set<() => void>()
  const happened = (): void => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  let number = 0
  const tell = (step: JobSteps[Kind]): void => {
    number += 1
    events.push({ number, step })
    if (events.length > mostEvents) events.shift()
    happened()
  }
  const view = { id: randomUUID().slice(0, 8), kind, subject, startedAt: new Date().toISOString() }
  const settle = (rest: Pick<JobView, 'state' | 'error'> & { readonly result?: unknown }): void => {
    job.view = { ...view, ...rest } as JobView
    happened()
  }
  const ended = Promise.resolve()
    .then(() => work({ signal: stop.signal, tell }))
    .then(
      (result) => settle({ state: stop.signal.aborted ? 'stopped' : 'done', result }),
      (error: unknown) =>
        stop.signal.aborted
          ? settle({ state: 'stopped', error: errorNotice(stop.signal.reason).notice })
          : settle({ state: 'failed', error: errorNotice(error).notice }),
    )
  const job: Job = {
    stop,
    events,
    ended,
    view: { ...view, state: 'running' } as JobView,
    next: () => new Promise((resolve) => void waiting.add(resolve)),
  }
  return job
}
