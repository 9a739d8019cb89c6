import { type BoundReached, type Bounds, boundsOf } from '../../domain/bounds.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Ending } from '../../domain/outcome.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import { valueMasker } from '../../domain/text/secrets.ts'
import { type Execution, type ExecutionLimits, RuntimeError, type TranscriptEvent } from '../ports.ts'

/** What work may do while it runs: its bounds, and what it tells. */
export type BoundedRun = Bounds & {
  readonly limits: ExecutionLimits
  /** Adds to the transcript, known secrets masked. */
  tell(event: UntimedEvent): void
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
  readonly ending: Ending | undefined
  /** @param ending - where the work knows it better than its bounds do. @defaultValue how it was stopped, else `failed` */
  constructor(message: string, ending?: Ending) {
    super(message)
    this.ending = ending
  }
}

export function stoppedEnding({ signal, stoppedBy }: Bounds): Pick<Execution, 'ending' | 'failure'> {
  const by = stoppedBy()
  return by === 'time' || by === 'output' || by === 'budget'
    ? { ending: 'limit', failure: (signal.reason as BoundReached).message }
    : { ending: 'cancelled', failure: 'it was stopped before it answered' }
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
  const mask = valueMasker(secrets)
  const transcript = openTranscript(onEvent)
  const bounds = boundsOf({
    callers: [signal],
    seconds: limits.seconds,
    bytes: limits.outputBytes,
  })
  const used = meter()
  const run: BoundedRun = {
    ...bounds,
    limits,
    tell: (event) => transcript.add(maskedEvent(event, mask)),
    countTokens: used.countTokens,
    countCost: used.countCost,
  }
  const ended = ({ ending, failure, answer }: End): Execution => {
    transcript.close()
    return {
      ending,
      answer: mask(answer?.text ?? ''),
      ...(answer?.structured === undefined ? {} : { structured: plain(maskedJson(answer.structured, mask)) }),
      failure: failure === null ? null : mask(failure),
      transcript: [...transcript.events],
      seconds: transcript.elapsed(),
      outputBytes: bounds.bytes(),
      ...used.read(),
    }
  }
  try {
    if (bounds.signal.aborted) return ended(stoppedEnding(bounds))
    const answer = await bounds.orStopped(work(run), patienceMs)
    return bounds.signal.aborted
      ? ended(stoppedEnding(bounds))
      : ended({ ending: 'answered', failure: null, answer })
  } catch (error) {
    if (error instanceof AgentFailure && error.ending !== undefined)
      return ended({ ending: error.ending, failure: error.message })
    if (bounds.signal.aborted && bounds.stoppedBy() !== 'fault') return ended(stoppedEnding(bounds))
    if (error instanceof RuntimeError) throw error
    return ended({ ending: 'failed', failure: messageOf(error) })
  } finally {
    bounds.release()
  }
}

type End = Pick<Execution, 'ending' | 'failure'> & { readonly answer?: Answer }

/** Counts what models used; null of what nobody counted. */
function meter() {
  const used = { input: 0, output: 0, cost: 0, hasTokens: false, hasCost: false }
  return {
    countTokens(input: number, output: number): void {
      used.input += input
      used.output += output
      used.hasTokens = true
    },
    countCost(dollars: number): void {
      used.cost += dollars
      used.hasCost = true
    },
    read: (): Pick<Execution, 'tokens' | 'cost'> => ({
      tokens: used.hasTokens ? { input: used.input, output: used.output } : null,
      cost: used.hasCost ? used.cost : null,
    }),
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

/** What happened, without the time that {@link openTranscript} gives it. */
type UntimedEvent = TranscriptEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'at'>
    : never
  : never

/** A transcript that is being written. */
export type OpenTranscript = {
  /** In the order they came; times never fall. */
  readonly events: readonly TranscriptEvent[]
  /** Seconds since the start. */
  elapsed(): number
  add(event: UntimedEvent): void
  /** From now on nothing is added and nobody is told: what comes late is not part of the execution. */
  close(): void
}

/**
 * Starts the clock of an execution.
 *
 * @param onEvent - told of each event as it happens
 */
export function openTranscript(onEvent: (event: TranscriptEvent) => void = () => {}): OpenTranscript {
  const started = performance.now()
  const events: TranscriptEvent[] = []
  let isOpen = true
  const elapsed = () => (performance.now() - started) / 1_000
  return {
    events,
    elapsed,
    add(untimed) {
      if (!isOpen) return
      const event = { at: elapsed(), ...untimed } as TranscriptEvent
      events.push(event)
      onEvent(event)
    },
    close() {
      isOpen = false
    },
  }
}
