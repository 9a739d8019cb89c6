import { expect, test } from 'vitest'
import { awaitJob, type Job, jobsOf } from '../../src/server/jobs/jobs.ts'

type Step = { readonly done: number; readonly total: number }

const answer = { text: 'done', structured: {} }

/** A job that has ended and tells these steps to whoever watches. */
const endedJob = (steps: readonly Step[]): Job<Step> => ({
  id: 'a',
  subject: 'x',
  progress: () => steps.at(-1),
  outcome: () => ({ answer }),
  ended: Promise.resolve(),
  watch(onStep) {
    for (const step of steps) onStep(step)
    return () => undefined
  },
  stop: () => undefined,
})

test.each([
  {
    why: 'a step that got nothing done is passed over',
    steps: [
      { done: 0, total: 0 },
      { done: 0, total: 0 },
    ],
    told: [0],
  },
  {
    why: 'the end is told once',
    steps: [
      { done: 0, total: 2 },
      { done: 2, total: 2 },
      { done: 2, total: 2 },
    ],
    told: [0, 2],
  },
  {
    why: 'what counts less than before is not told',
    steps: [
      { done: 3, total: 3 },
      { done: 1, total: 1 },
    ],
    told: [3],
  },
])('progress grows with each message, as the protocol wants: $why', async ({ steps, told }) => {
  const numbers: number[] = []
  const context = { signal: new AbortController().signal, progress: (done: number) => numbers.push(done) }
  const words = { tell: (step: Step) => ({ ...step, message: '' }), running: () => answer }
  expect(await awaitJob(endedJob(steps), words, { waitMs: 1000, context })).toBe(answer)
  expect(numbers).toEqual(told)
})

test('a caller who gave up before the job was under way stops it, and is not waited for', async () => {
  const jobs = jobsOf<Step>({ tool: 'toil', noun: 'toil', smaller: '', again: '' }, 60_000)
  const job = jobs.start('x', ({ signal }) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const words = { tell: (step: Step) => ({ ...step, message: '' }), running: () => answer }
  const awaited = awaitJob(job, words, {
    waitMs: 60_000,
    context: { signal: AbortSignal.abort() },
    gaveUp: 'given up',
  })
  await expect(awaited).rejects.toThrow('given up')
  expect(job.outcome()).toMatchObject({ error: { message: 'given up' } })
})
