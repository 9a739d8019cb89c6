import { setTimeout as timer } from 'node:timers/promises'

/** How requests are sent again. */
export type Retrying = {
  /** Sends of one request, the first included. Integer >= 1. @defaultValue 3 */
  readonly sends?: number
  /** Wait before the second send where the answer names none, milliseconds; it doubles, and up to half of it is chance. @defaultValue 500 */
  readonly waitMs?: number
  /** All waits for one request together stay below this: who asks to wait longer gets none. @defaultValue 30,000 */
  readonly longestWaitMs?: number
  /** Whether a request is sent again whose answer got lost, though it may have been charged for. @defaultValue 'leave' */
  readonly lost?: 'leave' | 'again'
  /** @defaultValue a timer */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Answers of servers that did not do the work, and may do it later. */
const busy: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])

/** Faults before a request left this machine. */
const unsent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What was not sent for its address, which will not change: a redirect. */
const refused = 'ERR_REQUEST_REFUSED'

/**
 * A `fetch` that sends again what surely was not done: what the server answered with an error that passes, and what never left. A
 * connection that breaks after that may have been charged for: it is not tried again unless `lost` says so. `Retry-After` is kept to, in seconds or as a date.
 */
export function retryingFetch(
  send: typeof globalThis.fetch,
  { sends = 3, waitMs = 500, longestWaitMs = 30_000, lost = 'leave', wait = pause }: Retrying = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    let left = longestWaitMs
    for (let sent = 1; ; sent++) {
      const outcome = await send(input, init).catch((error: unknown) => {
        if (
          sent === sends ||
          signal?.aborted ||
          codeOf(error) === refused ||
          (lost === 'leave' && !unsent.has(codeOf(error)))
        )
          throw error
        return null
      })
      if (outcome !== null && (sent === sends || !busy.has(outcome.status))) return outcome
      const asked = retryAfterMs(outcome?.headers.get('retry-after') ?? null)
      const ms = asked ?? waitMs * 2 ** (sent - 1) * (1 - Math.random() / 2)
      if (outcome !== null && ms >= left) return outcome
      left -= ms
      await outcome?.body?.cancel()
      await wait(ms, signal)
    }
  }
}

/** Requests one after another, and whether the last may be charged for: it left, and was not answered with an error. */
export function charges(send: typeof globalThis.fetch) {
  let isCharged = false
  const sending: typeof globalThis.fetch = async (input, init) => {
    isCharged = true
    try {
      const response = await send(input, init)
      isCharged = response.ok
      return response
    } catch (error) {
      isCharged = !unsent.has(codeOf(error)) && codeOf(error) !== refused
      throw error
    }
  }
  return { send: sending, mayBeCharged: () => isCharged }
}

const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  timer(ms, undefined, signal === undefined ? {} : { signal })

/** The code of a network fault, which fetch gives as the cause of its own. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? '' : codeOf(error.cause)
}

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
