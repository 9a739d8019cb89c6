import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentHash } from '../../src/catalog/identity.ts'
import { allowList } from '../../src/probing/settings/grants.ts'
import type { Budget } from '../../src/probing/budget.ts'
import { combineJudges } from '../../src/probing/judges/combine-judges.ts'
import { referenceJudge } from '../../src/probing/judges/reference-judge.ts'
import { defaultLimits, type Executor, type Judge, RuntimeError, type Task } from '../../src/probing/ports.ts'
import {
  probe,
  type ProbeDependencies,
  type ProbeEvent,
  type ProbeRequest,
} from '../../src/probing/run/probe.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { memoryRecord } from '../fakes/memory-record.ts'
import { hangs, scriptedExecutor } from '../fakes/scripted-executor.ts'

const a = agentCard('team/a')
const b = agentCard('team/b')
const c = agentCard('team/c')
const states = (text: string, expected: string): Task => ({
  text,
  reference: { kind: 'states', text: expected },
})
const unlimited: Budget = { seconds: null, tokens: null, cost: null }

/** A probe over one executor, with a record that is read afterwards. */
function probing(executor: Executor, options: Partial<ProbeDependencies> = {}) {
  const record = memoryRecord()
  const events: ProbeEvent[] = []
  let second = 0
  const dependencies: ProbeDependencies = {
    executors: [executor],
    judge: combineJudges({ reference: referenceJudge(), model: null }),
    allow: allowList(['command:*', 'chat:*'], '/catalog'),
    record,
    transcripts: null,
    now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)),
    newId: randomUUID,
    ...options,
  }
  const run = (request: Pick<ProbeRequest, 'candidates'> & Partial<ProbeRequest>) =>
    probe(
      { limits: defaultLimits, budget: unlimited, onEvent: (event) => events.push(event), ...request },
      dependencies,
    )
  return { run, record, events }
}

const echo = (answer: string) => () => ({ answer })

test('runs every task, judges the answers and records each outcome with the hash of its card', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('It is 5.'), [b.id]: echo('It is 6.') })
  const { run, record } = probing(executor)
  const tasks = [states('2 + 3', '5'), { text: 'a poem' }]
  const report = await run({ candidates: [a, b].map((card) => ({ card, tasks })) })
  expect(report).toMatchObject({
    stopped: null,
    left: 0,
    candidates: [
      { card: a.id, worked: 1, graded: 1, meanGrade: 5, medianSeconds: 1, failed: 0, notRun: null },
      { card: b.id, worked: 0, graded: 1, failed: 0, notRun: null },
    ],
  })
  expect(report.candidates[0]!.runs.map(({ outcome }) => outcome.task)).toEqual(['2 + 3', 'a poem'])
  expect(record.added).toHaveLength(4)
  expect(record.added[0]).toMatchObject({
    card: a.id,
    cardHash: contentHash(a),
    kind: 'agent',
    origin: 'probe',
    executor: 'scripted',
    ending: 'answered',
    verdict: { grade: 5, judge: 'reference' },
    seconds: 1,
    tokens: null,
    cost: null,
  })
})

test('the outcome of an agent that ran without tools that were withheld says so', async () => {
  const tool = { tool: 'read', because: 'changed', source: 'notes', text: 'tool "read" is withheld' } as const
  const executor = scriptedExecutor({
    [a.id]: () => ({ answer: 'It is 5.', transcript: [{ at: 0, kind: 'tool-withheld', ...tool }] }),
    [b.id]: echo('It is 5.'),
  })
  const { run, record } = probing(executor)
  await run({ candidates: [a, b].map((card) => ({ card, tasks: [states('2 + 3', '5')] })) })
  const reasonOf = (id: string) => {
    const verdict = record.added.find(({ card }) => card === id)?.verdict
    return verdict && 'reason' in verdict ? verdict.reason : ''
  }
  expect(reasonOf(a.id)).toContain('It ran without 1 tool that was withheld: changed, new or held.')
  expect(reasonOf(b.id)).not.toContain('withheld')
})

