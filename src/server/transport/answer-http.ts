import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { answerApi, apiRoot } from '../api/answer-api.ts'
import type { ApiContext } from '../api/endpoint.ts'
import { isPagePath, isReportPath, sendPageFile, sendReport } from '../api/page-files.ts'
import type { Sharing } from '../sharing/answer-sharing.ts'
import { callerOf } from './http-callers.ts'
import { largestBody } from '../schemas.ts'
import type { HttpExchanges } from './http-exchanges.ts'
import {
  json,
  logError,
  pathOf,
  type Refusal,
  refuseAmbiguous,
  refused,
  refuseForeignPage,
  type ServedPart,
  tooOften,
} from './http-guards.ts'
import type { HttpPolicy } from './http-policy.ts'
import { answerMetrics, answerReady } from './watched-http.ts'
import { metadataPaths, resourceMetadata } from './protected-resource.ts'

/** Request headers of the protocol that a page may send. */
const requestHeaders = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
].join(', ')

/**
 * Headers that let a page of an origin that was allowed by name call and read our answers. No other page gets past the guard.
 */
function corsHeaders(
  request: IncomingMessage,
  origins: ReadonlySet<string>,
): { readonly [name: string]: string } {
  const { origin } = request.headers
  if (origin === undefined || !origins.has(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-protocol-version, mcp-session-id, www-authenticate',
    vary: 'origin',
    ...(request.method === 'OPTIONS'
      ? {
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': requestHeaders,
          'access-control-max-age': '600',
        }
      : {}),
  }
}

/** Answers one request, or turns it away. */
type HttpAnswerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The page beside the MCP endpoint. */
export type ServedPage = Omit<ApiContext, 'signal'> & {
  /** Gives the token for a ticket of the address that a person was shown; null for any other. */
  readonly enter?: (ticket: string) => string | null
}

/** What is behind the guards for a caller. */
export type Served = {
  readonly handler: McpHttpHandler
  readonly exchanges: HttpExchanges
  /** Null where another server than Audition is served. */
  readonly page: ServedPage | null
  /** Metrics as a text of Prometheus; null where they are not told here. */
  readonly metrics: (() => Promise<string>) | null
  /** Counts one request against what all callers of a tenant may make together; the seconds to wait when it is one too many. */
  readonly take?: () => number
}

/** Who is served by what. */
export type ServedBy = {
  /** What anyone may have of the page: its files, and its token for a ticket; null without a page. */
  readonly page: Pick<ServedPage, 'enter'> | null
  /** How what is served is, for whoever watches; null without it. @throws what keeps it from answering */
  readonly ready: (() => Promise<object>) | null
  /** What anyone may find, without a token. @defaultValue nothing */
  readonly sharing?: Sharing
  /** What a caller is served by, until the response is closed; or why not. */
  servedFor(tenant: string | null, response: ServerResponse): Promise<Served | Refusal>
}

/**
 * Requests are turned away in this order: what is ambiguous, foreign pages, too many at once, strangers, callers who
 * ask too often, wrong addresses. `/health`, `/ready` and the metadata of the protected resource are open to all; what is shared is so too, to
 * so many requests of each.
 */
export function httpAnswerer(by: ServedBy, policy: HttpPolicy): HttpAnswerer {
  let open = 0
  return async (request, response) => {
    for (const [name, value] of Object.entries(corsHeaders(request, policy.origins)))
      response.setHeader(name, value)
    const part = partOf(request, by)
    const foreign = refuseAmbiguous(request) ?? refuseForeignPage(request, policy, part)
    if (foreign !== null) return refused(response, foreign, part)
    if (await answerOpenly(request, response, { by, policy })) return
    if (open >= policy.mostRequests) return refused(response, busy(policy.mostRequests), part)
    open += 1
    try {
      await answerCaller(request, response, { by, policy })
    } finally {
      open -= 1
    }
  }
}

/** What anyone may ask. @returns whether it was answered */
async function answerOpenly(
  request: IncomingMessage,
  response: ServerResponse,
  { by: { page, ready }, policy }: Answering,
): Promise<boolean> {
  const { method = '' } = request
  const path = pathOf(request)
  const isReading = method === 'GET' || method === 'HEAD'
  if (path === '/health' || (path === '/ready' && ready !== null)) {
    if (!isReading) refused(response, wrongMethod('GET, HEAD'))
    else if (path === '/health') json(response, 200, { status: 'ok' })
    else await answerReady(ready!, response)
    return true
  }
  if (page !== null && isPagePath(path)) {
    if (isReading) await sendPageFile(path, request, response)
    else refused(response, wrongMethod('GET, HEAD'), 'page')
    return true
  }
  if (page !== null && isReportPath(path)) {
    if (!isReading) refused(response, wrongMethod('GET, HEAD'), 'page')
    else if (method === 'HEAD' || !sendReport(path, response)) refused(response, usedReport, 'page')
    return true
  }
  if (path === `${apiRoot}/enter` && page?.enter !== undefined) {
    const token = page.enter(String(request.headers['audition-ticket'] ?? ''))
    if (method === 'POST' && token !== null) json(response, 200, { token })
    else refused(response, usedTicket, 'api')
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

type Answering = { readonly by: ServedBy; readonly policy: HttpPolicy }

async function answerCaller(
  request: IncomingMessage,
  response: ServerResponse,
  { by, policy }: Answering,
): Promise<void> {
  const { key, tenant, refusal } = await callerOf(request, policy.credentials, policy.resource)
  const [path, part] = [pathOf(request), partOf(request, by)]
  const wait = policy.rate.take(key)
  if (wait > 0) return refused(response, tooOften(wait), part)
  if (by.sharing !== undefined && part === 'shared') {
    const shared = toNodeHandler({ fetch: by.sharing.answer }, { onerror: logError })
    return (shared as unknown as HttpAnswerer)(request, response)
  }
  if (refusal !== null)
    return refused(
      response,
      by.page?.enter !== undefined && refusal.status === 401 ? startedAnew : refusal,
      part,
    )
  const served = await by.servedFor(tenant, response)
  if ('status' in served) return refused(response, served, part)
  const { handler, exchanges, page, metrics } = served
  if (page !== null && part === 'api') {
    const api = toNodeHandler({ fetch: (asked: Request) => answerApi(asked, page) }, { onerror: logError })
    return (api as unknown as HttpAnswerer)(request, response)
  }
  if (path === '/metrics' && metrics !== null) {
    if (request.method === 'GET') return answerMetrics(metrics, response)
    return refused(response, wrongMethod('GET'))
  }
  if (path !== '/mcp' && path !== policy.resource?.path) {
    return refused(response, {
      status: 404,
      message: `Not found: the MCP endpoint is /mcp, the API ${apiRoot}.`,
    })
  }
  if (request.method !== 'POST') return refused(response, wrongMethod('POST'))
  const take = () => Math.max(policy.rate.take(key), served.take?.() ?? 0)
  const fetch = exchanges.fetchFor({ key, take }, response, handler)
  // node:http types absent values as undefined, which the adapter's exact optional fields refuse.
  const serve = toNodeHandler({ fetch }, { maxRequestBodySize: largestBody, onerror: logError })
  await (serve as unknown as HttpAnswerer)(request, response)
}

function partOf(request: IncomingMessage, { sharing }: ServedBy): ServedPart {
  const path = pathOf(request)
  if (sharing?.answers(path) === true) return 'shared'
  if (isPagePath(path) || isReportPath(path)) return 'page'
  return path === apiRoot || path.startsWith(`${apiRoot}/`) ? 'api' : 'mcp'
}

const usedReport: Refusal = {
  status: 404,
  message: 'This report was opened already, or a minute has gone by. Open it from the page again.',
}

const usedTicket: Refusal = {
  status: 403,
  message: 'This address was used already. Take the newest one that `audition ui` printed.',
}

/** Nobody can type the token of `audition ui`; the realm tells its page so. */
const startedAnew: Refusal = {
  status: 401,
  message: 'Unauthorized: the token is of another start. Open the newest address that `audition ui` printed.',
  headers: { 'www-authenticate': 'Bearer realm="audition ui"' },
}

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
