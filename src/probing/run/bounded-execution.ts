import type { JsonValue } from '../../domain/json.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import { maskValues } from '../../domain/text/secrets.ts'
import { openTranscript, type UntimedEvent } from '../record/open-transcript.ts'
import { type Execution, type ExecutionLimits, RuntimeError, type TranscriptEvent } from '../ports.ts'

/** What work may do while it runs. */
export type BoundedRun = {
  /** Aborted at the limit of seconds or bytes, by {@link stopAtLimit}, and when the caller stops. */
  readonly signal: AbortSignal
  /** Adds to the transcript, known secrets masked. */
  tell(event: UntimedEvent): void
  /** Counts what the agent sent; stops the run when it is too much. */
  countBytes(bytes: number): void
  /** Ends the run with `limit`. @param why - for people, for example "it took more than 12 turns" */
  stopAtLimit(why: string): void
  /** Adds to what models used. */
  countTokens(input: number, output: number): void
  /** Adds US dollars. */
  countCost(dollars: number): void
}

/** A final answer. */
export type Answer = { readonly text: string; readonly structured?: JsonValue }

/** The agent said that it failed, or gave no answer; the message says why. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'
}

/** Why a run was stopped at a limit: the reason of its signal. */
class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

/** How long work may take to clean up once it was told to stop, in milliseconds, before it is left alone. */
const patienceMs = 5_000

/**
 * Runs work under limits of seconds and bytes, and turns whatever comes of it into an execution: an answer, a
 * failure, a limit, or the caller's stop. Work that does not heed its signal is left after five seconds.
 *
 * @param settings.secrets - values that must stand in no text of the execution
 * @throws RuntimeError when the work throws one before anything stopped it: the card cannot be run as things stand
 */
export async function boundedExecution(
  settings: {
    readonly limits: ExecutionLimits
    readonly signal: AbortSignal
    readonly onEvent?: ((event: TranscriptEvent) => void) | undefined
    readonly secrets?: readonly string[]
  },
  work: (run: BoundedRun) => Promise<Answer>,
): Promise<Execution> {
  const { limits, signal, onEvent, secrets = [] } = settings
  const mask = (text: string): string => (secrets.length === 0 ? text : maskValues(text, secrets))
  const transcript = openTranscript(onEvent)
  const stop = new AbortController()
  const stopAtLimit = (why: string): void => stop.abort(new LimitReached(why))
  const used = { bytes: 0, input: 0, output: 0, cost: 0, hasTokens: false, hasCost: false }
  const run: BoundedRun = {
    signal: stop.signal,
    tell: (event) => transcript.add(maskedEvent(event, mask)),
    countBytes(bytes) {
      used.bytes += bytes
      const most = limits.outputBytes
      if (used.bytes > most) stopAtLimit(`it sent more than ${most.toLocaleString('en')} bytes`)
    },
    stopAtLimit,
    countTokens(input, output) {
      used.input += input
      used.output += output
      used.hasTokens = true
    },
    countCost(dollars) {
      used.cost += dollars
      used.hasCost = true
    },
  }
  const ended = (end: Pick<Execution, 'ending' | 'failure'> & { readonly answer?: Answer }): Execution => {
    transcript.close()
    const { answer } = end
    return {
      ending: end.ending,
      answer: mask(answer?.text ?? ''),
      ...(answer?.structured === undefined ? {} : { structured: plain(maskedJson(answer.structured, mask)) }),
      failure: end.failure === null ? null : mask(end.failure),
      transcript: [...transcript.events],
      seconds: transcript.elapsed(),
      outputBytes: used.bytes,
      tokens: used.hasTokens ? { input: used.input, output: used.output } : null,
      cost: used.hasCost ? used.cost : null,
    }
  }
  const stopped = (): Execution => {
    const { reason } = stop.signal
    return reason instanceof LimitReached
      ? ended({ ending: 'limit', failure: reason.message })
      : ended({ ending: 'cancelled', failure: 'it was stopped before it answered' })
  }
  const cancel = (): void => stop.abort(signal.reason)
  if (signal.aborted) {
    cancel()
    return stopped()
  }
  signal.addEventListener('abort', cancel, { once: true })
  const clock = setTimeout(
    () => stopAtLimit(`it gave no answer within ${limits.seconds} s`),
    Math.min(limits.seconds * 1_000, longestTimerMs),
  )
  try {
    const answer = await unlessAbandoned(work(run), stop.signal)
    return stop.signal.aborted ? stopped() : ended({ ending: 'answered', failure: null, answer })
  } catch (error) {
    if (stop.signal.aborted) return stopped()
    if (error instanceof RuntimeError) throw error
    return ended({ ending: 'failed', failure: messageOf(error) })
  } finally {
    clearTimeout(clock)
    signal.removeEventListener('abort', cancel)
  }
}

/** The longest time that a timer of Node can hold. */
const longestTimerMs = 2 ** 31 - 1

/** The work's own end, or a rejection some time after it was told to stop and did not. */
async function unlessAbandoned<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let patience: NodeJS.Timeout | undefined
  let watch = () => {}
  const abandoned = new Promise<never>((_resolve, reject) => {
    watch = () => {
      patience = setTimeout(() => reject(signal.reason), patienceMs)
    }
    if (signal.aborted) watch()
    else signal.addEventListener('abort', watch, { once: true })
  })
  try {
    return await Promise.race([work, abandoned])
  } finally {
    clearTimeout(patience)
    signal.removeEventListener('abort', watch)
  }
}

/** A sentence of what went wrong, with the cause that `fetch` hides. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error) || 'it failed without a word'
  const cause = error.message === 'fetch failed' && error.cause instanceof Error ? error.cause.message : ''
  return cause || error.message || error.name
}

const maskedEvent = (event: UntimedEvent, mask: (text: string) => string): UntimedEvent =>
  Object.fromEntries(
    Object.entries(event).map(([field, value]) => [
      field,
      field === 'kind' ? value : plain(maskedJson(value as JsonValue, mask)),
    ]),
  ) as UntimedEvent

/** As JSON would carry it: no undefined, no infinite number. */
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue
