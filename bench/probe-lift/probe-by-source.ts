import pLimit from 'p-limit'
import type { Card } from '../../src/domain/card.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { asSentence } from '../../src/domain/remedy-error.ts'
import type { AllowList } from '../../src/probing/settings/grants.ts'
import { defaultLimits, type Executor, type Judge, type Task } from '../../src/probing/ports.ts'
import { probe } from '../../src/probing/run/probe.ts'
import type { CandidateReport } from '../../src/probing/run/probe-report.ts'

/** An executor that keeps what it started until it is closed. */
type KeptExecutor = { readonly executor: Executor; close(): Promise<void> }

/** What probes of known answers need. */
type KnownAnswerDependencies = {
  /** Called once for every source: what it starts serves all probes of that source's cards. */
  openExecutor(): KeptExecutor
  /** Tasks with known answers; at most so many. */
  tasksOf(card: Card, count: number): readonly Task[]
  readonly judge: Judge
  readonly allow: AllowList
  readonly now: () => Date
  readonly newId: () => string
}

/** What probes of known answers gave. */
export type KnownAnswers = {
  /** By card id, in the order of its tasks. */
  readonly outcomes: ReadonlyMap<string, readonly Outcome[]>
  /** Texts of the tasks, each once. */
  readonly tasks: readonly string[]
  /** Wall time of all together. */
  readonly seconds: number
}

/** Sources that are probed at the same time, and probes at the same time within one. */
const sourcesAtOnce = 2
const probesAtOnce = 4
const secondsPerProbe = 20

/**
 * Probes cards source by source, so that a server is started once for all of its tools.
 * One that fails stops the others.
 *
 * @param count - probes per card. Integer >= 1
 * @throws Error when a card brings fewer tasks, cannot be run, or the signal aborts; nothing is left running
 */
export async function probeBySource(
  cards: readonly Card[],
  count: number,
  dependencies: KnownAnswerDependencies,
  { signal, onProbe }: { readonly signal: AbortSignal; onProbe(done: number, total: number): void },
): Promise<KnownAnswers> {
  const began = performance.now()
  const candidates = cards.map((card) => ({ card, tasks: dependencies.tasksOf(card, count) }))
  const short = candidates.find(({ tasks }) => tasks.length < count)
  if (short !== undefined)
    throw new Error(`${short.card.id} has ${short.tasks.length} tasks with known answers, not ${count}.`)
  const bySource = new Map<string, typeof candidates>()
  for (const candidate of candidates) {
    const those = bySource.get(candidate.card.source)
    if (those === undefined) bySource.set(candidate.card.source, [candidate])
    else those.push(candidate)
  }

  let done = 0
  const outcomes = new Map<string, readonly Outcome[]>()
  const limit = pLimit(sourcesAtOnce)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const probed = [...bySource.values()].map((those) =>
    limit(async () => {
      if (stopping.signal.aborted || signal.aborted) return
      const kept = dependencies.openExecutor()
      try {
        const report = await probe(
          {
            candidates: those,
            limits: { ...defaultLimits, seconds: secondsPerProbe },
            budget: { seconds: null, tokens: null, cost: null },
            concurrency: probesAtOnce,
            signal: stopping.signal,
            onEvent: ({ kind }) => {
              if (kind === 'ended') onProbe(++done, cards.length * count)
            },
          },
          { ...dependencies, executors: [kept.executor], record: null, transcripts: null },
        )
        if (stopping.signal.aborted) return
        for (const candidate of report.candidates) outcomes.set(candidate.card, outcomesOf(candidate))
      } catch (error) {
        stopping.abort(error)
        throw error
      } finally {
        await kept.close()
      }
    }),
  )
  const settled = await Promise.allSettled(probed)
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  const broken = settled.find((one) => one.status === 'rejected')
  if (broken !== undefined) throw broken.reason
  const tasks = new Set(candidates.flatMap((candidate) => candidate.tasks.map(({ text }) => text)))
  return { outcomes, tasks: [...tasks], seconds: (performance.now() - began) / 1000 }
}

function outcomesOf({ card, runs, notRun }: CandidateReport): readonly Outcome[] {
  if (notRun === null) return runs.map(({ outcome }) => outcome)
  const why = notRun.kind === 'permission' ? `${notRun.display} is not allowed` : notRun.message
  throw new Error(`${card} cannot be probed: ${asSentence(why)}`)
}
