import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Audition } from '../audition.ts'
import { corsHeaders } from './cors.ts'
import { drained, drainMs, runningRequests } from './drain.ts'
import { type HttpPolicy, type Refusal, refuseForeignPage, refuseWithoutToken } from './http-guards.ts'
import { hostnameOf, isLoopback } from './loopback.ts'
import { once } from './once.ts'
import { createServer } from './server.ts'
import { warmUp } from './warm-up.ts'

/** How to serve over HTTP. */
export type HttpOptions = {
  /** Address or name to listen on. Any that other machines reach wants a token. @defaultValue '127.0.0.1' */
  readonly host?: string
  /** Port, 0 for any free one. @defaultValue 7333 */
  readonly port?: number
  /** What callers must send as `Authorization: Bearer <token>`. */
  readonly token?: string
  /** Origins of web pages that may call, such as `https://app.example`. Pages of this machine always may. */
  readonly allowedOrigins?: readonly string[]
  /** Names that `Host` may hold besides loopback ones; without them, any may when a token is asked for. */
  readonly allowedHosts?: readonly string[]
}

/** A server that listens. */
export type HttpServing = {
  /** Address of the MCP endpoint, for people and for configurations. */
  readonly url: string
  readonly port: number
  /**
   * Refuses new requests, lets running ones and jobs finish for up to ten seconds, stops those that do not, and closes
   * the app.
   */
  close(): Promise<void>
}

/** Largest request body, in bytes: queries are read up to 8,000 characters. */
const largestBody = 1024 * 1024

/**
 * Serves MCP over streamable HTTP at `/mcp`, for the protocol's current revision and the older ones, and
 * `GET /health`. Nothing is kept between requests, so that any replica can answer any of them.
 *
 * @throws Error when the address would be open to other machines without a token, or is taken
 */
export async function serveHttp(app: Audition, options: HttpOptions = {}): Promise<HttpServing> {
  const { host = '127.0.0.1', port = 7333 } = options
  const policy = policyOf(options, host)
  const handler = createMcpHandler(() => createServer(app), {
    maxRequestBodySize: largestBody,
    maxSubscriptions: 0, // nothing that we list ever changes
    onerror: logError,
  })
  // node:http types absent values as undefined, which the adapter's exact optional fields refuse.
  const serveMcp = toNodeHandler(handler, {
    maxRequestBodySize: largestBody,
    onerror: logError,
  }) as unknown as McpRequestHandler
  const http = createHttpServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 })
  const running = runningRequests<ServerResponse>()
  let isStopping = false
  http.on('request', (request, response) => {
    if (isStopping) return refused(response, stopping)
    running.add(response)
    response.once('close', () => running.remove(response))
    answer(request, response, policy, serveMcp).catch((error: unknown) => {
      logError(error)
      response.destroy()
    })
  })
  await listening(http, host, port)
  warmUp(app)
  const bound = (http.address() as AddressInfo).port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`,
    port: bound,
    close: once(async () => {
      isStopping = true
      await drained(running, app, AbortSignal.timeout(drainMs))
      await closed(http)
      await handler.close()
      await app.close()
    }),
  }
}

/** @throws Error when the options would leave the server open */
function policyOf({ token, allowedHosts, allowedOrigins = [] }: HttpOptions, host: string): HttpPolicy {
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new Error(
      'The token is empty or holds white space. Give one without, for example of 32 random letters.',
    )
  }
  if (!isLoopback(host) && token === undefined) {
    throw new Error(
      `${host === '' ? 'Every address' : host} can be reached from other machines, and no token is set. ` +
        'Set a token, or listen on 127.0.0.1.',
    )
  }
  const open = !isLoopback(host) && allowedHosts === undefined
  return {
    hosts: open ? null : new Set((allowedHosts ?? []).map((name) => hostnameOf(name) ?? name.toLowerCase())),
    origins: new Set(allowedOrigins),
    token: token ?? null,
  }
}

type McpRequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  policy: HttpPolicy,
  serveMcp: McpRequestHandler,
): Promise<void> {
  for (const [name, value] of Object.entries(corsHeaders(request, policy.origins)))
    response.setHeader(name, value)
  const refusal = refuse(request, policy)
  if (refusal !== null) return refused(response, refusal)
  if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  if (pathOf(request) === '/health') return void json(response, 200, { status: 'ok' })
  await serveMcp(request, response)
}

/** The first reason to turn a request away, in the order: foreign pages, strangers, wrong addresses. */
function refuse(request: IncomingMessage, policy: HttpPolicy): Refusal | null {
  const foreign = refuseForeignPage(request, policy)
  if (foreign !== null) return foreign
  const path = pathOf(request)
  const { method } = request
  if (path === '/health') return method === 'GET' || method === 'HEAD' ? null : wrongMethod('GET, HEAD')
  if (method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) return null
  const stranger = refuseWithoutToken(request, policy)
  if (stranger !== null) return stranger
  if (path !== '/mcp') return { status: 404, message: 'Not found: the MCP endpoint is /mcp.' }
  return method === 'POST' ? null : wrongMethod('POST')
}

const wrongMethod = (allow: string): Refusal => ({
  status: 405,
  message: `Method not allowed: use ${allow}.`,
  headers: { allow },
})

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0]!

function refused(response: ServerResponse, { status, message, headers = {} }: Refusal): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  json(response, status, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** @throws Error that says what to do when the port is taken */
function listening(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is in use. Choose another one, or 0 for any free one.`
      reject(error.code === 'EADDRINUSE' ? new Error(taken, { cause: error }) : error)
    })
    http.listen(port, host, resolve)
  })
}

/** A clear answer for callers who keep a connection, or find the address before it is gone. */
const stopping: Refusal = {
  status: 503,
  message: 'The server is stopping. Try again in a moment.',
  headers: { connection: 'close', 'retry-after': '1' },
}

/** Listens no longer, and cuts off whoever still holds a connection. */
function closed(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
}

const logError = (error: unknown): void =>
  console.error(`audition: ${error instanceof Error ? error.message : String(error)}`)
