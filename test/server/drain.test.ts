import { expect, test } from 'vitest'
import { drained, runningRequests } from '../../src/server/jobs/drain.ts'
import { type Job, sharedJobs } from '../../src/server/jobs/jobs.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'

const kind = { tool: 'toil', noun: 'toil', smaller: '', again: '' }
const answer = { text: 'done', structured: {} }

/** An app with a job that ends when told to, or when it is stopped. */
function toiling() {
  const app = fakeAudition([])
  let finish = (): void => undefined
  let stopped: unknown
  const job: Job<never> = sharedJobs<never>(
    kind,
    60_000,
  )(app).start('work', ({ signal }) => {
    return new Promise((resolve, reject) => {
      finish = () => resolve(answer)
      signal.addEventListener('abort', () => {
        stopped = signal.reason
        reject(new Error('stopped'))
      })
    })
  })
  return { app, job, finish: () => finish(), stopped: () => stopped }
}

const never = new AbortController().signal

test('the end waits for requests that run, and for jobs that no request waits for', async () => {
  const { app, job, finish, stopped } = toiling()
  const running = runningRequests<string>()
  running.add('request')
  let isOver = false
  const over = drained(running, app, never).then(() => {
    isOver = true
  })
  finish()
  await job.ended
  expect(isOver).toBe(false)
  running.remove('request')
  await over
  expect({ outcome: job.outcome(), stopped: stopped() }).toEqual({ outcome: { answer }, stopped: undefined })
})

test('at the deadline jobs are stopped, told why, and waited for', async () => {
  const { app, job, stopped } = toiling()
  const deadline = new AbortController()
  const over = drained(runningRequests(), app, deadline.signal)
  await Promise.resolve()
  expect(job.outcome()).toBe(undefined)
  deadline.abort()
  await over
  expect(stopped()).toMatchObject({ message: 'The server is stopping. Start it again to go on.' })
  expect(job.outcome()).toMatchObject({ error: stopped() })
})

test('a request that does not end is not waited for beyond the deadline', async () => {
  const running = runningRequests<string>()
  running.add('stuck')
  await drained(running, fakeAudition([]), AbortSignal.abort())
})

test('nothing that runs means no wait, and what ended twice counts once', async () => {
  const running = runningRequests<number>()
  running.add(1)
  running.add(2)
  running.remove(1)
  running.remove(1)
  let isOver = false
  const over = running.ended().then(() => {
    isOver = true
  })
  await Promise.resolve()
  expect(isOver).toBe(false)
  running.remove(2)
  await over
  await running.ended()
})
