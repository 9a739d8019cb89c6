import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Audition } from '../../compose/audition.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { currentWatcher } from '../../watching/watch.ts'
import { apiRoot } from '../api/answer-api.ts'
import { json, logError, pathOf, refused, refuseForeignPage } from './http-guards.ts'
import { isLoopback } from './protected-resource.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'PATCH'])
const routes: ReadonlySet<string> = new Set(['/mcp', '/health', '/ready', '/metrics'])

/** Tells whoever watches of an HTTP request: open now, and how it ended. Who asks and for what is not told. */
export function watchHttp(request: IncomingMessage, response: ServerResponse): void {
  const watcher = currentWatcher()
  if (watcher === null) return
  const path = pathOf(request)
  const isOfApi = path === apiRoot || path.startsWith(`${apiRoot}/`)
  const method = methods.has(request.method ?? '') ? request.method! : '_OTHER'
  const attributes = { 'http.request.method': method, 'url.scheme': 'http' }
  const began = performance.now()
  watcher.record('http.server.active_requests', 1, attributes)
  response.once('close', () => {
    const seconds = (performance.now() - began) / 1_000
    const ended = {
      ...attributes,
      'http.route': routes.has(path) ? path : isOfApi ? apiRoot : 'other',
      'http.response.status_code': response.headersSent ? response.statusCode : 499,
    }
    watcher.record('http.server.active_requests', -1, attributes)
    watcher.record('http.server.request.duration', seconds, ended)
    if (ended['http.response.status_code'] >= 400) watcher.log('warn', 'http request refused', ended)
  })
}

/**
 * What is loaded and, of a replica of object storage, how old it may be. Why the storage cannot tell stands in the log, since addresses
 * are in it.
 */
export async function howReady(app: Pick<Audition, 'counts' | 'storeAge'>): Promise<object> {
  const counts = await app.counts()
  const age = await app.storeAge()
  if (age === null) return counts
  const seconds = Math.round((Date.now() - age.seen.getTime()) / 1000)
  const unreachable = age.failing && { unreachableSince: age.failing.since.toISOString() }
  return { ...counts, store: { seconds, ...unreachable } }
}

/** Whether searches can be answered: the store is open, and its newest commit that was looked for is loaded. */
export async function answerReady(ready: () => Promise<object>, response: ServerResponse): Promise<void> {
  try {
    json(response, 200, { status: 'ready', ...(await ready()) })
  } catch (error) {
    if (!(error instanceof NoIndexError)) logError(error)
    const why = error instanceof NoIndexError ? 'nothing is indexed' : 'the store cannot be read'
    json(response, 503, { status: 'not ready', why })
  }
}

export async function answerMetrics(metrics: () => Promise<string>, response: ServerResponse): Promise<void> {
  const text = await metrics()
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
}

/**
 * Serves `/metrics`, `/health` and `/ready` at an address of their own, without a token: whoever reaches it may read them.
 *
 * @throws Error when the address is taken
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { metrics, ready }: { readonly metrics: () => Promise<string>; readonly ready: () => Promise<object> },
): Promise<{ readonly port: number; close(): void }> {
  const hosts = isLoopback(host) ? new Set<string>() : null
  const server: Server = createServer((request, response) => {
    const foreign = refuseForeignPage(request, { hosts, origins: new Set() })
    const path = pathOf(request)
    if (foreign !== null) refused(response, foreign)
    else if (request.method !== 'GET')
      refused(response, { status: 405, message: 'Method not allowed: use GET.' })
    else if (path === '/metrics') void answerMetrics(metrics, response).catch(logError)
    else if (path === '/health') json(response, 200, { status: 'ok' })
    else if (path === '/ready') void answerReady(ready, response)
    else refused(response, { status: 404, message: 'Not found: /metrics, /health and /ready are here.' })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as { readonly port: number }).port
  return {
    port: bound,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