test('a candidate that fails, throws or cannot be run never stops the others', async () => {
  const executor = scriptedExecutor(
    {
      [a.id]: () => ({ ending: 'failed', failure: 'It crashed.' }),
      [b.id]: () => {
        throw new Error('the executor has a fault')
      },
      [c.id]: echo('fine'),
      'team/gone': echo('never'),
    },
    (card) => {
      if (card.id === 'team/gone') throw new RuntimeError('its file is gone', 'Index it again.')
      return {}
    },
  )
  const { run, record } = probing(executor)
  const listing = agentCard('team/listing')
  const tasks = [{ text: 'one' }, { text: 'two' }]
  const cards = [a, b, agentCard('team/gone'), listing, c]
  const { candidates } = await run({ candidates: cards.map((card) => ({ card, tasks })) })
  const report = (id: string) => candidates.find(({ card }) => card === id)
  expect(report(a.id)).toMatchObject({ failed: 2, graded: 2, meanGrade: 1, worked: 0 })
  expect(report(b.id)).toMatchObject({ runs: [], notRun: { message: 'the executor has a fault' } })
  expect(report('team/gone')).toMatchObject({
    notRun: { kind: 'runtime', message: 'its file is gone', remedy: 'Index it again.' },
  })
  expect(report(listing.id)).toMatchObject({ notRun: { kind: 'runtime' } })
  expect(report(c.id)).toMatchObject({ runs: [{ answer: 'fine' }, { answer: 'fine' }], notRun: null })
  expect(record.added.map(({ card }) => card).sort()).toEqual([a.id, a.id, c.id, c.id])
})

test('what is not allowed is not started, and the report says what is missing', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('x'), [b.id]: echo('x') }, (card) =>
    card.id === a.id ? { needs: ['chat:https://models.example'] } : {},
  )
  const { run, events } = probing(executor, { allow: allowList(['command:*'], '/catalog') })
  const tasks = [{ text: 'one' }]
  const { candidates } = await run({ candidates: [a, b].map((card) => ({ card, tasks })) })
  expect(candidates[0]).toMatchObject({
    runs: [],
    notRun: { kind: 'permission', missing: ['chat:https://models.example'], display: '/bin/a' },
  })
  expect(executor.started).toEqual(['team/b: one'])
  expect(events.filter(({ kind }) => kind === 'not-run')).toHaveLength(1)
})

test('permission is asked for at every start: a launch that changes meanwhile is refused', async () => {
  let plans = 0
  const executor = scriptedExecutor({ [a.id]: echo('x') }, () => {
    plans += 1
    return plans > 3 ? { permit: 'command:/bin/other' } : {}
  })
  const { run } = probing(executor, { allow: allowList(['command:/bin/a'], '/catalog') })
  const tasks = ['one', 'two', 'three'].map((text) => ({ text }))
  const { candidates } = await run({ candidates: [{ card: a, tasks }], concurrency: 1 })
  expect(executor.started).toEqual(['team/a: one', 'team/a: two'])
  expect(candidates[0]).toMatchObject({
    runs: [{}, {}],
    notRun: { kind: 'permission', missing: ['command:/bin/other'] },
  })
})

test('tasks go round by turns, and no more than so many run at once', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('x'), [b.id]: echo('x'), [c.id]: echo('x') })
  const { run } = probing(executor)
  const tasks = [{ text: '1' }, { text: '2' }]
  await run({ candidates: [a, b, c].map((card) => ({ card, tasks })), concurrency: 1 })
  expect(executor.started).toEqual(
    ['a: 1', 'b: 1', 'c: 1', 'a: 2', 'b: 2', 'c: 2'].map((one) => `team/${one}`),
  )
  expect(executor.busiest.count).toBe(1)
})

test('when the caller stops, what ended is recorded and what was under way leaves nothing', async () => {
  const stop = new AbortController()
  const executor = scriptedExecutor({ [a.id]: echo('done'), [b.id]: hangs })
  const { run, record } = probing(executor)
  const report = await run({
    candidates: [a, b].map((card) => ({ card, tasks: [{ text: 'one' }, { text: 'two' }] })),
    concurrency: 1,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === 'started' && event.card === b.id) stop.abort()
    },
  })
  expect(report).toMatchObject({ stopped: 'cancelled', left: 3 })
  expect(record.added.map(({ card, task }) => `${card}: ${task}`)).toEqual(['team/a: one'])
})

