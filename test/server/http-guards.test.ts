import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hostnameOf, isLoopback } from '../../src/server/transport/protected-resource.ts'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { initialize, plain, searchCall } from './eras.ts'
import { messageOf, send } from './send-http.ts'

const servings: HttpServing[] = []
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

async function serving(options: HttpOptions = {}) {
  const app = fakeAudition(someCards)
  const served = await serveHttp(app, { port: 0, ...options })
  servings.push(served)
  return { app, ...served }
}

/** Writes bytes to a connection and gives back all that comes until it ends. */
const raw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (part) => (text += String(part)))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })

const call = JSON.stringify(plain(1, 'tools/call', searchCall))
const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1])

test.each([
  { host: '127.0.0.1', status: 200 },
  { host: '127.0.0.1:7333', status: 200 },
  { host: '127.255.255.254', status: 200 },
  { host: '[::1]', status: 200 },
  { host: '[::1]:7333', status: 200 },
  { host: '[0:0:0:0:0:0:0:1]', status: 200 },
  { host: 'localhost', status: 200 },
  { host: 'LocalHost:65535', status: 200 },
  { host: 'ours.example', status: 200 },
  { host: 'OURS.Example:8443', status: 200 },
  { host: 'evil.example', status: 403 },
  { host: 'ours.example.evil.example', status: 403 },
  { host: 'evil-ours.example', status: 403 },
  { host: 'ours.example.', status: 403 },
  { host: 'localhost.', status: 403 },
  { host: 'localhost.evil.example', status: 403 },
  { host: '127.0.0.1.nip.io', status: 403 },
  { host: '127-0-0-1.rebind.example:80', status: 403 },
  { host: '0.0.0.0', status: 403 },
  { host: '[::]', status: 403 },
  { host: '[::ffff:127.0.0.1]', status: 403 },
  { host: '[::1', status: 403 },
  { host: '::1', status: 403 },
  { host: '10.0.0.1', status: 403 },
  { host: 'localhost:99999', status: 403 },
  { host: 'localhost:x', status: 403 },
  { host: 'loc%61lhost', status: 403 },
  { host: 'localhost@evil.example', status: 403 },
  { host: 'evil.example#localhost', status: 403 },
  { host: 'localhost/evil', status: 403 },
  { host: 'localhost, evil.example', status: 403 },
])('the host "$host" gets $status', async ({ host, status }) => {
  const { port, app } = await serving({ allowedHosts: ['ours.example'] })
  const reply = await send(port, { headers: { host }, body: call })
  expect(reply.status).toBe(status)
  expect(app.searches).toHaveLength(status === 200 ? 1 : 0)
})

test.each([
  { origin: 'http://localhost', status: 403 },
  { origin: 'https://127.0.0.1:1', status: 403 },
  { origin: 'http://[::1]:5173', status: 403 },
  { origin: 'http://localhost:6274', status: 200 },
  { origin: 'http://localhost:6275', status: 403 },
  { origin: 'https://app.example', status: 200 },
  { origin: 'HTTPS://app.example', status: 403 },
  { origin: 'https://app.example.', status: 403 },
  { origin: 'https://app.example:443', status: 403 },
  { origin: 'https://app.example/', status: 403 },
  { origin: 'https://sub.app.example', status: 403 },
  { origin: 'https://app.example.evil.example', status: 403 },
  { origin: 'http://localhost.', status: 403 },
  { origin: 'http://localhost.evil.example', status: 403 },
  { origin: 'http://localhost@evil.example', status: 403 },
  { origin: 'http://evil.example#http://localhost', status: 403 },
  { origin: 'http://2130706433.evil.example', status: 403 },
  { origin: 'file://', status: 403 },
  { origin: 'chrome-extension://abc', status: 403 },
  { origin: 'null', status: 403 },
  { origin: '', status: 403 },
])('the origin "$origin" gets $status', async ({ origin, status }) => {
  const { port, app } = await serving({ allowedOrigins: ['https://app.example', 'http://localhost:6274'] })
  const reply = await send(port, { headers: { origin }, body: call })
  expect(reply.status).toBe(status)
  expect(app.searches).toHaveLength(status === 200 ? 1 : 0)
})

test.each([
  { given: 'https://App.Example/', sent: 'https://app.example' },
  { given: 'https://app.example:443', sent: 'https://app.example' },
  { given: 'http://app.example:8080', sent: 'http://app.example:8080' },
  { given: 'chrome-extension://abc', sent: 'chrome-extension://abc' },
])('the origin $given, as a person writes it, lets in $sent', async ({ given, sent }) => {
  const { port } = await serving({ allowedOrigins: [given] })
  expect((await send(port, { headers: { origin: sent }, body: call })).status).toBe(200)
})

test.each([
  'app.example',
  '*',
  'null',
  '',
  'https://app.example/page',
  'https://*.app.example/x',
  'https://a b',
])('what no page ever sends as its origin is refused at the start: "%s"', async (origin) => {
  await expect(serving({ allowedOrigins: [origin] })).rejects.toThrow(
    `"${origin}" is no web origin. Give scheme`,
  )
})

