import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  isJsonContentType,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  readRequestBody,
} from '@modelcontextprotocol/server'
import { corsHeaders } from './cors.ts'
import { callerOf } from './http-callers.ts'
import { type Refusal, refuseAmbiguous, refuseForeignPage } from './http-guards.ts'
import type { HttpPolicy } from './http-policy.ts'
import { logError } from './log-error.ts'
import { metadataPaths, resourceMetadata } from './protected-resource.ts'

/** Largest request body, in bytes: queries have up to 8,000 characters. */
export const largestBody = 1024 * 1024

/** Answers one request, or turns it away. */
export type HttpAnswerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Requests are turned away in this order: what is ambiguous, foreign pages, too many at once, strangers, callers who
 * ask too often, wrong addresses. `/health` and the metadata of the protected resource are open to all.
 */
export function httpAnswerer(handler: McpHttpHandler, policy: HttpPolicy): HttpAnswerer {
  let open = 0
  return async (request, response) => {
    for (const [name, value] of Object.entries(corsHeaders(request, policy.origins)))
      response.setHeader(name, value)
    const foreign = refuseAmbiguous(request) ?? refuseForeignPage(request, policy)
    if (foreign !== null) return refused(response, foreign)
    if (answerOpenly(request, response, policy)) return
    if (open >= policy.mostRequests) return refused(response, busy(policy.mostRequests))
    open += 1
    try {
      await answerCaller(request, response, policy, handler)
    } finally {
      open -= 1
    }
  }
}

/** What anyone may ask. @returns whether it was answered */
function answerOpenly(request: IncomingMessage, response: ServerResponse, policy: HttpPolicy): boolean {
  const { method = '' } = request
  const path = pathOf(request)
  const isReading = method === 'GET' || method === 'HEAD'
  if (path === '/health') {
    if (isReading) json(response, 200, { status: 'ok' })
    else refused(response, wrongMethod('GET, HEAD'))
    return true
  }
  if (policy.resource !== null && metadataPaths(policy.resource).includes(path)) {
    const metadata = resourceMetadata(policy.resource)
    if (metadata === null) return false
    response.setHeader('access-control-allow-origin', '*') // clients in pages look it up before they have a token
    if (isReading) json(response, 200, metadata)
    else refused(response, wrongMethod('GET, HEAD'))
    return true
  }
  if (method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
  response.writeHead(204).end()
  return true
}

async function answerCaller(
  request: IncomingMessage,
  response: ServerResponse,
  policy: HttpPolicy,
  handler: McpHttpHandler,
): Promise<void> {
  const { key, refusal } = await callerOf(request, policy.credentials, policy.resource)
  const wait = policy.rate.take(key)
  if (wait > 0) return refused(response, tooOften(wait))
  if (refusal !== null) return refused(response, refusal)
  const path = pathOf(request)
  if (path !== '/mcp' && path !== policy.resource?.path) {
    return refused(response, { status: 404, message: 'Not found: the MCP endpoint is /mcp.' })
  }
  if (request.method !== 'POST') return refused(response, wrongMethod('POST'))
  const counted = countedFetch(handler, () => policy.rate.take(key))
  // node:http types absent values as undefined, which the adapter's exact optional fields refuse.
  const serve = toNodeHandler({ fetch: counted }, { maxRequestBodySize: largestBody, onerror: logError })
  await (serve as unknown as HttpAnswerer)(request, response)
}

/**
 * Reads the body, so that a batch counts as what it holds.
 *
 * @param take - counts one request; the seconds to wait when it is one too many
 */
const countedFetch =
  (handler: McpHttpHandler, take: () => number) =>
  async (request: Request, options?: McpHandlerRequestOptions): Promise<Response> => {
    if (!isJsonContentType(request.headers.get('content-type'))) return handler.fetch(request, options)
    const body = await readRequestBody(request, largestBody)
    if (body.tooLarge) return errorResponse({ status: 413, message: 'The body is too large.' })
    const parsed = parseJson(body.text)
    if (parsed === undefined) return errorResponse({ status: 400, message: 'The body is no JSON.' }, -32_700)
    for (let more = Array.isArray(parsed) ? parsed.length - 1 : 0; more > 0; more -= 1) {
      const wait = take()
      if (wait > 0) return errorResponse(tooOften(wait))
    }
    const response = await handler.fetch(request, { ...options, parsedBody: parsed })
    response.headers.delete('connection') // whether the connection is kept is between the client and node:http
    return response
  }

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0]!

const wrongMethod = (allow: string): Refusal => ({
  status: 405,
  message: `Method not allowed: use ${allow}.`,
  headers: { allow },
})

const busy = (most: number): Refusal => ({
  status: 503,
  message: `Busy: ${most} requests are open. Try again in a second.`,
  headers: { 'retry-after': '1' },
})

const tooOften = (seconds: number): Refusal => ({
  status: 429,
  message: `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  headers: { 'retry-after': String(seconds) },
})

/** Turns a request away, in the protocol's form. */
export function refused(response: ServerResponse, refusal: Refusal): void {
  for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value)
  json(response, refusal.status, errorBody(refusal))
}

const errorResponse = (refusal: Refusal, code?: number): Response =>
  Response.json(errorBody(refusal, code), {
    status: refusal.status,
    headers: { ...refusal.headers },
  })

const errorBody = ({ message }: Refusal, code = -32_000) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
