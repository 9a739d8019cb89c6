import { cutCounting } from '../../domain/text/cut.ts'
import { contentHash } from '../../catalog/identity.ts'
import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { JsonValue } from '../../domain/json.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import type { Outcome, Verdict } from '../../domain/outcome.ts'
import { maskTokens } from '../../domain/text/secrets.ts'
import type { AllowList } from '../settings/grants.ts'
import type { JudgePanel } from '../judges/combine-judges.ts'
import { cannotRun, planLaunch } from './plan-launch.ts'
import type {
  Execution,
  ExecutionLimits,
  Executor,
  Task,
  TrackRecord,
  TranscriptEvent,
  WithheldTool,
} from '../ports.ts'
import type { NotRun, ProbedRun } from './probe-report.ts'
import type { Transcripts } from '../record/transcripts.ts'
import { setTimeout as wait } from 'node:timers/promises'

/** What executions work with. */
export type ExecutionDependencies = {
  readonly executors: readonly Executor[]
  readonly judge: JudgePanel
  readonly allow: AllowList
  /** Where outcomes go; null records none. */
  readonly record: Pick<TrackRecord, 'add'> | null
  /** Null keeps no transcripts. */
  readonly transcripts: Pick<Transcripts, 'keep'> | null
  readonly now: () => Date
  /** A UUID each time. */
  readonly newId: () => string
}

/** One execution of one card. */
type Turn = {
  readonly card: Card
  readonly task: Task
  readonly origin: Outcome['origin']
  readonly limits: ExecutionLimits
  readonly signal: AbortSignal
  readonly pacing: HostPacing
  readonly onStart: () => void
  readonly onEvent: (event: TranscriptEvent) => void
}

/** What came of a turn before anybody judged it. */
type TurnEnd =
  | {
      readonly kind: 'ran'
      readonly execution: Execution
      readonly executor: string
      readonly display: string
      readonly began: Date
    }
  | { readonly kind: 'not-run'; readonly why: NotRun }
  /** The signal came before it was started. */
  | { readonly kind: 'stopped' }

/** Runs a card once. Permission is asked for at every start: what is configured may have changed since the last one. */
export async function execute(turn: Turn, dependencies: ExecutionDependencies): Promise<TurnEnd> {
  const { card, task, limits, signal, onStart, onEvent } = turn
  try {
    const planned = await planLaunch(card, dependencies.executors, dependencies.allow)
    if (planned.notRun !== null) return { kind: 'not-run', why: planned.notRun }
    await turn.pacing(planned.launch.host, signal)
    signal.throwIfAborted()
    onStart()
    const began = dependencies.now()
    const { executor, launch } = planned
    const execution = await executor.execute(card, task, { limits, signal, onEvent, launch })
    return { kind: 'ran', execution, executor: executor.name, display: launch.display, began }
  } catch (error) {
    return signal.aborted ? { kind: 'stopped' } : { kind: 'not-run', why: cannotRun(error) }
  }
}

/** Characters of an answer that stand in a report; the transcript has more. */
const reportedCharacters = 2_000

/**
 * Judges what ran, keeps its transcript and records its outcome.
 *
 * @throws Error when the outcome cannot be recorded; a transcript that cannot be kept is only missing
 */
export async function conclude(
  { card, task, origin, signal }: Turn,
  { execution: ran, executor, display, began }: Extract<TurnEnd, { readonly kind: 'ran' }>,
  dependencies: ExecutionDependencies,
): Promise<ProbedRun> {
  const execution = withoutTokens(ran)
  const withheld = withheldIn(execution)
  const given = withoutTokens(await verdictOn({ task, signal }, ran, dependencies.judge))
  const verdict = withLacks(given, withheld.length)
  const { tokens } = execution
  const outcome: Outcome = {
    id: dependencies.newId(),
    card: card.id,
    cardHash: contentHash(card),
    kind: card.kind,
    task: maskTokens(task.text),
    time: began.toISOString(),
    origin,
    executor,
    ...(execution.model === undefined ? {} : { model: execution.model }),
    ending: execution.ending,
    verdict,
    seconds: execution.seconds,
    tokens: tokens === null ? null : tokens.input + tokens.output,
    cost: execution.cost,
  }
  const hasTranscript = await isKept({ outcome, display, execution }, dependencies)
  await dependencies.record?.add([outcome])
  const answer = cutCounting(execution.answer, reportedCharacters)
  const missing = [
    ...new Set(ran.transcript.flatMap((event) => (event.kind === 'status' ? (event.missing ?? []) : []))),
  ]
  return { outcome, answer, failure: execution.failure, hasTranscript, withheld, missing }
}

/** What is kept of a run holds no token that shows by its shape what it is, whoever said it. */
const withoutTokens = <Kept extends Execution | Verdict | null>(kept: Kept): Kept =>
  maskedJson(kept as unknown as JsonValue, maskTokens) as unknown as Kept

const withheldIn = ({ transcript }: Execution): readonly WithheldTool[] =>
  transcript.flatMap((event) => {
    if (event.kind !== 'tool-withheld') return []
    const { tool, because, source, text } = event
    return [{ tool, because, source, text }]
  })

/** A verdict on an agent that ran without some of its tools says so: what it did is not all that it can do. */
function withLacks(verdict: Verdict | null, count: number): Verdict | null {
  if (verdict === null || count === 0) return verdict
  const lacks = `It ran without ${countOf(count, 'tool')} that ${count === 1 ? 'was' : 'were'} withheld: changed, new or held.`
  return 'grade' in verdict
    ? { ...verdict, reason: `${verdict.reason} ${lacks}` }
    : { ...verdict, refusal: `${verdict.refusal} ${lacks}` }
}

/** A judge that fails refuses, and one that is stopped says nothing. */
async function verdictOn(
  { task, signal }: Pick<Turn, 'task' | 'signal'>,
  execution: Execution,
  judge: JudgePanel,
): Promise<Verdict | null> {
  try {
    return await judge.judge(task, execution, signal)
  } catch (error) {
    if (signal.aborted) return null
    const why = error instanceof Error ? error.message : String(error)
    return { refusal: `The judge failed: ${why}`, judge: judge.name }
  }
}

/** Whether the transcript is there. A disk that is full of transcripts must not cost the outcome. */
async function isKept(
  {
    outcome,
    display,
    execution,
  }: { readonly outcome: Outcome; readonly display: string; readonly execution: Execution },
  { transcripts }: ExecutionDependencies,
): Promise<boolean> {
  if (transcripts === null) return false
  try {
    await transcripts.keep(outcome, display, execution)
    return true
  } catch {
    return false
  }
}

/** Waits so long, or rejects with the signal's reason when that aborts first. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) =>
  wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())

/** Resolves when an execution that leaves for the host may start; null leaves this machine for none. */
export type HostPacing = (host: string | null, signal: AbortSignal) => Promise<void>

/**
 * Keeps a least time between the starts of two executions for the same host.
 *
 * @param seconds - between two starts, >= 0
 * @param now - milliseconds on a clock that only goes forward
 * @see AgentSearchBench, safeguards of its executor: one second between calls of a platform
 */
export function hostPacing(seconds: number, now: () => number, wait: Sleep): HostPacing {
  const freeAt = new Map<string, number>()
  return async (host, signal) => {
    if (host === null || seconds === 0) return
    const present = now()
    const start = Math.max(present, freeAt.get(host) ?? present)
    freeAt.set(host, start + seconds * 1000)
    if (start > present) await wait(start - present, signal)
  }
}