test.each(['https://ours.example', 'ours.example/mcp', 'fd00::1', ''])(
  'what no Host header ever says is refused at the start: "%s"',
  async (name) => {
    await expect(serving({ allowedHosts: [name] })).rejects.toThrow(`"${name}" is no name of a host.`)
  },
)

test('of two origins none is believed', async () => {
  const { port } = await serving()
  const reply = await send(port, {
    headers: { origin: ['http://localhost', 'https://evil.example'] },
    body: call,
  })
  expect(reply.status).toBe(403)
})

const head =
  'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n'
const length = `Content-Length: ${Buffer.byteLength(call)}\r\n\r\n${call}`
const local = 'Host: 127.0.0.1\r\n'

test.each([
  { why: 'one host', request: `POST /mcp HTTP/1.1\r\n${local}${head}${length}`, status: 200 },
  {
    why: 'two hosts, the foreign one last',
    request: `POST /mcp HTTP/1.1\r\n${local}Host: evil.example\r\n${head}${length}`,
    status: 400,
  },
  {
    why: 'two hosts, the foreign one first',
    request: `POST /mcp HTTP/1.1\r\nHost: evil.example\r\n${local}${head}${length}`,
    status: 400,
  },
  {
    why: 'the same host twice',
    request: `POST /mcp HTTP/1.1\r\n${local}${local}${head}${length}`,
    status: 400,
  },
  { why: 'an empty host', request: `POST /mcp HTTP/1.1\r\nHost:\r\n${head}${length}`, status: 403 },
  { why: 'no host', request: `POST /mcp HTTP/1.1\r\n${head}${length}`, status: 400 },
  { why: 'no host in HTTP/1.0', request: `POST /mcp HTTP/1.0\r\n${head}${length}`, status: 403 },
  {
    why: 'a target that names another server',
    request: `POST http://evil.example/mcp HTTP/1.1\r\n${local}${head}${length}`,
    status: 400,
  },
  {
    why: 'a target that names this server',
    request: `POST http://127.0.0.1/mcp HTTP/1.1\r\n${local}${head}${length}`,
    status: 400,
  },
  { why: 'a target that is an asterisk', request: `OPTIONS * HTTP/1.1\r\n${local}${head}\r\n`, status: 400 },
  {
    why: 'a path that looks like a server',
    request: `POST //evil.example/mcp HTTP/1.1\r\n${local}${head}${length}`,
    status: 404,
  },
  {
    why: 'two credentials',
    request: `POST /mcp HTTP/1.1\r\n${local}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n${head}${length}`,
    status: 400,
  },
  {
    why: 'a length and chunks',
    request: `POST /mcp HTTP/1.1\r\n${local}${head}Transfer-Encoding: chunked\r\n${length}`,
    status: 400,
  },
  {
    why: 'a header of 20 kB',
    request: `POST /mcp HTTP/1.1\r\n${local}X: ${'y'.repeat(20_000)}\r\n${head}${length}`,
    status: 431,
  },
  {
    why: '200 headers',
    request: `POST /mcp HTTP/1.1\r\n${local}${'X: y\r\n'.repeat(200)}${head}${length}`,
    status: 431,
  },
])('$why gets $status', async ({ request, status }) => {
  const { port, app } = await serving()
  expect(statusOf(await raw(port, request))).toBe(status)
  expect(app.searches).toHaveLength(status === 200 ? 1 : 0)
})

describe('a session id proves nothing', () => {
  const token = 'correct-horse-battery-staple'
  const someone = { authorization: `Bearer ${token}` }
  const session = { 'mcp-session-id': 'of-someone-who-may' }

  test('without a token it is refused as if it were not there', async () => {
    const { port, app } = await serving({ token })
    const started = await send(port, {
      headers: { ...someone, ...session },
      body: JSON.stringify(initialize('2025-11-25')),
    })
    expect(started.status).toBe(200)
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect(
        (await send(port, { method, headers: session, body: method === 'POST' ? call : '' })).status,
      ).toBe(401)
    }
    expect(app.searches).toEqual([])
  })

  test('with a token it gives neither the stream nor the end of anyone', async () => {
    const { port } = await serving({ token })
    for (const method of ['GET', 'DELETE']) {
      const reply = await send(port, { method, headers: { ...someone, ...session, 'last-event-id': '1' } })
      expect(reply.status).toBe(405)
    }
  })

  test('one that was made up is not taken up, and does no harm', async () => {
    const { port } = await serving()
    const started = await send(port, { headers: session, body: JSON.stringify(initialize('2025-06-18')) })
    expect(started.headers['mcp-session-id']).not.toBe(session['mcp-session-id'])
    const reply = await send(port, { headers: session, body: call })
    expect(reply.headers['mcp-session-id']).toBeUndefined()
    expect(messageOf(reply).result).toMatchObject({ structuredContent: { match: 'good' } })
  })
})

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['[::1]', true],
  ['::1', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.', false],
  ['127.1', false],
  ['127.0.0.1.evil.example', false],
  ['', false],
])('only this machine reaches %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test.each([
  ['Example.ORG:80', 'example.org'],
  ['[::1]:1', '[::1]'],
  ['user@host', null],
  ['host/path', null],
  ['a b', null],
  ['%68ost', null],
  ['', null],
])('the name in %s is %s', (authority, expected) => {
  expect(hostnameOf(authority)).toBe(expected)
})
