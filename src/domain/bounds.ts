/** What a run used up: its time, the bytes that it may send, or anything else that it has so much of: turns, tokens, memory. */
type Bound = 'time' | 'output' | 'budget'

/** A run reached a bound. The message is the end of a sentence: `it sent more than 1,000 bytes`. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached'
  readonly bound: Bound
  constructor(bound: Bound, message: string) {
    super(message)
    this.bound = bound
  }
}

/** How far a run may go, and one signal for all that may end it. */
export type Bounds = {
  /** Aborted by what comes first. Its reason is a {@link BoundReached}, that of the caller, or what `stop` was given. */
  readonly signal: AbortSignal
  /** Seconds it has; null when nobody measures them. */
  readonly seconds: number | null
  /** Counts what the run sent, and stops it when it is too much. */
  countBytes(bytes: number): void
  /** Bytes that were counted. */
  bytes(): number
  /** Counts bytes from 0 again: of a connection that goes on, one piece of its work has ended. */
  forgetBytes(): void
  /** Stops the run: its budget is spent. @param why - for people, for example "it took more than 12 turns" */
  stopAtLimit(why: string): void
  stop(reason: unknown): void
  /** Why the run was stopped: a bound, by a caller, or by `stop`; undefined as long as it was not. */
  stoppedBy(): Bound | 'caller' | 'fault' | undefined
  /** Does something once it is stopped, or at once when it was. @returns what lets go of that */
  onStop(does: () => void): () => void
  /** Starts the time anew. */
  restart(): void
  /**
   * The end of the work, or the rejection with the signal's reason, whichever comes first.
   *
   * @param patienceMs - how long the work may take to end by itself once it is stopped
   */
  orStopped<T>(work: Promise<T>, patienceMs?: number): Promise<T>
  /** Lets go of the clock and the callers; bytes count on. */
  release(): void
}

/** How far a run may go. */
export type BoundsOptions = {
  /** Who may stop it. Held here, since signals of `AbortSignal.any` may be collected as garbage before they fire. */
  readonly callers?: readonly (AbortSignal | undefined)[]
  /** A wider run that this one is a part of: it ends with that one, and what it sends counts there too. */
  readonly within?: Bounds
  /** > 0. @defaultValue null: as long as it takes */
  readonly seconds?: number | null
  /** >= 0. @defaultValue as many as it sends */
  readonly bytes?: number
  /** How reached bounds are told, where it is not the usual sentence. */
  readonly words?: { readonly time?: string; readonly output?: string }
}

/** The longest time that a timer of Node can hold. */
const longestTimerMs = 2 ** 31 - 1

/** Bounds of a run that begins now. Whoever makes them releases them. */
export function boundsOf(options: BoundsOptions): Bounds {
  const { callers = [], within, seconds = null, bytes: most, words = {} } = options
  const controller = new AbortController()
  const { signal } = controller
  const waiting = new Set<() => void>()
  let cause: ReturnType<Bounds['stoppedBy']>
  let bytes = 0
  let clock: NodeJS.Timeout | undefined
  let isReleased = false
  const end = (by: NonNullable<typeof cause>, reason: unknown): void => {
    if (cause !== undefined) return
    cause = by
    controller.abort(reason)
    for (const does of [...waiting]) does()
  }
  const reach = (bound: Bound, why: string): void => end(bound, new BoundReached(bound, why))
  const onStop = (does: () => void): (() => void) => {
    if (signal.aborted) does()
    else waiting.add(does)
    return () => void waiting.delete(does)
  }
  const held = callers.flatMap((caller) =>
    caller === undefined ? [] : onAbort(caller, () => end('caller', caller.reason)),
  )
  if (within !== undefined) held.push(within.onStop(() => end('caller', within.signal.reason)))
  const restart = (): void => {
    clearTimeout(clock)
    if (seconds === null || isReleased) return
    const late = (): void => reach('time', words.time ?? `it did not answer within ${seconds} s`)
    clock = setTimeout(late, Math.min(seconds * 1_000, longestTimerMs))
  }
  restart()
  return {
    signal,
    seconds,
    restart,
    onStop,
    countBytes(more) {
      bytes += more
      within?.countBytes(more)
      if (most !== undefined && bytes > most)
        reach('output', words.output ?? `it sent more than ${most.toLocaleString('en')} bytes`)
    },
    bytes: () => bytes,
    forgetBytes() {
      bytes = 0
    },
    stopAtLimit: (why) => reach('budget', why),
    stop: (reason) => end('fault', reason),
    stoppedBy: () => cause,
    orStopped: (work, patienceMs = 0) => orRejection(work, { signal, onStop }, patienceMs),
    release() {
      isReleased = true
      clearTimeout(clock)
      for (const leave of held) leave()
    },
  }
}

/** @returns what lets go of the signal */
function onAbort(signal: AbortSignal, does: () => void): () => void {
  if (signal.aborted) does()
  else signal.addEventListener('abort', does, { once: true })
  return () => signal.removeEventListener('abort', does)
}

async function orRejection<T>(
  work: Promise<T>,
  { signal, onStop }: Pick<Bounds, 'signal' | 'onStop'>,
  patienceMs: number,
): Promise<T> {
  work.catch(() => {}) // once it is stopped, how the work ends no longer matters
  let patience: NodeJS.Timeout | undefined
  let leave = (): void => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    const refuse = (): void => reject(signal.reason as Error)
    leave = onStop(() => {
      if (patienceMs === 0) refuse()
      else patience = setTimeout(refuse, patienceMs)
    })
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    clearTimeout(patience)
    leave()
  }
}

/** Resolves when a signal aborts; at once when it has already. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
