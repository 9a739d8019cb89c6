import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errorText } from '../../domain/remedy-error.ts'
import { isTenantName } from '../../tenants/tenants-file.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Refusal } from './http-guards.ts'
import { metadataChallenge, type ProtectedResource } from './protected-resource.ts'

/** How callers prove that they may call. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'accessTokens'
      readonly tokens: AccessTokens
      /** Whether a token must name a tenant. */
      readonly ofTenants: boolean
    }

/** Who calls: what a rate is counted by, whose store is meant where there are several, and why the request is turned away, if it is. */
type Caller = { readonly key: string; readonly tenant: string | null; readonly refusal: Refusal | null }

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
  if (credentials.kind === 'none') return { key: address, tenant: null, refusal: null }
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const stranger = { key: `stranger ${address}`, tenant: null, refusal: unauthorized(given, resource) }
  if (given === undefined) return stranger
  if (credentials.kind === 'token') {
    return isSame(given, credentials.token) ? { key: address, tenant: null, refusal: null } : stranger
  }
  const check = await credentials.tokens.check(given)
  if (check.kind === 'accepted') {
    const key = check.subject === null ? address : `subject ${check.subject}`
    if (!credentials.ofTenants) return { key, tenant: null, refusal: null }
    const { tenant } = check
    if (!isTenantName(tenant)) return { key, tenant: null, refusal: noTenant }
    // One subject may have tokens of several tenants: each is a caller of its own.
    return { key: `tenant ${tenant} ${key}`, tenant, refusal: null }
  }
  if (check.kind === 'refused') return stranger
  console.error(`audition: ${errorText(check.error)}`)
  return { key: `stranger ${address}`, tenant: null, refusal: cannotTell }
}

/** The same for all reasons: it does not tell which tenants there are. */
export const noTenant: Refusal = {
  status: 403,
  message: 'Forbidden: the access token names no tenant that is served here.',
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

/** How often each caller may ask. */
export type CallerRate = {
  /**
   * Counts one request of a caller.
   *
   * @returns 0 when it may go on; otherwise the seconds to wait, at least 1, and nothing was counted
   */
  take(caller: string): number
}

/** Callers that are remembered; beyond, the one longest unheard of starts anew. */
const remembered = 10_000
const minuteMs = 60_000

/**
 * A bucket per caller: it holds the requests of one minute, which may come at once, and refills evenly.
 *
 * @param perMinute - at least 1; `Infinity` never refuses
 * @param now - milliseconds of a clock that never goes back
 */
export function callerRate(perMinute: number, now: () => number = () => performance.now()): CallerRate {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()
  return {
    take(caller) {
      if (perMinute === Number.POSITIVE_INFINITY) return 0
      const at = now()
      const known = buckets.get(caller) ?? { left: perMinute, at }
      const left = Math.min(perMinute, known.left + ((at - known.at) * perMinute) / minuteMs)
      const isTaken = left >= 1
      buckets.delete(caller) // set again, it is the last one: the first is the one longest unheard of
      buckets.set(caller, { left: isTaken ? left - 1 : left, at })
      if (buckets.size > remembered) buckets.delete(buckets.keys().next().value ?? '')
      return isTaken ? 0 : Math.max(1, Math.ceil(((1 - left) * minuteMs) / perMinute / 1000))
    },
  }
}

/**
 * Who stands behind a network address, as far as it tells: an IPv4 address, or the half of an IPv6 address that
 * names a network, since one caller has the other half to choose from.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [bare = ''] = address.split('%')
  const [head = '', tail] = bare.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const gap = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...groups(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
