import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorText } from '../../domain/remedy-error.ts'
import { sharingError } from '../sharing/answer-sharing.ts'
import { hostnameOf, isLoopback } from './protected-resource.ts'

/** From where a request may come. */
export type OriginPolicy = {
  /** Names and addresses that `Host` may hold besides loopback ones; null when any may, which wants credentials. */
  readonly hosts: ReadonlySet<string> | null
  /** Origins of web pages that may call, such as `https://app.example`. */
  readonly origins: ReadonlySet<string>
}

/** What follows on such a connection is not read. */
const end = { connection: 'close' }
/** Header lines of one request at most; hosts send about ten. */
const mostHeaders = 100

/**
 * Turns away what two readers could read in two ways: several `Host` or `Authorization` headers, or a request target
 * that names another server than they do. Only proxies send such targets.
 */
export function refuseAmbiguous(request: IncomingMessage): Refusal | null {
  if (request.rawHeaders.length > 2 * mostHeaders) {
    return { status: 431, message: `Too many headers: at most ${mostHeaders} are read.`, headers: end }
  }
  for (const name of ['host', 'authorization'] as const) {
    if ((request.headersDistinct[name]?.length ?? 0) > 1) {
      return { status: 400, message: `Bad request: there is more than one ${name} header.`, headers: end }
    }
  }
  if (request.url?.startsWith('/') === true) return null
  return {
    status: 400,
    message: 'Bad request: the request target must be a path, such as /mcp.',
    headers: end,
  }
}

export const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0]!

/** What of the server is asked: our own page may ask for itself and the API, and no page for the MCP endpoint. */
export type ServedPart = 'mcp' | 'page' | 'api' | 'shared'

/** Whether a page of this origin came from here: `Host` was looked at before. A proxy may speak TLS for us. */
const isOfThisServer = (origin: string, { headers }: IncomingMessage): boolean =>
  [`http://${headers.host}`, `https://${headers.host}`].some(
    (own) => own.toLowerCase() === origin.toLowerCase(),
  )

/**
 * A web page that a browser on this machine shows may have its own name point here (DNS rebinding): it is told by
 * its `Host`, and any other page by its `Origin`. A page of this machine is a page like any other: whatever is developed or shown
 * here loads scripts of strangers. Programs send no `Origin`. The page that we serve is told by its origin, and by what browsers say of who asks.
 */
export function refuseForeignPage(
  request: IncomingMessage,
  policy: OriginPolicy,
  part: ServedPart = 'mcp',
): Refusal | null {
  const host = hostnameOf(request.headers.host ?? '')
  if (host === null) return { status: 403, message: 'Forbidden: the Host header is missing or invalid.' }
  if (policy.hosts !== null && !isLoopback(host) && !policy.hosts.has(host)) {
    return { status: 403, message: 'Forbidden: this Host is not allowed (audition serve --allow-host).' }
  }
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && policy.origins.has(origin)) return null
  const isOwn = part !== 'mcp' && (origin === undefined || isOfThisServer(origin, request))
  const isFromElsewhere = part === 'api' && site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isOwn && !isFromElsewhere) return null
  if (part === 'mcp' && origin === undefined) return null
  return { status: 403, message: 'Forbidden: this Origin is not allowed (audition serve --allow-origin).' }
}

/** Why a request is turned away: a status and words that tell nothing of the machine. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: { readonly [name: string]: string }
}

export const tooOften = (seconds: number): Refusal => ({
  status: 429,
  message: `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  headers: { 'retry-after': String(seconds) },
})

/** Turns a request away, in the form of what was asked: for people, of the API, of registries, or of the protocol. */
export function refused(response: ServerResponse, refusal: Refusal, part: ServedPart = 'mcp'): void {
  const { status, message, headers = {} } = refusal
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (part === 'page')
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(message)
  else if (part === 'shared') json(response, status, sharingError(status, message))
  else json(response, status, part === 'api' ? { error: { message } } : errorBody(refusal))
}

/** The same as a response of the web. @param code - of JSON-RPC */
export const errorResponse = (refusal: Refusal, code?: number): Response =>
  Response.json(errorBody(refusal, code), {
    status: refusal.status,
    headers: { ...refusal.headers },
  })

const errorBody = ({ message }: Refusal, code = -32_000) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

/** Answers with a JSON body. */
export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Tells a person on stderr; callers hear nothing of it. A caller who left in the middle is not worth a line. */
export function logError(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return
  console.error(`audition: ${errorText(error)}`)
}
