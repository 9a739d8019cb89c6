import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  isInitializeRequest,
  isJsonContentType,
  type McpHttpHandler,
  type RequestId,
  readRequestBody,
} from '@modelcontextprotocol/server'
import { cancellations, type Exchange } from '../jobs/cancellations.ts'
import { errorResponse, tooOften } from './http-refusals.ts'

/** Largest request body, in bytes: queries have up to 8,000 characters. */
export const largestBody = 1024 * 1024

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
