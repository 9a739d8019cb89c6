import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AccessTokens } from './access-tokens.ts'
import { addressKey } from '../jobs/caller-rate.ts'
import type { Refusal } from './http-refusals.ts'
import { toldOf } from '../../domain/with-remedy.ts'
import { metadataChallenge, type ProtectedResource } from './protected-resource.ts'

/** How callers prove that they may call. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'accessTokens'; readonly tokens: AccessTokens }

/** Who calls: what a rate is counted by, and why the request is turned away, if it is. */
type Caller = { readonly key: string; readonly refusal: Refusal | null }

/**
 * Tells who calls by the `Authorization` header and the network address, and by nothing else: a session id, a cookie or
 * a parameter of the address proves nothing.
 */
export async function callerOf(
  request: IncomingMessage,
  credentials: Credentials,
  resource: ProtectedResource | null,
): Promise<Caller> {
  const address = addressKey(request.socket.remoteAddress)
  if (credentials.kind === 'none') return { key: address, refusal: null }
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const stranger = { key: `stranger ${address}`, refusal: unauthorized(given, resource) }
  if (given === undefined) return stranger
  if (credentials.kind === 'token') {
    return isSame(given, credentials.token) ? { key: address, refusal: null } : stranger
  }
  const check = await credentials.tokens.check(given)
  if (check.kind === 'accepted') {
    return { key: check.subject === null ? address : `subject ${check.subject}`, refusal: null }
  }
  if (check.kind === 'refused') return stranger
  console.error(`audition: ${toldOf(check.error)}`)
  return { key: `stranger ${address}`, refusal: cannotTell }
}

const unauthorized = (given: string | undefined, resource: ProtectedResource | null): Refusal => ({
  status: 401,
  message: 'Unauthorized: send the header "Authorization: Bearer <token>".',
  headers: {
    'www-authenticate': `Bearer realm="audition"${given === undefined ? '' : ', error="invalid_token"'}${metadataChallenge(resource)}`,
  },
})

const cannotTell: Refusal = {
  status: 503,
  message: 'The authorization server cannot be asked at the moment. Try again in a few seconds.',
  headers: { 'retry-after': '5' },
}

/** Compares in a time that tells nothing of where the two differ, or how long they are. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(sha256(given), sha256(token))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
