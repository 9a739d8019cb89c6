import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import {
  isInitializeRequest,
  isJsonContentType,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type McpHttpHandler,
  readRequestBody,
  type RequestId,
} from '@modelcontextprotocol/server'
import { largestBody } from '../schemas.ts'
import { errorResponse, tooOften } from './http-guards.ts'

/** Who sends a request, and how often that one may. */
type HttpCaller = {
  readonly key: string
  /** Counts one request; the seconds to wait when it is one too many. */
  take(): number
}

/** The HTTP requests that run in one process. */
export type HttpExchanges = {
  /** Aborts once this message of the request is cancelled, or the connection ends. */
  signalOf(request: Request | undefined, id: RequestId): AbortSignal | undefined
  /** Answers one HTTP request of a caller. */
  fetchFor(caller: HttpCaller, response: ServerResponse, handler: McpHttpHandler): McpHttpHandler['fetch']
}

/**
 * Reads a request before the SDK does, so that a batch counts as what it holds, and a cancellation finds its request:
 * the SDK serves each HTTP request by a server of its own. For that alone a client gets the id of a session when it
 * begins. Nothing is kept of it, it proves nothing, and one that is unknown here is as good.
 */
export function httpExchanges(): HttpExchanges {
  const running = cancellations()
  // No weak map: a request that is collected does not pass on that its connection has ended.
  const exchanges = new Map<Request, Exchange>()
  return {
    signalOf: (request, id) => request && exchanges.get(request)?.signalOf(id),
    fetchFor(caller, response, handler) {
      return async (request, options) => {
        if (!isJsonContentType(request.headers.get('content-type'))) return handler.fetch(request, options)
        const body = await readBody(request, caller)
        if (body instanceof Response) return body
        if (response.destroyed) return new Response(null, { status: 499 }) // the SDK would not notice any more
        const { method, headers, url } = request
        const session = headers.get('mcp-session-id')
        const exchange = running.take({ caller: caller.key, session }, body.messages)
        const watched = new Request(url, { method, headers, signal: exchange.signal })
        exchanges.set(watched, exchange)
        response.once('close', () => {
          exchanges.delete(watched)
          exchange.end()
        })
        const answer = await handler.fetch(watched, { ...options, parsedBody: body.parsed })
        answer.headers.delete('connection') // whether it is kept is between the client and node:http
        if (answer.ok && body.messages.some(isInitializeRequest)) {
          answer.headers.set('mcp-session-id', randomUUID())
        }
        return answer
      }
    },
  }
}

type Body = { readonly parsed: unknown; readonly messages: readonly unknown[] }

/** A body that is no JSON, or holds more than its caller may send, is answered at once. */
async function readBody(request: Request, { take }: HttpCaller): Promise<Body | Response> {
  const body = await readRequestBody(request, largestBody)
  if (body.tooLarge) return errorResponse({ status: 413, message: 'The body is too large.' })
  const parsed = parseJson(body.text)
  if (parsed === undefined) return errorResponse({ status: 400, message: 'The body is no JSON.' }, -32_700)
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  for (let more = messages.length - 1; more > 0; more -= 1) {
    const wait = take()
    if (wait > 0) return errorResponse(tooOften(wait))
  }
  return { parsed, messages }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Who sent a message: the key of a caller, and the session that its client was given; null without one. */
type Sender = { readonly caller: string; readonly session: string | null }

/** The requests of one HTTP request, while they run. */
type Exchange = {
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
