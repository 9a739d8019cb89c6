import {
  createMcpHandler,
  type McpRequestContext,
  type McpServer,
  type RequestId,
  type Server as ProtocolServer,
} from '@modelcontextprotocol/server'
import type { Audition } from '../../compose/audition.ts'
import { apiJobsOf } from '../api/api-jobs.ts'
import type { Surrounded } from '../asking/asker.ts'
import { createServer } from '../server.ts'
import { sharingOf } from '../sharing/answer-sharing.ts'
import type { Served, ServedBy, ServedPage } from './answer-http.ts'
import { largestBody } from '../schemas.ts'
import { httpExchanges } from './http-exchanges.ts'
import { logError } from './http-guards.ts'
import { howReady } from './watched-http.ts'

/** What is served, and how. */
export type ServedOptions = {
  /** What is known of whoever asks. @defaultValue nothing */
  readonly surrounded?: Surrounded
  /** What is served at `/mcp` in place of Audition itself, without the page. @param cancelled - as {@link createServer} takes it */
  readonly server?: (cancelled: (id: RequestId) => AbortSignal | undefined) => McpServer | ProtocolServer
  /** Who has the page, and how the token is given to it. @defaultValue callers, who have the token or need none */
  readonly page?: Pick<ServedPage, 'role' | 'enter'>
  /** Metrics as a text of Prometheus, at `/metrics` for whoever may call. @defaultValue they are not told here */
  readonly metrics?: () => Promise<string>
}

/** Puts one Audition behind the guards: its requests, jobs and cancellations are its own. */
export function servedOver(app: Audition, options: ServedOptions): Served & { close(): Promise<void> } {
  const { surrounded, page: who = { role: 'caller' }, metrics = null } = options
  const exchanges = httpExchanges()
  const serverFor = ({ requestInfo }: McpRequestContext) => {
    const cancelled = (id: RequestId) => exchanges.signalOf(requestInfo, id)
    if (options.server !== undefined) return options.server(cancelled)
    return createServer(app, { cancelled, ...(surrounded === undefined ? {} : { surrounded }) })
  }
  const handler = createMcpHandler(serverFor, {
    maxRequestBodySize: largestBody,
    maxSubscriptions: 0, // nothing that we list ever changes
    onerror: logError,
  })
  const page = options.server === undefined ? { app, jobs: apiJobsOf(app), surrounded, ...who } : null
  return { handler, exchanges, page, metrics, close: () => handler.close() }
}

/** What serves, and what there is to end when it stops. */
export type ClosableServedBy = ServedBy & {
  /** What jobs may run over now. */
  apps(): readonly Audition[]
  /** Closes what was opened for it, once nothing runs. */
  close(): Promise<void>
}

/** What of one Audition anyone may find, and where clients reach it. */
export type SharedOptions = {
  /** Sources that anyone who reaches the server may find, without a token. @defaultValue none */
  readonly share?: readonly string[]
  readonly publicUrl?: string
}

/** One Audition for all callers. */
export function oneServed(app: Audition, options: ServedOptions & SharedOptions): ClosableServedBy {
  const { share = [], publicUrl } = options
  const served = servedOver(app, options)
  return {
    page: served.page,
    ready: served.page && (() => howReady(app)),
    servedFor: async () => served,
    ...(share.length === 0 ? {} : { sharing: sharingOf(app, share, publicUrl) }),
    apps: () => [app],
    close: served.close,
  }
}
