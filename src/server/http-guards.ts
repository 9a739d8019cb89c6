import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostnameOf, isLoopback } from './loopback.ts'

/** Why a request is turned away: a status and words that tell nothing of the machine. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: { readonly [name: string]: string }
}

/** Who may call. */
export type HttpPolicy = {
  /** Names and addresses that `Host` may hold besides loopback ones; null when any may, which wants a token. */
  readonly hosts: ReadonlySet<string> | null
  /** Origins of web pages that may call, such as `https://app.example`, besides pages of this machine. */
  readonly origins: ReadonlySet<string>
  readonly token: string | null
}

/**
 * A web page that a browser on this machine shows may have its own name point here (DNS rebinding): it is told by
 * its `Host`, and any other page by its `Origin`. Programs send no `Origin`.
 */
export function refuseForeignPage(request: IncomingMessage, policy: HttpPolicy): Refusal | null {
  const host = hostnameOf(request.headers.host ?? '')
  if (host === null) return { status: 403, message: 'Forbidden: the Host header is missing or invalid.' }
  if (policy.hosts !== null && !isLoopback(host) && !policy.hosts.has(host)) {
    return { status: 403, message: 'Forbidden: this Host is not allowed (audition serve --allow-host).' }
  }
  const { origin } = request.headers
  if (origin === undefined || policy.origins.has(origin) || isLocalPage(origin)) return null
  return { status: 403, message: 'Forbidden: this Origin is not allowed (audition serve --allow-origin).' }
}

function isLocalPage(origin: string): boolean {
  const authority = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  const host = authority === undefined ? null : hostnameOf(authority)
  return host !== null && isLoopback(host)
}

/** Turns away who does not know the token. */
export function refuseWithoutToken(request: IncomingMessage, { token }: HttpPolicy): Refusal | null {
  if (token === null) return null
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined && isSame(given, token)) return null
  const error = given === undefined ? '' : ', error="invalid_token"'
  return {
    status: 401,
    message: 'Unauthorized: send the header "Authorization: Bearer <token>".',
    headers: { 'www-authenticate': `Bearer realm="audition"${error}` },
  }
}

/** Compares in a time that tells nothing of where the two differ, or how long they are. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(sha256(given), sha256(token))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
