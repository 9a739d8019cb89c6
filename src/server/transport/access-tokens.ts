import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Audition } from '../../compose/audition.ts'
import { errorText } from '../../domain/remedy-error.ts'
import { webAddress } from './protected-resource.ts'

/** What becomes of an access token. `unavailable`: who gave it out cannot be asked, which is not the caller's fault. */
type TokenCheck =
  | {
      readonly kind: 'accepted'
      readonly subject: string | null
      /** What it says of the tenant; null where nobody asks, or it says nothing. */
      readonly tenant: unknown
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable'; readonly error: unknown }

/** Checks access tokens. */
export type AccessTokens = { check(token: string): Promise<TokenCheck> }

/** Only signatures whose keys are public: a shared secret, or none, would let callers sign for themselves. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** How far two clocks may differ, in seconds. */
const clockTolerance = 30
/** Longest wait for the authorization server, in milliseconds. */
const timeoutMs = 5_000
/** How long a failure to reach the authorization server stands, in milliseconds: callers cannot make us ask it at will. */
const failureMs = 5_000
/** Largest metadata document that is read, in characters. */
const longestMetadata = 256 * 1024

/**
 * Accepts JSON Web Tokens (RFC 9068) that the issuer signed for this resource and that have not expired. The issuer's
 * keys are found through its metadata (RFC 8414, or OpenID Connect discovery), fetched at the first token and kept;
 * an unknown key is looked up again at most every 30 seconds. Tokens go nowhere else.
 *
 * @param issuer - named by the operator, who may mean a private address; keys at another origin count as named by a stranger
 * @param resource - what `aud` must name
 */
export function accessTokens({
  issuer,
  resource,
  guardedFetch,
  tenantClaim,
}: {
  readonly issuer: string
  readonly resource: string
  /** The claim that names the tenant. @defaultValue none does */
  readonly tenantClaim?: string | undefined
  readonly guardedFetch: Audition['guardedFetch']
}): AccessTokens {
  let found: Promise<{ readonly issuer: string; readonly keys: JWTVerifyGetKey }> | undefined
  const keysOfIssuer = () => {
    found ??= discover(issuer, guardedFetch).catch((error: unknown) => {
      setTimeout(() => {
        found = undefined
      }, failureMs).unref()
      throw error
    })
    return found
  }
  return {
    async check(token) {
      if (!signedToken.test(token)) return { kind: 'refused' }
      try {
        const { keys, ...known } = await keysOfIssuer()
        const { payload } = await jwtVerify(token, keys, {
          issuer: known.issuer,
          audience: resource,
          algorithms,
          clockTolerance,
          requiredClaims: ['exp'],
        })
        const isNamed = tenantClaim !== undefined && Object.hasOwn(payload, tenantClaim)
        return {
          kind: 'accepted',
          subject: payload.sub ?? null,
          tenant: isNamed ? payload[tenantClaim] : null,
        }
      } catch (error) {
        return isOfToken(error) ? { kind: 'refused' } : { kind: 'unavailable', error }
      }
    },
  }
}

/** Header, claims and signature, in base64url. */
const signedToken = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Whether an error says something of the token, and not of the way to the issuer's keys. */
const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== errors.JOSEError.code

const metadataShape = z.object({ issuer: z.string(), jwks_uri: z.string() })

/** @throws Error saying which documents were asked for and what came */
async function discover(issuer: string, guardedFetch: Audition['guardedFetch']) {
  const failures: string[] = []
  for (const address of metadataAddresses(issuer)) {
    try {
      const metadata = metadataShape.parse(JSON.parse(await read(address, guardedFetch('user'))))
      if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
        throw new Error(`it is of another issuer, ${JSON.stringify(metadata.issuer)}`)
      }
      const keysAt = webAddress(metadata.jwks_uri, 'jwks_uri')
      const send = guardedFetch(keysAt.origin === new URL(issuer).origin ? 'user' : 'card')
      const keys = createRemoteJWKSet(keysAt, { timeoutDuration: timeoutMs, [customFetch]: send })
      return { issuer: metadata.issuer, keys }
    } catch (error) {
      failures.push(`${address}: ${errorText(error)}`)
    }
  }
  throw new Error(`The authorization server could not be asked for its keys. ${failures.join('; ')}`)
}

const withoutSlash = (text: string): string => text.replace(/\/$/, '')

/** Where an issuer's metadata may lie, in the order that the Model Context Protocol asks for. */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = withoutSlash(pathname)
  const inserted = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ]
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}

async function read(address: string, send: typeof globalThis.fetch): Promise<string> {
  const response = await send(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const text = await response.text()
  if (text.length > longestMetadata) throw new Error('the document is too long')
  return text
}
