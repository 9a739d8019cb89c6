import type { Audition } from '../../compose/audition.ts'
import { type AccessTokens, accessTokens } from './access-tokens.ts'
import { type CallerRate, callerRate, type Credentials } from './http-callers.ts'
import type { OriginPolicy } from './http-guards.ts'
import { hostnameOf, isLoopback, type ProtectedResource, protectedResource } from './protected-resource.ts'

/** Who may call over HTTP, from where, and how often. */
export type HttpAccess = {
  /** What callers must send as `Authorization: Bearer <token>`. */
  readonly token?: string
  /** Origins of web pages that may call, such as `https://app.example`, or `http://localhost:6274` of this machine. */
  readonly allowedOrigins?: readonly string[]
  /** Names that `Host` may hold besides loopback ones; without them, any may when callers must prove who they are. */
  readonly allowedHosts?: readonly string[]
  /** Address at which clients reach this server, `https://audition.example/mcp`; its name is an allowed host. */
  readonly publicUrl?: string
  /** With `publicUrl`, instead of `token`: the issuer whose access tokens for that address are accepted (OAuth 2.1). */
  readonly authorizationServer?: string
  /**
   * Requests a minute that one caller may make, all of them at once if need be; 0 is any number.
   *
   * @defaultValue 600 where other machines can call, else 0
   */
  readonly requestsPerMinute?: number
  /** Requests that are open at once; more are told to come back. @defaultValue 512 */
  readonly mostRequests?: number
  /** Where each caller is one of a tenant: who knows their tokens, and the claim that names the tenant in those of the authorization server. */
  readonly tenants?: { readonly tokens: AccessTokens; readonly claim: string }
}

/** {@link HttpAccess} as it is applied. */
export type HttpPolicy = OriginPolicy & {
  readonly credentials: Credentials
  /** Null when no public address is configured. */
  readonly resource: ProtectedResource | null
  readonly rate: CallerRate
  readonly mostRequests: number
}

const publicRate = 600

/**
 * @param host - what the server listens on
 * @param guardedFetch - the way to the authorization server
 * @throws Error when the options contradict each other, or would leave the server open
 */
export function httpPolicy(
  access: HttpAccess,
  host: string,
  guardedFetch: Audition['guardedFetch'],
): HttpPolicy {
  const { publicUrl, authorizationServer, allowedHosts, allowedOrigins = [] } = access
  if (authorizationServer !== undefined && publicUrl === undefined) {
    throw new Error('An authorization server wants a public URL: access tokens are made for one address.')
  }
  const resource = publicUrl === undefined ? null : protectedResource(publicUrl, authorizationServer ?? null)
  const credentials = credentialsOf(access, resource, guardedFetch)
  const isPublic = !isLoopback(host) || resource !== null
  if (isPublic && credentials.kind === 'none') {
    const address = resource?.resource ?? (host === '' ? 'Every address' : host)
    throw new Error(
      `${address} can be reached from other machines, and no token is set. Set AUDITION_TOKEN to one, name an ` +
        'authorization server, or listen on 127.0.0.1.',
    )
  }
  const isOpen = !isLoopback(host) && allowedHosts === undefined && resource === null
  const named = [...(allowedHosts ?? []), ...(resource === null ? [] : [resource.hostname])]
  const { requestsPerMinute = isPublic ? publicRate : 0, mostRequests = 512 } = access
  return {
    hosts: isOpen ? null : new Set(named.map(allowedHost)),
    origins: new Set(allowedOrigins.map(allowedOrigin)),
    credentials,
    resource,
    rate: callerRate(requestsPerMinute === 0 ? Number.POSITIVE_INFINITY : requestsPerMinute),
    mostRequests,
  }
}

/** @throws Error when no `Host` could ever say so */
function allowedHost(name: string): string {
  const host = hostnameOf(name)
  if (host !== null) return host
  throw new Error(
    `"${name}" is no name of a host. Give the name alone, such as audition.example, or [fd00::1] for an address of IPv6.`,
  )
}

/** @throws Error when no browser would ever send it */
function allowedOrigin(text: string): string {
  const origin = webOrigin(text)
  if (origin !== null) return origin
  throw new Error(`"${text}" is no web origin. Give scheme and host, such as https://app.example.`)
}

/** @throws Error when there are two ways to prove oneself, or a token that cannot be sent */
function credentialsOf(
  { token, tenants }: HttpAccess,
  resource: ProtectedResource | null,
  guardedFetch: Audition['guardedFetch'],
): Credentials {
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new Error(
      'The token is empty or holds white space. Give one without, for example of 32 random letters.',
    )
  }
  if (tenants !== undefined && token !== undefined) {
    throw new Error(
      'There is a token for all callers, and tenants have tokens of their own: unset AUDITION_TOKEN.',
    )
  }
  if (resource !== null && resource.issuer !== null) {
    if (token !== undefined) {
      throw new Error(
        'There is a token and an authorization server: give one, so that one decides who calls.',
      )
    }
    const { issuer } = resource
    const tenantClaim = tenants?.claim
    const tokens = accessTokens({ issuer, resource: resource.resource, guardedFetch, tenantClaim })
    return { kind: 'accessTokens', tokens, ofTenants: tenants !== undefined }
  }
  if (tenants !== undefined) return { kind: 'accessTokens', tokens: tenants.tokens, ofTenants: true }
  return token === undefined ? { kind: 'none' } : { kind: 'token', token }
}

/**
 * A web origin as browsers write it in `Origin`, or null when the text is none. The slash that ends a copied address is
 * forgiven; an extension's origin, such as `chrome-extension://abc`, is one too.
 */
function webOrigin(text: string): string | null {
  const bare = text.replace(/\/$/, '')
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/\\?#@%\s]+$/i.test(bare)) return null
  if (!/^https?:/i.test(bare)) return bare.toLowerCase()
  try {
    return new URL(bare).origin
  } catch {
    return null
  }
}
