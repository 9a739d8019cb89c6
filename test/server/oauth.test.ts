import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type HttpGuard, httpGuard } from '../../src/adapters/http/guarded-fetch.ts'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { authorizationServer, type TokenChange } from './authorization-server.ts'
import { plain, searchCall } from './eras.ts'
import { type Reply, send } from './send-http.ts'

const resource = 'https://audition.example/mcp'
const call = JSON.stringify(plain(1, 'tools/call', searchCall))
const closing: (() => Promise<void>)[] = []
let logged: string[]

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation(
    (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
  )
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  vi.restoreAllMocks()
})

type Issuer = Awaited<ReturnType<typeof authorizationServer>>

async function opened(
  options: HttpOptions = {},
  issuerOptions: Parameters<typeof authorizationServer>[1] = {},
  guard: HttpGuard = httpGuard(),
): Promise<{ readonly issuer: Issuer; readonly port: number; readonly searches: readonly object[] }> {
  const issuer = await authorizationServer(resource, issuerOptions)
  const app = fakeAudition(someCards, { guard })
  const served: HttpServing = await serveHttp(app, {
    port: 0,
    publicUrl: resource,
    authorizationServer: issuer.issuer,
    ...options,
  })
  closing.push(served.close, issuer.close)
  return { issuer, port: served.port, searches: app.searches }
}

const asked = (port: number, token: string): Promise<Reply> =>
  send(port, { headers: { host: 'audition.example', authorization: `Bearer ${token}` }, body: call })

const challenge =
  'Bearer realm="audition", resource_metadata="https://audition.example/.well-known/oauth-protected-resource/mcp"'

describe('the metadata of the protected resource (RFC 9728)', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'lies at %s, for anyone',
    async (path) => {
      const { issuer, port } = await opened()
      const reply = await send(port, { method: 'GET', path, headers: { host: 'audition.example' } })
      expect(reply.status).toBe(200)
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
      })
      expect(JSON.parse(reply.body)).toEqual({
        resource,
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Audition',
      })
      expect((await send(port, { path, headers: { host: 'audition.example' } })).status).toBe(405)
    },
  )

  test('is what a caller without a token is sent to', async () => {
    const { port, searches } = await opened()
    const reply = await send(port, { headers: { host: 'audition.example' }, body: call })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe(challenge)
    expect(searches).toEqual([])
  })

  test('of an address with a path names that path, and the endpoint answers there too', async () => {
    const publicUrl = 'https://example.org/tools/audition'
    const issuer = await authorizationServer(publicUrl)
    const served = await serveHttp(fakeAudition(someCards), {
      port: 0,
      publicUrl,
      authorizationServer: issuer.issuer,
    })
    closing.push(served.close, issuer.close)
    const headers = { host: 'example.org', authorization: `Bearer ${await issuer.token()}` }
    const path = '/.well-known/oauth-protected-resource/tools/audition'
    const metadata = await send(served.port, { method: 'GET', path, headers: { host: 'example.org' } })
    expect(JSON.parse(metadata.body)).toMatchObject({ resource: publicUrl })
    for (const endpoint of ['/tools/audition', '/mcp']) {
      expect((await send(served.port, { path: endpoint, headers, body: call })).status).toBe(200)
    }
  })

  test('is not there without an authorization server', async () => {
    const served = await serveHttp(fakeAudition([]), { port: 0, publicUrl: resource, token: 'secret' })
    closing.push(served.close)
    const path = '/.well-known/oauth-protected-resource'
    const reply = await send(served.port, {
      method: 'GET',
      path,
      headers: { authorization: 'Bearer secret' },
    })
    expect(reply.status).toBe(404)
    const stranger = await send(served.port, { method: 'GET', path })
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Bearer realm="audition"'])
  })
})

