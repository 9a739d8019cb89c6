import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** Header and claims of a token, as far as they differ from right ones. */
export type TokenChange = {
  readonly claims?: JWTPayload
  readonly without?: readonly string[]
  readonly kid?: string
  readonly key?: CryptoKey | Uint8Array
  readonly algorithm?: string
  readonly header?: { readonly [name: string]: unknown }
}

/** An authorization server on loopback: metadata, keys, and tokens signed by them. */
export async function authorizationServer(
  resource: string,
  {
    path = '',
    metadataAt = 'oauth-authorization-server',
    keysAt,
  }: {
    readonly path?: string
    readonly metadataAt?: string
    /** The `jwks_uri` of its metadata. @defaultValue its own origin, `/keys` */
    readonly keysAt?: (origin: string) => string
  } = {},
) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const published = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }
  const asked: string[] = []
  let claimedIssuer: string | null = null
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const documents: { readonly [path: string]: object } = {
      [`/.well-known/${metadataAt}${path}`]: {
        issuer: claimedIssuer ?? issuer,
        jwks_uri: keysAt?.(origin) ?? `${origin}/keys`,
      },
      '/keys': { keys: [published] },
    }
    const found = documents[request.url ?? '']
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}${path}`
  return {
    issuer,
    publicKey: published,
    /** Paths that were asked for, in order. */
    asked,
    /** What the metadata calls the issuer from now on. */
    claim: (other: string) => {
      claimedIssuer = other
    },
    token({
      claims,
      without = [],
      kid = 'first',
      key = privateKey,
      algorithm = 'ES256',
      header,
    }: TokenChange = {}) {
      const now = Math.floor(Date.now() / 1000)
      const all = { iss: issuer, aud: resource, sub: 'quentin', iat: now, exp: now + 600, ...claims }
      const payload = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)))
      return new SignJWT(payload).setProtectedHeader({ ...header, alg: algorithm, kid }).sign(key)
    },
    close: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}
