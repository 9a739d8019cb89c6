import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Audition } from '../compose/audition.ts'
import { httpAnswerer } from './transport/answer-http.ts'
import { drained, drainMs, runningRequests } from './jobs/drain.ts'
import { type HttpAccess, httpPolicy } from './transport/http-policy.ts'
import { logError, type Refusal, refused } from './transport/http-guards.ts'
import { once } from '../domain/once.ts'
import { oneServed, type ServedOptions, type SharedOptions } from './transport/served.ts'
import { accessOf, servedTenants, type TenantsToServe } from './tenants/served-tenants.ts'
import { watchHttp } from './transport/watched-http.ts'
import { keepCurrent, warmUp } from './jobs/background.ts'
import { addressKey } from './transport/http-callers.ts'

/** How to serve over HTTP. */
export type HttpOptions = Omit<HttpAccess, 'tenants'> &
  ServedOptions &
  SharedOptions & {
    /** Address or name to listen on. Any that other machines reach wants callers to prove who they are. @defaultValue '127.0.0.1' */
    readonly host?: string
    /** Port, 0 for any free one. @defaultValue 7333 */
    readonly port?: number
    /** Whether it takes in what changes in files that were indexed, and asks servers again. @defaultValue false */
    readonly watches?: boolean
    /** Tenants, each with a store of its own, in place of the app's: who calls says whose. */
    readonly tenants?: TenantsToServe
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

/**
 * What a connection may cost: headers within ten seconds, a body within thirty, and none that is silent for longer than
 * the longest wait of a call. Proxies keep theirs for a minute: who ends first would lose what the other sends.
 */
const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
} as const
const silentMs = 330_000
const mostConnections = 1_024
/** Of one address, without a request under way. */
const mostWaiting = 128

/**
 * Serves MCP over streamable HTTP at `/mcp`, for the protocol's current revision and the older ones, and
 * the page at `/` with its API, `GET /health` and `GET /ready`. Of MCP nothing is kept between requests, so that any replica can answer any of them; only a message that
 * cancels a request must reach the one that runs it.
 *
 * @throws Error when the address would be open to other machines without a token, or is taken
 */
export async function serveHttp(app: Audition, options: HttpOptions = {}): Promise<HttpServing> {
  const { host = '127.0.0.1', port = 7333 } = options
  const { tenants, ...access } = options
  const policy = httpPolicy({ ...access, ...accessOf(tenants) }, host, app.guardedFetch)
  const by = tenants === undefined ? oneServed(app, options) : await servedTenants(tenants)
  const answer = httpAnswerer(by, policy)
  const http = createHttpServer(connectionLimits)
  http.timeout = silentMs
  http.maxConnections = mostConnections
  boundWaiting(http, mostWaiting)
  const running = runningRequests<ServerResponse>()
  let isStopping = false
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    watchHttp(request, response)
    if (isStopping) refused(response, stopping)
    else {
      running.add(response)
      response.once('close', () => running.remove(response))
      answer(request, response).catch((error: unknown) => {
        logError(error)
        response.destroy()
      })
    }
  }
  http.on('request', oneAtATime(begin))
  await listening(http, host, port)
  if (options.server === undefined && tenants === undefined) warmUp(app)
  const keeping = options.watches === true ? keepCurrent(app) : undefined
  const bound = (http.address() as AddressInfo).port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`,
    port: bound,
    close: once(async () => {
      isStopping = true
      const deadline = AbortSignal.timeout(drainMs)
      await Promise.all([...by.apps().map((one) => drained(running, one, deadline)), keeping?.close()])
      await closed(http)
      await by.close()
      await app.close()
    }),
  }
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

/**
 * Bounds the connections of one address on which no request is under way: half-open ones, and those kept for later. Beyond the bound
 * the one that has waited longest is closed, so that whoever opens many and says nothing closes his own, and a caller who sends at once gets
 * in from any address.
 *
 * @param most - integer >= 1
 */
export function boundWaiting(server: Server, most: number): void {
  /** In the order in which they began to wait. */
  const waiting = new Map<string, Set<Socket>>()
  const remove = (socket: Socket, address: string): void => {
    const others = waiting.get(address)
    others?.delete(socket)
    if (others?.size === 0) waiting.delete(address)
  }
  const add = (socket: Socket, address: string): void => {
    if (socket.destroyed) return
    const others = waiting.get(address) ?? new Set()
    waiting.set(address, others.add(socket))
    const [longest] = others
    if (others.size > most && longest !== undefined) {
      remove(longest, address)
      longest.destroy()
    }
  }
  const addresses = new WeakMap<Socket, string>()
  server.on('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress)
    addresses.set(socket, address)
    socket.once('close', () => remove(socket, address))
    add(socket, address)
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = addresses.get(socket)
    if (address === undefined) return
    remove(socket, address)
    response.once('close', () => add(socket, address))
  })
}

/** Requests that may wait on one connection. Clients that send several before the first answer are rare. */
const mostQueued = 16

/**
 * Answers the requests of one connection one after another, as their answers must leave anyway: who sends many at once
 * and does not read would else have the server work for nobody while others wait. A connection on which too many wait
 * is closed.
 */
export function oneAtATime(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  const take = (socket: Socket): void => {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
    if (next === undefined) waiting.delete(socket)
    else next()
  }
  return (request, response) => {
    const { socket } = request
    const turn = (): void => {
      response.once('close', () => take(socket))
      answer(request, response)
    }
    const others = waiting.get(socket)
    if (others === undefined) {
      waiting.set(socket, [])
      turn()
    } else if (others.length < mostQueued) others.push(turn)
    else socket.destroy()
  }
}
