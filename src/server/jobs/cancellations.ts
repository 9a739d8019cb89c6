import { setMaxListeners } from 'node:events'
import { isJSONRPCNotification, isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server'

/** Who sent a message: the key of a caller, and the session that its client was given; null without one. */
type Sender = { readonly caller: string; readonly session: string | null }

/** The requests of one HTTP request, while they run. */
export type Exchange = {
  /** Aborts once every request in it is cancelled: nobody waits for the response. */
  readonly signal: AbortSignal
  /** Aborts once this request of it is cancelled; undefined when it holds none of this id. */
  signalOf(id: RequestId): AbortSignal | undefined
  /** Forgets its requests; those that still run are stopped. */
  end(): void
}

/** Finds the request that a cancellation means, though each message comes in an HTTP request of its own. */
type Cancellations = {
  /** Stops what these messages cancel, and watches the requests among them until the exchange ends. */
  take(sender: Sender, messages: readonly unknown[]): Exchange
}

/**
 * The running requests of one process. Clients of the revisions that begin with `initialize` cancel by a message: its
 * request is told by who sent it, by the session and by its id. Without a session two clients may use the same id at
 * once: then neither is stopped, since it may be the other's.
 */
export function cancellations(): Cancellations {
  const running = new Map<string, Set<AbortController>>()
  return {
    take(sender, messages) {
      for (const message of messages) {
        const meant = running.get(keyOf(sender, cancelledBy(message))) ?? new Set()
        if (meant.size === 1) for (const controller of meant) controller.abort()
      }
      const own = new Map(
        messages.filter(isJSONRPCRequest).map(({ id }) => [keyOf(sender, id), sharedController()]),
      )
      for (const [key, controller] of own) running.set(key, new Set(running.get(key)).add(controller))
      return {
        signal: lastOf([...own.values()].map(({ signal }) => signal)),
        signalOf: (id) => own.get(keyOf(sender, id))?.signal,
        end() {
          for (const [key, controller] of own) {
            controller.abort()
            const others = running.get(key)
            others?.delete(controller)
            if (others?.size === 0) running.delete(key)
          }
        },
      }
    },
  }
}

/** A batch may give many requests one id: they all listen. */
function sharedController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** The id of the request that a message cancels; undefined when it cancels none. */
const cancelledBy = (message: unknown): unknown =>
  isJSONRPCNotification(message) && message.method === 'notifications/cancelled'
    ? message.params?.requestId
    : undefined

/** The type of an id counts: 7 and "7" are two requests. */
const keyOf = ({ caller, session }: Sender, id: unknown): string => JSON.stringify([caller, session, { id }])

/** Aborts with the last of these signals; never when there is none. */
function lastOf(signals: readonly AbortSignal[]): AbortSignal {
  const last = new AbortController()
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) last.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', look, { once: true })
  return last.signal
}
