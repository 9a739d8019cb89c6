import { request } from 'node:http'
import { connect } from 'node:net'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { type FakeOptions, fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { testClient } from './connect.ts'
import { messageOf, send, usual } from './send-http.ts'
import { handshakeEras, initialize, initialized, modern, modernEra, plain, searchCall } from './eras.ts'

const servings: HttpServing[] = []
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

async function serving(options: HttpOptions = {}, fake: FakeOptions = {}) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = fakeAudition(someCards, fake)
  const served = await serveHttp(app, { port: 0, ...options })
  servings.push(served)
  return { app, ...served }
}

const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': modernEra,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})

describe('clients', () => {
  test.each(['legacy', 'auto'] as const)('a real client of mode %s lists, calls and reads', async (mode) => {
    const { url } = await serving()
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'search_agents',
      'search_tools',
      'describe',
      'compose_agent',
      'probe_agent',
      'evaluate',
    ])
    expect((await client.callTool(searchCall)).structuredContent).toMatchObject({ match: 'good' })
    expect((await client.callTool({ name: 'search_tools', arguments: {} })).isError).toBe(true)
    const { contents } = await client.readResource({ uri: 'audition://tools/weather/forecast' })
    expect(contents).toHaveLength(1)
    await client.close()
  })

  test('twenty clients at once each get their own answers', async () => {
    const { url, app } = await serving()
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const client = testClient({ versionNegotiation: { mode: at % 2 === 0 ? 'auto' : 'legacy' } })
        await client.connect(new StreamableHTTPClientTransport(new URL(url)))
        const need = { query: `issues ${at}`, k: (at % 3) + 1 }
        const result = await client.callTool({ name: 'search_tools', arguments: need })
        expect((result.structuredContent as { candidates: unknown[] }).candidates).toHaveLength(need.k)
        await client.close()
      }),
    )
    expect(app.searches).toHaveLength(20)
  })

  test.each(handshakeEras)('the handshake of %s is answered in its own version', async (version) => {
    const { port } = await serving()
    const first = await send(port, { body: JSON.stringify(initialize(version)) })
    expect(first.status).toBe(200)
    expect(messageOf(first).result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'audition' },
    })
    // Clients of those days send the version, and a session id if they were given one: a stale one does no harm.
    const headers = { 'mcp-protocol-version': version, 'mcp-session-id': 'of-another-replica' }
    expect((await send(port, { headers, body: JSON.stringify(initialized) })).status).toBe(202)
    const listed = await send(port, { headers, body: JSON.stringify(plain(2, 'tools/list')) })
    expect(messageOf(listed).result?.tools).toHaveLength(6)
    const called = await send(port, { headers, body: JSON.stringify(plain(3, 'tools/call', searchCall)) })
    expect(messageOf(called).result).toMatchObject({ structuredContent: { match: 'good' } })
    expect(first.headers['mcp-session-id']).toMatch(/^[\da-f-]{36}$/)
    expect(called.headers['mcp-session-id']).toBeUndefined()
  })

  test(`requests of ${modernEra} need no handshake`, async () => {
    const { port } = await serving()
    const discovered = await send(port, {
      headers: modernHeaders('server/discover'),
      body: JSON.stringify(modern(1, 'server/discover')),
    })
    expect(messageOf(discovered).result).toMatchObject({ supportedVersions: [modernEra] })
    const called = await send(port, {
      headers: modernHeaders('tools/call', 'search_tools'),
      body: JSON.stringify(modern(2, 'tools/call', searchCall)),
    })
    expect(called.headers['content-type']).toBe('application/json')
    expect(messageOf(called).result).toMatchObject({ structuredContent: { match: 'good' } })
  })

  test('a revision of the future is refused with those that are served', async () => {
    const { port } = await serving()
    const body = JSON.stringify(modern(1, 'tools/list')).replaceAll(modernEra, '2099-01-01')
    const headers = { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' }
    const reply = await send(port, { headers, body })
    expect(reply.status).toBe(400)
    expect(reply.body).toContain(modernEra)
  })
})