test('a probe that was stopped before it began starts nothing', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('x') })
  const { run } = probing(executor)
  const report = await run({
    candidates: [{ card: a, tasks: [{ text: 'one' }] }],
    signal: AbortSignal.abort(),
  })
  expect(report).toMatchObject({ stopped: 'cancelled', left: 1 })
  expect(executor.started).toEqual([])
})

test('the time of a whole probe has an end, and a candidate that is cut by it is not blamed', async () => {
  const executor = scriptedExecutor({ [a.id]: hangs })
  const { run, record } = probing(executor)
  const report = await run({
    candidates: [{ card: a, tasks: [{ text: 'one' }] }],
    budget: { ...unlimited, seconds: 0.02 },
  })
  expect(report).toMatchObject({ stopped: 'seconds', left: 1 })
  expect(record.added).toEqual([])
})

test('an execution that reaches its own limit is graded 1; one that reaches the end of the budget is not', async () => {
  const spends = (_: Task, { limits }: { readonly limits: { readonly tokens: number | null } }) => ({
    ending: 'limit' as const,
    failure: 'tokens',
    tokens: { input: limits.tokens ?? 0, output: 0 },
  })
  const executor = scriptedExecutor({ [a.id]: spends })
  const { run } = probing(executor)
  const report = await run({
    candidates: [{ card: a, tasks: ['1', '2', '3'].map((text) => ({ text })) }],
    limits: { ...defaultLimits, tokens: 100 },
    budget: { ...unlimited, tokens: 150 },
  })
  expect(report).toMatchObject({
    stopped: 'tokens or cost',
    left: 2,
    spent: { tokens: 150 },
    candidates: [{ failed: 1, meanGrade: 1 }],
  })
})

