import { describe, expect, test } from 'vitest'
import type { Card } from '../../src/domain/card.ts'
import { needsLaunch } from '../../src/probing/settings/grants.ts'
import {
  defaultLimits,
  type Execution,
  type ExecutionLimits,
  type Executor,
  RuntimeError,
  type Task,
  type TranscriptEvent,
} from '../../src/probing/ports.ts'

/** How an agent behaves that an executor's tests prepare. */
export type Behaviour =
  /** Answers the task with {@link Subject.answer} among its words. */
  | 'answers'
  /** Says that it failed, or ends without an answer. */
  | 'fails'
  /** Starts, then never says anything more, and does not leave by itself. */
  | 'hangs'
  /** Sends without end: more than 200,000 bytes in any case. */
  | 'floods'
  /** Repeats {@link Subject.secret} in its answer and wherever else it can speak, and answers. */
  | 'tells-secret'
  /** Repeats {@link Subject.secret} wherever it can, and fails. */
  | 'fails-with-secret'

/** An agent that was prepared, and what to ask of it. */
export type Subject = {
  readonly executor: Executor
  readonly card: Card
  readonly task: Task
  /** What the answer holds, where the agent answers. */
  readonly answer?: string
  /** What must stand nowhere, where the agent was given a secret. */
  readonly secret?: string
  /** Processes, connections or requests that the agent still has; `[]` when all are gone. */
  readonly leftovers: () => readonly unknown[] | Promise<readonly unknown[]>
}

/** What an executor's tests give; register clean-up with vitest's `onTestFinished` inside {@link subject}. */
export type ExecutorSetup = {
  /** Prepares an agent of this behaviour. Called inside a test, once or more. */
  subject(behaviour: Behaviour): Promise<Subject>
  /** A card that is of another sort. */
  readonly foreign: Card
  /** A card of the executor's sort that cannot be run as things stand (file gone, entry missing), with its executor. */
  broken(): Promise<{ readonly executor: Executor; readonly card: Card }>
}

/**
 * What every executor promises, run on a real agent per behaviour. Time is not measured here: that an execution ends
 * is held by the test's own limit, how fast by the bench `misbehaving`.
 */