describe('requests that are turned away', () => {
  const listing = JSON.stringify(plain(1, 'tools/list'))

  test.each([
    { why: 'a page of another site', headers: { origin: 'https://evil.example' }, status: 403 },
    { why: 'a page whose origin is hidden', headers: { origin: 'null' }, status: 403 },
    {
      why: 'a page that only looks local',
      headers: { origin: 'http://localhost.evil.example' },
      status: 403,
    },
    {
      why: 'a page with a name before an at',
      headers: { origin: 'http://localhost@evil.example' },
      status: 403,
    },
    { why: 'a page of this machine', headers: { origin: 'http://localhost:6274' }, status: 403 },
    {
      why: 'a page of this machine by its IPv6 address',
      headers: { origin: 'http://[::1]:80' },
      status: 403,
    },
    { why: 'a name that was rebound to this machine', headers: { host: 'evil.example' }, status: 403 },
    { why: 'a rebound name with a port', headers: { host: 'evil.example:7333' }, status: 403 },
    { why: 'a host that is none', headers: { host: 'a b' }, status: 403 },
    { why: 'localhost by name', headers: { host: 'LOCALHOST:1' }, status: 200 },
    { why: 'another loopback address', headers: { host: '127.0.0.2' }, status: 200 },
    { why: 'a body that is no JSON', headers: {}, body: '{"jsonrpc":', status: 400 },
    { why: 'no body', headers: {}, body: '', status: 400 },
    { why: 'another media type', headers: { 'content-type': 'text/plain' }, status: 415 },
  ])('$why gets $status', async ({ headers, status, body = listing }) => {
    const { port, app } = await serving()
    const reply = await send(port, { headers, body })
    expect(reply.status).toBe(status)
    if (status !== 200) {
      expect(app.searches).toEqual([])
      expect(messageOf(reply).error?.message).toMatch(/\S/)
      expect(reply.body).not.toMatch(/node_modules|\/src\/|\/dist\/|at .*:\d+:\d+/)
    }
  })

  test.each([
    { method: 'GET', path: '/mcp', status: 405, allow: 'POST' },
    { method: 'DELETE', path: '/mcp', status: 405, allow: 'POST' },
    { method: 'PUT', path: '/mcp', status: 405, allow: 'POST' },
    { method: 'OPTIONS', path: '/mcp', status: 405, allow: 'POST' },
    { method: 'POST', path: '/health', status: 405, allow: 'GET, HEAD' },
    { method: 'POST', path: '/', status: 405, allow: 'GET, HEAD' },
    { method: 'GET', path: '/../../etc/passwd', status: 404, allow: undefined },
  ])('$method $path gets $status', async ({ method, path, status, allow }) => {
    const { port } = await serving()
    const reply = await send(port, { method, path })
    expect(reply.status).toBe(status)
    expect(reply.headers.allow).toBe(allow)
  })

  test.each([
    { why: 'its length is declared', headers: { 'content-length': String(2 * 1024 * 1024) } },
    { why: 'it comes in chunks', headers: { 'transfer-encoding': 'chunked' } },
  ])('a body of 2 MiB gets 413 when $why', async ({ headers }) => {
    const { port, app } = await serving()
    const body = JSON.stringify(plain(1, 'tools/call', { name: 'search_tools', arguments: { query: '' } }))
    const reply = await send(port, { headers, body: body.padEnd(2 * 1024 * 1024) })
    expect(reply.status).toBe(413)
    expect(app.searches).toEqual([])
    const after = await send(port, { body: listing })
    expect(after.status).toBe(200)
  })

  test('bytes that are no HTTP get 400 and the server goes on', async () => {
    const { port } = await serving()
    const said = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('\u0000\u0001 nonsense\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('close', () => resolve(text))
    })
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
    expect((await send(port, { body: listing })).status).toBe(200)
  })
})

describe('the token', () => {
  const token = 'correct-horse-battery-staple'
  const body = JSON.stringify(plain(1, 'tools/list'))

  test.each([
    { why: 'none', authorization: undefined, status: 401, challenge: 'Bearer realm="audition"' },
    {
      why: 'a wrong one',
      authorization: 'Bearer wrong',
      status: 401,
      challenge: 'Bearer realm="audition", error="invalid_token"',
    },
    {
      why: 'its beginning',
      authorization: 'Bearer correct',
      status: 401,
      challenge: 'Bearer realm="audition", error="invalid_token"',
    },
    {
      why: 'another scheme',
      authorization: `Basic ${token}`,
      status: 401,
      challenge: 'Bearer realm="audition"',
    },
    { why: 'the right one', authorization: `Bearer ${token}`, status: 200, challenge: undefined },
    {
      why: 'the right one in lower case',
      authorization: `bearer ${token}`,
      status: 200,
      challenge: undefined,
    },
  ])('$why gets $status', async ({ authorization, status, challenge }) => {
    const { port, app } = await serving({ token })
    const reply = await send(port, { body, headers: authorization === undefined ? {} : { authorization } })
    expect(reply.status).toBe(status)
    expect(reply.headers['www-authenticate']).toBe(challenge)
    expect(app.searches).toEqual([])
    expect(reply.body).not.toContain(token)
  })

  test('a stranger learns nothing of paths and methods, but health', async () => {
    const { port } = await serving({ token })
    expect((await send(port, { path: '/secret' })).status).toBe(401)
    expect((await send(port, { method: 'GET' })).status).toBe(401)
    const health = await send(port, { method: 'GET', path: '/health?now' })
    expect([health.status, health.body]).toEqual([200, '{"status":"ok"}'])
  })

  test('readiness tells how old what a replica of object storage answers by may be, and not why', async () => {
    const since = new Date(0)
    const failing = { since, reason: 'GET https://bucket.example' }
    const age = { generation: 1, seen: new Date(Date.now() - 90_000), failing }
    const serving = await serveHttp({ ...fakeAudition(someCards), storeAge: async () => age }, { port: 0 })
    const { body } = await send(serving.port, { method: 'GET', path: '/ready' })
    await serving.close()
    const { status, store } = JSON.parse(body) as { status: string; store: { seconds: number } }
    expect({ status, store }).toEqual({
      status: 'ready',
      store: { seconds: store.seconds, unreachableSince: since.toISOString() },
    })
    expect(store.seconds).toBeGreaterThanOrEqual(90)
  })

  test.each(['0.0.0.0', '::', '', '192.168.1.5', 'example.com', '127.0.0.1.evil.example', '127.1'])(
    'listening on %j without a token is refused',
    async (host) => {
      await expect(serveHttp(fakeAudition([]), { host, port: 0 })).rejects.toThrow(
        /no token is set\. Set AUDITION_TOKEN to one, name an authorization server/,
      )
    },
  )

  test.each(['', 'two words'])('the token %j is refused', async (wrong) => {
    await expect(serveHttp(fakeAudition([]), { port: 0, token: wrong })).rejects.toThrow('Give one without')
  })

  test('with a token, other hosts may be bound, and any Host comes in unless some are named', async () => {
    const headers = { authorization: `Bearer ${token}`, host: 'audition.example' }
    const open = await serving({ host: '0.0.0.0', token })
    expect((await send(open.port, { body, headers })).status).toBe(200)
    expect((await send(open.port, { body, headers: { host: 'audition.example' } })).status).toBe(401)
    const named = await serving({ host: '0.0.0.0', token, allowedHosts: ['Audition.example:80'] })
    expect((await send(named.port, { body, headers })).status).toBe(200)
    expect((await send(named.port, { body, headers: { ...headers, host: 'other.example' } })).status).toBe(
      403,
    )
  })
})