test('whatever candidates do, tokens and money stay within the budget and every turn is accounted for', async () => {
  const amount = fc.integer({ min: 0, max: 60 })
  const behaviour = fc.record({
    tokens: amount,
    cost: amount,
    ending: fc.constantFrom('answered' as const, 'failed' as const),
    throws: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(behaviour, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.record({ tokens: fc.integer({ min: 1, max: 120 }), cost: fc.integer({ min: 1, max: 120 }) }),
      fc.record({ tokens: fc.integer({ min: 1, max: 60 }), cost: fc.integer({ min: 1, max: 60 }) }),
      fc.integer({ min: 1, max: 4 }),
      async (scripts, budget, limits, concurrency) => {
        const cards = scripts.map((_, at) => agentCard(`team/${at}`))
        const executor = scriptedExecutor(
          Object.fromEntries(
            cards.map((card, at) => [
              card.id,
              async (task: Task, run: { readonly limits: typeof defaultLimits }) => {
                const script = scripts[at]![Number(task.text)]!
                await Promise.resolve()
                if (script.throws) throw new Error('fault')
                const over =
                  script.tokens > (run.limits.tokens ?? 1e9) || script.cost > (run.limits.cost ?? 1e9)
                return {
                  ending: over ? ('limit' as const) : script.ending,
                  failure: 'x',
                  tokens: { input: Math.min(script.tokens, run.limits.tokens ?? 1e9), output: 0 },
                  cost: Math.min(script.cost, run.limits.cost ?? 1e9),
                }
              },
            ]),
          ),
        )
        const { run, record } = probing(executor)
        const report = await run({
          candidates: cards.map((card, at) => ({
            card,
            tasks: scripts[at]!.map((_, task) => ({ text: String(task) })),
          })),
          limits: { ...defaultLimits, ...limits },
          budget: { seconds: null, ...budget },
          concurrency,
        })
        expect(report.spent.tokens).toBeLessThanOrEqual(budget.tokens)
        expect(report.spent.cost).toBeLessThanOrEqual(budget.cost)
        expect(executor.busiest.count).toBeLessThanOrEqual(concurrency)
        const runs = report.candidates.flatMap((one) => one.runs)
        expect(record.added.map(({ id }) => id).sort()).toEqual(runs.map(({ outcome }) => outcome.id).sort())
        expect(runs.length + report.left).toBe(scripts.reduce((sum, script) => sum + script.length, 0))
        if (report.stopped === null) {
          for (const { notRun, runs: own, card } of report.candidates) {
            const script = scripts[Number(card.slice('team/'.length))]!
            if (notRun === null) expect(own).toHaveLength(script.length)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('executions for one host keep their distance; what stays on this machine waits for nobody', async () => {
  const waits: number[] = []
  const executor = scriptedExecutor({ [a.id]: echo('x'), [b.id]: echo('x'), [c.id]: echo('x') }, (card) => ({
    host: card.id === c.id ? null : 'agents.example',
  }))
  const { run } = probing(executor, {
    hostSeconds: 1000,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  })
  await run({ candidates: [a, b, c].map((card) => ({ card, tasks: [{ text: 'one' }] })), concurrency: 3 })
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan(900_000)
})

test('the report says which tasks told candidates apart', async () => {
  const executor = scriptedExecutor({
    [a.id]: ({ text }) => ({ answer: text }),
    [b.id]: ({ text }) => ({ answer: text === 'easy' ? 'easy' : 'lost' }),
  })
  const { run } = probing(executor)
  const tasks = [states('easy', 'easy'), states('hard', 'hard'), { text: 'open' }]
  const report = await run({ candidates: [a, b].map((card) => ({ card, tasks })) })
  expect(report.tasks).toEqual([
    { task: 'easy', variance: 0, discrimination: 'low' },
    { task: 'hard', variance: 4, discrimination: 'high' },
  ])
  const alone = await run({ candidates: [{ card: a, tasks }] })
  expect(alone.tasks).toEqual([])
})

test('a judge that throws refuses, and the outcome stands', async () => {
  const broken: Judge = {
    name: 'llm:broken',
    judge: () => Promise.reject(new Error('no answer from the model')),
  }
  const executor = scriptedExecutor({ [a.id]: echo('x') })
  const { run, record } = probing(executor, { judge: broken })
  const { candidates } = await run({ candidates: [{ card: a, tasks: [{ text: 'one' }] }] })
  expect(candidates[0]).toMatchObject({ graded: 0, runs: [{}] })
  expect(record.added[0]!.verdict).toEqual({
    refusal: 'The judge failed: no answer from the model',
    judge: 'llm:broken',
  })
})

test('a judge that fails six times in a row is not asked again', async () => {
  let asked = 0
  const broken: Judge = {
    name: 'llm:broken',
    async judge() {
      asked += 1
      if (asked === 3) return { grade: 4, reason: 'good', judge: 'llm:broken' }
      return { refusal: 'llm:broken could not be asked: HTTP 500', judge: 'llm:broken' }
    },
  }
  const executor = scriptedExecutor({ [a.id]: echo('x') })
  const { run } = probing(executor, { judge: broken })
  const tasks = Array.from({ length: 30 }, (_, at) => ({ text: `task ${at}` }))
  const report = await run({ candidates: [{ card: a, tasks }], concurrency: 1 })
  expect(report).toMatchObject({ stopped: 'judge failed', left: 21 })
  expect(asked).toBe(9)
})

test('an outcome that cannot be recorded is an error, not a silence', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('x') })
  const record = { add: () => Promise.reject(new Error('the disk is full')) }
  const { run } = probing(executor, { record })
  await expect(run({ candidates: [{ card: a, tasks: [{ text: 'one' }] }] })).rejects.toThrow(
    'the disk is full',
  )
})

test('a candidate without a task is told, and events count what is done', async () => {
  const executor = scriptedExecutor({ [a.id]: echo('x'), [b.id]: echo('x') })
  const { run, events } = probing(executor)
  const report = await run({
    candidates: [
      { card: a, tasks: [] },
      { card: b, tasks: [{ text: 'one' }, { text: 'two' }] },
    ],
    concurrency: 1,
  })
  expect(report.candidates[0]!.notRun).toMatchObject({ kind: 'no-task', remedy: 'Give a task.' })
  expect(events.map(({ kind, done, total }) => `${kind} ${done}/${total}`)).toEqual([
    'not-run 0/2',
    'started 0/2',
    'transcript 0/2',
    'ended 1/2',
    'started 1/2',
    'transcript 1/2',
    'ended 2/2',
  ])
})