export function executorContract(name: string, setup: ExecutorSetup): void {
  describe(`${name} keeps the contract of an executor`, () => {
    test('tells its own cards from others', async () => {
      const { executor, card } = await setup.subject('answers')
      expect(executor.accepts(card)).toBe(true)
      expect(executor.accepts(setup.foreign)).toBe(false)
    })

    test('plans what it would start, and starts nothing', async () => {
      const { executor, card, leftovers } = await setup.subject('answers')
      const launch = await executor.plan(card)
      expect(launch.permit).toMatch(/^[a-z\d]+:\S/)
      expect(launch.permit).not.toMatch(/[\r\n]/)
      expect(launch.display).not.toBe('')
      expect(await executor.plan(card)).toEqual(launch)
      expect(await leftovers()).toEqual([])
    })

    test('a permit of a program or a file says which launch it stands for, and no other is made', async () => {
      const { executor, card, task, leftovers } = await setup.subject('answers')
      const launch = await executor.plan(card)
      const bound = [launch.permit, ...launch.needs].filter(needsLaunch)
      for (const permit of bound) expect(launch.binds).toHaveProperty([permit, 'digest'])
      const another = {
        ...launch,
        binds: Object.fromEntries(bound.map((permit) => [permit, { place: '', digest: 'other', words: [] }])),
      }
      if (bound.length === 0) return
      const run = { limits: defaultLimits, signal: new AbortController().signal, launch: another }
      await expect(executor.execute(card, task, run)).rejects.toThrow(RuntimeError)
      expect(await leftovers()).toEqual([])
    })

    test('refuses to plan and to run what cannot be run, with a remedy', async () => {
      const { executor, card } = await setup.broken()
      const attempts = [() => executor.plan(card), () => run(executor, card, { text: 'Anything' })]
      for (const attempt of attempts) {
        const error: unknown = await attempt().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(RuntimeError)
        expect((error as RuntimeError).message).not.toBe('')
        expect((error as RuntimeError).remedy).not.toBe('')
      }
    })

    test('gives the answer of an agent that answers, and the events as they came', async () => {
      const subject = await setup.subject('answers')
      const told: TranscriptEvent[] = []
      const execution = await run(subject.executor, subject.card, subject.task, {
        onEvent: (event) => told.push(event),
      })
      expect(execution).toMatchObject({ ending: 'answered', failure: null })
      expect(execution.answer).toContain(subject.answer)
      expect(execution.outputBytes).toBeGreaterThan(0)
      expect(told).toEqual(execution.transcript)
      await isSound(execution, subject)
    })

    test('gives the same to a second run', async () => {
      const { executor, card, task, answer } = await setup.subject('answers')
      const [one, other] = await Promise.all([run(executor, card, task), run(executor, card, task)])
      expect([one.ending, other.ending]).toEqual(['answered', 'answered'])
      expect([one.answer, other.answer]).toEqual([
        expect.stringContaining(answer!),
        expect.stringContaining(answer!),
      ])
    })

    test('takes the failure of an agent as an ending, and says why', async () => {
      const subject = await setup.subject('fails')
      const execution = await run(subject.executor, subject.card, subject.task)
      expect(execution.ending).toBe('failed')
      expect(execution.failure).not.toBe('')
      expect(execution.failure).not.toBeNull()
      await isSound(execution, subject)
    })

    test('stops an agent that hangs at its limit of seconds', async () => {
      const subject = await setup.subject('hangs')
      const execution = await run(subject.executor, subject.card, subject.task, {
        limits: { seconds: 1 },
      })
      expect(execution).toMatchObject({ ending: 'limit', answer: '' })
      expect(execution.failure).toMatch(/\b1 s/)
      await isSound(execution, subject)
    })

    test('stops an agent that floods at its limit of bytes, and keeps no more than that', async () => {
      const subject = await setup.subject('floods')
      const outputBytes = 100_000
      const execution = await run(subject.executor, subject.card, subject.task, { limits: { outputBytes } })
      expect(execution.ending).toBe('limit')
      expect(execution.failure).toContain('bytes')
      expect(execution.outputBytes).toBeGreaterThan(outputBytes)
      expect(JSON.stringify(execution).length).toBeLessThan(3 * outputBytes)
      await isSound(execution, subject)
    })

    test('stops when the caller says so', async () => {
      const subject = await setup.subject('hangs')
      const controller = new AbortController()
      const execution = run(subject.executor, subject.card, subject.task, { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 300)
      expect(await execution).toMatchObject({ ending: 'cancelled', answer: '' })
      await isSound(await execution, subject)
    })

    test('starts nothing when the caller has stopped already', async () => {
      const subject = await setup.subject('hangs')
      const signal = AbortSignal.abort(new Error('too late'))
      const execution = await run(subject.executor, subject.card, subject.task, { signal })
      expect(execution).toMatchObject({ ending: 'cancelled', answer: '', outputBytes: 0 })
      await isSound(execution, subject)
    })

    test.each(['tells-secret', 'fails-with-secret'] as const)(
      'masks what it knows to be secret (%s)',
      async (behaviour) => {
        const subject = await setup.subject(behaviour)
        const { executor, card, task, secret } = subject
        const told: TranscriptEvent[] = []
        const execution = await run(executor, card, task, { onEvent: (event) => told.push(event) })
        expect(execution.ending).toBe(behaviour === 'tells-secret' ? 'answered' : 'failed')
        const texts = JSON.stringify([execution, told, await executor.plan(card)])
        expect(secret).toBeDefined()
        expect(texts).not.toContain(secret)
        expect(texts).toContain('***')
        await isSound(execution, subject)
      },
    )
  })
}

/** Runs with time to spare, unless the test says otherwise. */
const run = (
  executor: Executor,
  card: Card,
  task: Task,
  options: {
    readonly limits?: Partial<ExecutionLimits>
    readonly signal?: AbortSignal
    readonly onEvent?: (event: TranscriptEvent) => void
  } = {},
): Promise<Execution> =>
  executor.execute(card, task, {
    limits: { ...defaultLimits, ...options.limits },
    signal: options.signal ?? new AbortController().signal,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  })

/** Holds of every execution, however it ended. */
async function isSound(execution: Execution, { leftovers }: Subject): Promise<void> {
  const times = execution.transcript.map(({ at }) => at)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.every((at) => at >= 0 && at <= execution.seconds)).toBe(true)
  expect((execution.failure === null) === (execution.ending === 'answered')).toBe(true)
  expect(JSON.parse(JSON.stringify(execution))).toEqual(execution)
  expect(await leftovers()).toEqual([])
}
