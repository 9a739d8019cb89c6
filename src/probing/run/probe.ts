import pLimit from 'p-limit'
import type { Card } from '../../domain/card.ts'
import { boundsOf } from '../../domain/bounds.ts'
import { askableTasks } from './profile-file.ts'
import { type Budget, type BudgetAccount, budgetAccount, defaultBudget } from '../budget.ts'
import {
  conclude,
  execute,
  type ExecutionDependencies,
  hostPacing,
  type Sleep,
  sleep,
} from './execute-once.ts'
import { byExecution } from '../judges/combine-judges.ts'
import { referenceJudgeName } from '../judges/reference-judge.ts'
import { planLaunch } from './plan-launch.ts'
import type { ExecutionLimits, Task, TranscriptEvent } from '../ports.ts'
import {
  candidateReport,
  type NotRun,
  type ProbedRun,
  type ProbeReport,
  tellingTasks,
} from './probe-report.ts'

/** A candidate and what it is asked. */
type ProbeCandidate = { readonly card: Card; readonly tasks: readonly Task[] }

/** What to run. */
export type ProbeRequest = {
  readonly candidates: readonly ProbeCandidate[]
  /** Of each execution. */
  readonly limits: ExecutionLimits
  /** Of all together. @defaultValue {@link defaultBudget} */
  readonly budget?: Budget
  /** Executions at the same time. Integer >= 1. @defaultValue 2 */
  readonly concurrency?: number
  /** @defaultValue 'probe' */
  readonly origin?: 'probe' | 'run'
  /** Stops what is under way; what ended before is recorded. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: ProbeEvent) => void
  readonly retire?: Retire
}

/**
 * Asked after each run: which candidates need not run any more. What of them is under way comes to its end.
 *
 * @param runs - of each candidate that may be run, by the place of their task
 */
export type Retire = (runs: ReadonlyMap<string, ReadonlyMap<number, ProbedRun>>) => Iterable<string>

/** One thing that happens to a candidate. `place` says to which of its runs, which may go side by side: the place of its task, from 0. */
export type Happening =
  | { readonly kind: 'started'; readonly place: number; readonly task: Task }
  | { readonly kind: 'transcript'; readonly place: number; readonly event: TranscriptEvent }
  | { readonly kind: 'ended'; readonly place: number; readonly run: ProbedRun }
  | { readonly kind: 'not-run'; readonly why: NotRun }

/** What happens while a probe runs: to which card, and that `done` of `total` executions have ended. */
export type ProbeEvent = Happening & { readonly card: string; readonly done: number; readonly total: number }

/** What a probe works with. */
export type ProbeDependencies = ExecutionDependencies & {
  /** Least time between two executions for the same host, seconds >= 0. @defaultValue 1 */
  readonly hostSeconds?: number
  /** @defaultValue waits by the clock */
  readonly sleep?: Sleep
}

/**
 * Runs candidates on tasks under limits, judges their answers and records the outcomes, each as soon as it is there.
 * Whatever a candidate does, the others go on. Tasks go round by turns, so that a spent budget leaves every candidate
 * with as many runs as the others.
 *
 * An execution that is stopped from outside (by the signal, or because the budget ends) is no fault of the candidate's
 * and leaves no outcome.
 *
 * @throws Error only when an outcome cannot be recorded
 */
export async function probe(request: ProbeRequest, dependencies: ProbeDependencies): Promise<ProbeReport> {
  const { budget = defaultBudget, concurrency = 2 } = request
  const began = performance.now()
  const account = budgetAccount(budget)
  const stop = stopper(request.signal, budget)
  try {
    const candidates = await Promise.all(
      request.candidates.map((candidate) => admitted(candidate, dependencies)),
    )
    const batch: ProbeBatch = {
      request,
      dependencies,
      account,
      stop,
      pacing: hostPacing(dependencies.hostSeconds ?? 1, () => performance.now(), dependencies.sleep ?? sleep),
      changes: changes(),
      retired: new Set(),
      all: candidates,
      ungraded: 0,
      progress: { done: 0, total: sum(candidates.map(({ notRun, tasks }) => (notRun ? 0 : tasks.length))) },
    }
    for (const one of candidates)
      if (one.notRun !== null) tell(batch, one, { kind: 'not-run', why: one.notRun })
    const limit = pLimit(Math.max(1, concurrency))
    const settled = await Promise.allSettled(
      inTurns(candidates).map(({ candidate, place }) => limit(() => take(candidate, place, batch))),
    )
    const broken = settled.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    const { done, total } = batch.progress
    const spared = sum(
      candidates.map(({ card, tasks, runs }) => (batch.retired.has(card.id) ? tasks.length - runs.size : 0)),
    )
    const reports = candidates.map(({ card, runs, notRun }) => candidateReport(card, inOrder(runs), notRun))
    return {
      candidates: reports,
      tasks: tellingTasks(reports),
      stopped: stop.reason(),
      left: total - done - spared,
      ...(request.retire === undefined ? {} : { spared }),
      spent: { seconds: (performance.now() - began) / 1000, ...account.spent() },
    }
  } finally {
    stop.close()
  }
}

/** A candidate on its way through its tasks. */
type Candidate = ProbeCandidate & { readonly runs: Map<number, ProbedRun>; notRun: NotRun | null }

/** What all turns of a probe share. */
type ProbeBatch = {
  readonly request: ProbeRequest
  readonly dependencies: ProbeDependencies
  readonly account: BudgetAccount
  readonly stop: Stopper
  readonly pacing: ReturnType<typeof hostPacing>
  readonly changes: ReturnType<typeof changes>
  readonly retired: Set<string>
  readonly all: readonly Candidate[]
  readonly progress: { done: number; readonly total: number }
  /** Answers in a row that a model refused to grade: it cannot be asked, or says nothing that can be used. */
  ungraded: number
}

/** As many, and the model is not asked any more. */
const mostUngraded = 6

async function admitted(
  { card, tasks }: ProbeCandidate,
  { executors, allow }: ProbeDependencies,
): Promise<Candidate> {
  const { notRun } = await planLaunch(card, executors, allow)
  const askable = askableTasks(card, tasks)
  return { card, tasks: askable.tasks, runs: new Map(), notRun: notRun ?? askable.notRun }
}

/** First everyone's first task, then everyone's second. */
const inTurns = (candidates: readonly Candidate[]) =>
  Array.from({ length: Math.max(0, ...candidates.map(({ tasks }) => tasks.length)) }, (_, place) =>
    candidates.filter(({ tasks }) => place < tasks.length).map((candidate) => ({ candidate, place })),
  ).flat()

/** One turn of one candidate, as soon as the budget has room for it. */
async function take(candidate: Candidate, place: number, batch: ProbeBatch): Promise<void> {
  const { request, dependencies, account, stop } = batch
  while (
    !stop.signal.aborted &&
    batch.ungraded < mostUngraded &&
    candidate.notRun === null &&
    !batch.retired.has(candidate.card.id)
  ) {
    const share = account.reserve(request.limits)
    if (share === 'spent') return stop.note('tokens or cost')
    if (share === 'later') {
      await batch.changes.next()
      continue
    }
    let settled = false
    const settle = (execution: Parameters<typeof share.settle>[0]): void => {
      if (settled) return
      settled = true
      share.settle(execution)
      batch.changes.tell()
    }
    try {
      const turn = {
        card: candidate.card,
        task: candidate.tasks[place]!,
        origin: request.origin ?? 'probe',
        limits: share.limits,
        signal: stop.signal,
        pacing: batch.pacing,
        onStart: () => tell(batch, candidate, { kind: 'started', task: turn.task, place }),
        onEvent: (event: TranscriptEvent) => tell(batch, candidate, { kind: 'transcript', event, place }),
      } as const
      const end = await execute(turn, dependencies)
      if (end.kind === 'not-run') {
        candidate.notRun ??= end.why
        return tell(batch, candidate, end)
      }
      if (end.kind === 'stopped') return
      settle(end.execution)
      const { ending } = end.execution
      if (ending === 'cancelled' && stop.signal.aborted) return
      if (ending === 'limit' && share.isReduced) return stop.note('tokens or cost')
      const run = await conclude(turn, end, dependencies)
      candidate.runs.set(place, run)
      batch.progress.done += 1
      countUngraded(batch, run)
      retire(batch)
      return tell(batch, candidate, { kind: 'ended', run, place })
    } finally {
      settle(null)
    }
  }
}

function countUngraded(batch: ProbeBatch, { outcome: { verdict } }: ProbedRun): void {
  if (verdict === null || verdict.judge === byExecution || verdict.judge === referenceJudgeName) return
  batch.ungraded = 'grade' in verdict ? 0 : batch.ungraded + 1
  if (batch.ungraded >= mostUngraded) batch.stop.note('judge failed')
}

function retire({ request, all, retired }: ProbeBatch): void {
  const running = all.filter(({ notRun }) => notRun === null)
  for (const id of request.retire?.(new Map(running.map(({ card, runs }) => [card.id, runs]))) ?? [])
    retired.add(id)
}

function tell({ request, progress }: ProbeBatch, { card }: Candidate, happening: Happening): void {
  const { done, total } = progress
  request.onEvent?.({ ...happening, card: card.id, done, total })
}

type Stopper = {
  readonly signal: AbortSignal
  /** Why not all was run; the first reason counts. */
  reason(): ProbeReport['stopped']
  /** Remembers a reason, and lets what is under way come to its end. */
  note(reason: NonNullable<ProbeReport['stopped']>): void
  close(): void
}

/** Ends when the caller says so or the time is up. */
function stopper(caller: AbortSignal | undefined, { seconds }: Budget): Stopper {
  const { signal, stoppedBy, onStop, release } = boundsOf({ callers: [caller], seconds })
  let reason: ProbeReport['stopped'] = null
  const note: Stopper['note'] = (why) => {
    reason ??= why
  }
  onStop(() => note(stoppedBy() === 'caller' ? 'cancelled' : 'seconds'))
  return { signal, reason: () => reason, note, close: release }
}

/** Wakes whoever waits for the budget. */
function changes() {
  const waiting = new Set<() => void>()
  return {
    next: () => new Promise<void>((resolve) => waiting.add(resolve)),
    tell() {
      const woken = [...waiting]
      waiting.clear()
      for (const wake of woken) wake()
    },
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const inOrder = (runs: ReadonlyMap<number, ProbedRun>): readonly ProbedRun[] =>
  [...runs].sort(([a], [b]) => a - b).map(([, run]) => run)