describe('an access token', () => {
  const hour = 3600
  const now = Math.floor(Date.now() / 1000)

  test.each<{ why: string; change: TokenChange; status: number }>([
    { why: 'for this server', change: {}, status: 200 },
    {
      why: 'for this server among others',
      change: { claims: { aud: ['https://other.example', resource] } },
      status: 200,
    },
    { why: 'of a type that says so', change: { header: { typ: 'at+jwt' } }, status: 200 },
    { why: 'that ended within the tolerance of clocks', change: { claims: { exp: now - 5 } }, status: 200 },
    { why: 'for another server', change: { claims: { aud: 'https://other.example/mcp' } }, status: 401 },
    {
      why: 'for another path here',
      change: { claims: { aud: 'https://audition.example/other' } },
      status: 401,
    },
    { why: 'for the origin only', change: { claims: { aud: 'https://audition.example' } }, status: 401 },
    { why: 'for nobody', change: { without: ['aud'] }, status: 401 },
    { why: 'of another issuer', change: { claims: { iss: 'https://evil.example' } }, status: 401 },
    { why: 'of no issuer', change: { without: ['iss'] }, status: 401 },
    { why: 'that has expired', change: { claims: { exp: now - hour } }, status: 401 },
    { why: 'that never expires', change: { without: ['exp'] }, status: 401 },
    { why: 'that is not valid yet', change: { claims: { nbf: now + hour } }, status: 401 },
    { why: 'by an unknown key', change: { kid: 'second' }, status: 401 },
    {
      why: 'with a critical header that is not understood',
      change: { header: { crit: ['x'], x: 1 } },
      status: 401,
    },
  ])('$why gets $status', async ({ change, status }) => {
    const { issuer, port, searches } = await opened()
    const token = await issuer
      .token(change)
      .catch(() => unsigned({ crit: ['x'], x: 1, alg: 'ES256' }, issuer.issuer))
    const reply = await asked(port, token)
    expect(reply.status).toBe(status)
    expect(searches).toHaveLength(status === 200 ? 1 : 0)
    if (status === 401)
      expect(reply.headers['www-authenticate']).toBe(challenge.replace(', ', ', error="invalid_token", '))
    expect(`${reply.body} ${logged.join(' ')}`).not.toContain(token)
  })

  const claimsOf = (issuer: string) => ({ iss: issuer, aud: resource, sub: 'eve', exp: now + hour })
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = (header: object, issuer: string, signature = 'x'): string =>
    `${part(header)}.${part(claimsOf(issuer))}.${signature}`

  test.each<{ why: string; forge(issuer: Issuer): Promise<string> | string }>([
    { why: 'without a signature', forge: ({ issuer }) => unsigned({ alg: 'none' }, issuer, '') },
    { why: 'that says none and has something', forge: ({ issuer }) => unsigned({ alg: 'none' }, issuer) },
    {
      why: 'signed by a key of its own that it brings',
      async forge(issuer) {
        const { privateKey } = await generateKeyPair('ES256')
        return issuer.token({ key: privateKey, header: { jwk: issuer.publicKey } })
      },
    },
    {
      why: 'signed by another key under the known name',
      async forge(issuer) {
        const { privateKey } = await generateKeyPair('ES256')
        return issuer.token({ key: privateKey })
      },
    },
    {
      why: 'signed by the public key as if it were a secret',
      forge: ({ issuer, publicKey }) =>
        new SignJWT(claimsOf(issuer))
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(Buffer.from(JSON.stringify(publicKey))),
    },
    {
      why: 'whose claims were changed',
      async forge(issuer) {
        const [header, , signature] = (await issuer.token()).split('.')
        return `${header}.${part(claimsOf(issuer.issuer))}.${signature}`
      },
    },
    { why: 'that is no token', forge: () => 'correct-horse-battery-staple' },
    { why: 'of dots', forge: () => '..' },
    {
      why: 'of fifteen thousand characters',
      forge: () => `${'a'.repeat(5_000)}.${'b'.repeat(5_000)}.${'c'.repeat(5_000)}`,
    },
  ])('$why is refused', async ({ forge }) => {
    const { issuer, port, searches } = await opened()
    const reply = await asked(port, await forge(issuer))
    expect(reply.status).toBe(401)
    expect(searches).toEqual([])
  })

  test('in the address or in a cookie is none', async () => {
    const { issuer, port } = await opened()
    const token = await issuer.token()
    const headers = { host: 'audition.example', cookie: `token=${token}`, 'mcp-session-id': token }
    const reply = await send(port, { path: `/mcp?access_token=${token}`, headers, body: call })
    expect(reply.status).toBe(401)
  })

  test('is checked by keys that were fetched once, and goes nowhere', async () => {
    const { issuer, port } = await opened()
    for (let time = 0; time < 5; time += 1) expect((await asked(port, await issuer.token())).status).toBe(200)
    await asked(port, await issuer.token({ kid: 'second' }))
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys'])
  })
})