describe('pages of allowed origins', () => {
  const origin = 'https://app.example'

  test('may ask first, and read the answers', async () => {
    const { port } = await serving({ allowedOrigins: [origin], token: 'secret' })
    const asked = await send(port, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('mcp-protocol-version'),
    })
    const reply = await send(port, {
      headers: { origin, authorization: 'Bearer secret' },
      body: JSON.stringify(plain(1, 'tools/list')),
    })
    expect(reply.status).toBe(200)
    expect(reply.headers['access-control-allow-origin']).toBe(origin)
  })

  test.each(['http://app.example', 'https://app.example:444', 'https://app.example.evil'])(
    '%s is another origin',
    async (other) => {
      const { port } = await serving({ allowedOrigins: [origin] })
      const reply = await send(port, {
        headers: { origin: other },
        body: JSON.stringify(plain(1, 'tools/list')),
      })
      expect(reply.status).toBe(403)
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('a page of this machine that was not named is neither asked nor read', async () => {
    const { port } = await serving()
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }
    const asked = await send(port, { method: 'OPTIONS', headers })
    expect(asked.status).toBe(403)
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('one that was named may read what it asked for', async () => {
    const page = 'http://localhost:3000'
    const { port } = await serving({ allowedOrigins: [page] })
    const reply = await send(port, {
      headers: { origin: page },
      body: JSON.stringify(plain(1, 'tools/list')),
    })
    expect(reply.status).toBe(200)
    expect(reply.headers['access-control-allow-origin']).toBe(page)
  })
})

describe('the end', () => {
  test('running requests are answered before the app is closed; new ones are not taken', async () => {
    const { port, close, app } = await serving({}, { delayMs: 300 })
    const running = send(port, { body: JSON.stringify(plain(1, 'tools/call', searchCall)) })
    const modernRunning = send(port, {
      headers: modernHeaders('tools/call', 'search_tools'),
      body: JSON.stringify(modern(2, 'tools/call', searchCall)),
    })
    await vi.waitFor(() => expect(app.searches).toHaveLength(2))
    const closed = close()
    expect(app.closed.value).toBe(false)
    expect(messageOf(await running).result).toMatchObject({ structuredContent: { match: 'good' } })
    expect(messageOf(await modernRunning).result).toMatchObject({ structuredContent: { match: 'good' } })
    await closed
    expect(app.closed.value).toBe(true)
    await expect(send(port, { body: '{}' })).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/)
  })

  test('a caller that goes away aborts its search', async () => {
    const { port, app } = await serving({}, { delayMs: 60_000 })
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers: usual })
    sent.on('error', () => {})
    sent.end(JSON.stringify(plain(1, 'tools/call', searchCall)))
    await vi.waitFor(() => expect(app.searches).toHaveLength(1))
    sent.destroy()
    await vi.waitFor(() => expect(app.aborted.count).toBe(1))
  })

  test('a port that is taken is told with what to do', async () => {
    const { port } = await serving()
    await expect(serveHttp(fakeAudition([]), { port })).rejects.toThrow(
      `Port ${port} is in use. Choose another one`,
    )
  })
})