describe('the authorization server', () => {
  test.each([
    { path: '', metadataAt: 'oauth-authorization-server' },
    { path: '', metadataAt: 'openid-configuration' },
    { path: '/realms/tools', metadataAt: 'oauth-authorization-server' },
    { path: '/realms/tools', metadataAt: 'openid-configuration' },
  ])('$path is found by $metadataAt', async (where) => {
    const { issuer, port } = await opened({}, where)
    expect((await asked(port, await issuer.token())).status).toBe(200)
  })

  test('that speaks for another one is not believed, and callers are told to come back', async () => {
    const { issuer, port, searches } = await opened()
    issuer.claim('https://evil.example')
    const token = await issuer.token()
    const reply = await asked(port, token)
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(logged.join(' ')).toMatch(/of another issuer, "https:\/\/evil\.example"/)
    expect(`${reply.body} ${logged.join(' ')}`).not.toContain(token)
    expect(reply.body).not.toContain('127.0.0.1')
    expect(searches).toEqual([])
  })

  /** Its keys at another origin, which happens to be its own server under another name. */
  const elsewhere = { keysAt: (origin: string) => `${origin.replace('127.0.0.1', 'localhost')}/keys` }

  test('that keeps its keys at a private address elsewhere is asked for none', async () => {
    const { issuer, port, searches } = await opened({}, elsewhere)
    expect((await asked(port, await issuer.token())).status).toBe(503)
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server'])
    expect(logged.join(' ')).toMatch(/localhost:\d+ is not contacted: it is this machine\. .* "privateHosts"/)
    expect(searches).toEqual([])
  })

  test('that keeps its keys at an address of privateHosts is asked for them there', async () => {
    const guard = httpGuard({ privateHosts: ['localhost'] })
    const { issuer, port } = await opened({}, elsewhere, guard)
    expect((await asked(port, await issuer.token())).status).toBe(200)
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys'])
  })

  test('whose public name leads to a private address is not asked', async () => {
    let connections = 0
    const inside = createServer(() => {}).on('connection', () => {
      connections += 1
    })
    await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
    closing.push(() => new Promise((closed) => void inside.close(() => closed())))
    const guard = httpGuard({
      resolve: (_name, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const { port } = inside.address() as AddressInfo
    const served = await serveHttp(fakeAudition(someCards, { guard }), {
      port: 0,
      publicUrl: resource,
      authorizationServer: `https://login.example:${port}`,
    })
    closing.push(served.close)
    expect((await asked(served.port, 'a.b.c')).status).toBe(503)
    expect(logged.join(' ')).toContain('its name leads to 127.0.0.1')
    expect(connections).toBe(0)
  })

  test('that is away is asked once in a while, however many tokens come', async () => {
    const { issuer, port } = await opened({}, { metadataAt: 'elsewhere' })
    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => asked(port, await issuer.token())),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503))
    expect(issuer.asked).toHaveLength(2)
  })
})

test.each<{ why: string; options: HttpOptions; message: RegExp }>([
  {
    why: 'an authorization server for no address',
    options: { authorizationServer: 'https://login.example' },
    message: /wants a public URL/,
  },
  {
    why: 'two ways to prove oneself',
    options: { publicUrl: resource, authorizationServer: 'https://login.example', token: 'secret' },
    message: /a token and an authorization server: give one/,
  },
  { why: 'a public address open to all', options: { publicUrl: resource }, message: /no token is set/ },
  {
    why: 'a public address without encryption',
    options: { publicUrl: 'http://audition.example/mcp', token: 'secret' },
    message: /must be an address that begins with https:/,
  },
  {
    why: 'an issuer without encryption',
    options: { publicUrl: resource, authorizationServer: 'http://login.example' },
    message: /authorization server must be an address that begins with https:/,
  },
  {
    why: 'an address with a query',
    options: { publicUrl: `${resource}?x=1`, token: 'secret' },
    message: /must not have a query/,
  },
  {
    why: 'an address that is none',
    options: { publicUrl: 'audition', token: 'secret' },
    message: /not "audition"/,
  },
])('$why is refused at the start', async ({ options, message }) => {
  await expect(serveHttp(fakeAudition([]), { port: 0, ...options })).rejects.toThrow(message)
})
