import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { httpGuard } from '../../src/adapters/http/guarded-fetch.ts'
import { type HttpAccess, httpPolicy } from '../../src/server/transport/http-policy.ts'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { type FakeOptions, fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { plain, searchCall } from './eras.ts'
import { messageOf, send } from './send-http.ts'

const servings: HttpServing[] = []
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

async function serving(options: HttpOptions = {}, fake: FakeOptions = {}) {
  const app = fakeAudition(someCards, fake)
  const served = await serveHttp(app, { port: 0, ...options })
  servings.push(served)
  return { app, ...served }
}

const call = JSON.stringify(plain(1, 'tools/call', searchCall))
const statuses = async (port: number, count: number, headers = {}): Promise<readonly number[]> => {
  const found: number[] = []
  for (let time = 0; time < count; time += 1) found.push((await send(port, { headers, body: call })).status)
  return found
}

test('whoever asks too often is told when to come back', async () => {
  const { port, app } = await serving({ requestsPerMinute: 3 })
  expect(await statuses(port, 5)).toEqual([200, 200, 200, 429, 429])
  const reply = await send(port, { body: call })
  expect(reply.status).toBe(429)
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  expect(messageOf(reply).error?.message).toMatch(/^Too many requests: try again in \d+ seconds\.$/)
  expect(app.searches).toHaveLength(3)
  expect((await send(port, { method: 'GET', path: '/health' })).status).toBe(200)
})

test('a batch counts as what it holds', async () => {
  const { port, app } = await serving({ requestsPerMinute: 10 })
  const batch = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => plain(id, 'tools/call', searchCall)))
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  expect((await send(port, { headers, body: batch(8) })).status).toBe(200)
  expect((await send(port, { headers, body: batch(8) })).status).toBe(429)
  expect(app.searches).toHaveLength(8)
})

test.each<{ where: string; access: HttpAccess; host: string; isLimited: boolean }>([
  { where: 'on loopback', access: {}, host: '127.0.0.1', isLimited: false },
  { where: 'on loopback with a token', access: { token: 'secret' }, host: '::1', isLimited: false },
  { where: 'on all addresses', access: { token: 'secret' }, host: '0.0.0.0', isLimited: true },
  {
    where: 'at a public address',
    access: { publicUrl: 'https://a.example', token: 'secret' },
    host: '127.0.0.1',
    isLimited: true,
  },
  {
    where: 'on all addresses, by wish without',
    access: { token: 'secret', requestsPerMinute: 0 },
    host: '0.0.0.0',
    isLimited: false,
  },
  {
    where: 'on loopback, by wish',
    access: { requestsPerMinute: 600 },
    host: '127.0.0.1',
    isLimited: true,
  },
])('$where the rate is limited to 600 a minute: $isLimited', ({ access, host, isLimited }) => {
  const { rate } = httpPolicy(access, host, httpGuard().fetch)
  const waits = Array.from({ length: 20_000 }, () => rate.take('caller'))
  expect(waits.slice(0, 600).every((wait) => wait === 0)).toBe(true)
  expect(waits.some((wait) => wait > 0)).toBe(isLimited)
})

test('strangers use up nothing of those who may call', async () => {
  const { port } = await serving({ token: 'secret', requestsPerMinute: 3 })
  expect(await statuses(port, 5, { authorization: 'Bearer wrong' })).toEqual([401, 401, 401, 429, 429])
  expect(await statuses(port, 3, { authorization: 'Bearer secret' })).toEqual([200, 200, 200])
})

test('more open requests than may be are told to come back, and the rest is answered', async () => {
  const { port, app } = await serving({ mostRequests: 2 }, { delayMs: 300 })
  const running = [send(port, { body: call }), send(port, { body: call })]
  await vi.waitFor(() => expect(app.searches).toHaveLength(2))
  const reply = await send(port, { body: call })
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
  expect((await send(port, { method: 'GET', path: '/health' })).status).toBe(200)
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
  expect((await send(port, { body: call })).status).toBe(200)
})

test('64 clients at once are no load that is refused', async () => {
  const { port } = await serving()
  const rounds = Array.from({ length: 64 }, () => statuses(port, 5))
  expect(new Set((await Promise.all(rounds)).flat())).toEqual(new Set([200]))
})

test('no more calls run than may, over however many requests; the others wait their turn', async () => {
  const app = fakeAudition(someCards)
  let running = 0
  let most = 0
  const served = await serveHttp(
    {
      ...app,
      async search(request) {
        running += 1
        most = Math.max(most, running)
        if (most === 16) await new Promise((resolve) => setTimeout(resolve, 20))
        else await vi.waitFor(() => expect(most).toBe(16), { timeout: 20_000 })
        running -= 1
        return app.search(request)
      },
    },
    { port: 0 },
  )
  servings.push(served)
  const replies = await Promise.all(Array.from({ length: 80 }, () => send(served.port, { body: call })))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(most).toBe(16)
})

test.each([
  { what: 'a query', name: 'search_tools', given: { query: 'x'.repeat(8_001) } },
  { what: 'an instruction', name: 'search_tools', given: { query: 'x', instruction: 'y'.repeat(8_001) } },
  { what: 'a task', name: 'search_agents', given: { task: 'x'.repeat(100_000) } },
  { what: 'a source', name: 'search_tools', given: { query: 'x', sources: ['y'.repeat(513)] } },
  { what: 'a list', name: 'search_tools', given: { query: 'x', exclude: Array(51).fill('a/b') } },
  { what: 'an id', name: 'describe', given: { ids: ['y'.repeat(513)] } },
  { what: 'a handle', name: 'evaluate', given: { run_id: 'y'.repeat(513) } },
  { what: 'k', name: 'search_tools', given: { query: 'x', k: 101 } },
])(
  '$what beyond its limit is refused with the limit, before anything is searched',
  async ({ name, given }) => {
    const { port, app } = await serving()
    const reply = await send(port, {
      body: JSON.stringify(plain(1, 'tools/call', { name, arguments: given })),
    })
    const { isError, content } = messageOf(reply).result as { isError: boolean; content: [{ text: string }] }
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(
      /but must be (a text of at most \d+ characters|a list of at most 50|at most 100)\./,
    )
    expect(content[0].text.length).toBeLessThan(500)
    expect(app.searches).toEqual([])
  },
)

test('no resource that is named at length is compared with every id', async () => {
  const { port, app } = await serving()
  const closest = vi.spyOn(app, 'closestIds')
  const uri = `audition://tools/forge/${'y'.repeat(200_000)}`
  const reply = await send(port, { body: JSON.stringify(plain(1, 'resources/read', { uri })) })
  expect(messageOf(reply).error?.message).toMatch(/^No tool has the id /)
  expect(closest).not.toHaveBeenCalled()
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'the inherited name %s is no tool and no completer',
  async (name) => {
    const { port, app } = await serving()
    const tool = await send(port, { body: JSON.stringify(plain(1, 'tools/call', { name, arguments: {} })) })
    expect(messageOf(tool).error).toMatchObject({ code: -32_602 })
    const ref = { type: 'ref/resource', uri: 'audition://tools/{source}/{key}' }
    const completion = plain(2, 'completion/complete', { ref, argument: { name, value: 'f' } })
    expect(messageOf(await send(port, { body: JSON.stringify(completion) })).result).toMatchObject({
      completion: { values: [] },
    })
    expect(app.searches).toEqual([])
  },
)

test('parameters that fit no method are told as such, in a line', async () => {
  const { port } = await serving()
  const completion = plain(1, 'completion/complete', { ref: 7, argument: { name: 'key', value: 'x' } })
  const { error } = messageOf(await send(port, { body: JSON.stringify(completion) }))
  expect(error).toEqual({
    code: -32_602,
    message: expect.stringMatching(/^Invalid params\.ref: [^\n{[]{1,100}$/),
  })
  const call = plain(2, 'tools/call', { name: 'search_tools', arguments: '{"query":"x"}' })
  expect(messageOf(await send(port, { body: JSON.stringify(call) })).error).toEqual({
    code: -32_602,
    message: expect.stringMatching(/^Invalid params\.arguments: [^\n{[]{1,100}$/),
  })
})

test('a client that says so has its connection ended after the answer', async () => {
  const { port } = await serving()
  const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`
  const text = await new Promise<string>((resolve, reject) => {
    let read = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST /mcp HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: ${call.length}\r\n\r\n${call}`,
      ),
    )
    socket.on('data', (part) => (read += String(part)))
    socket.on('close', () => resolve(read))
    socket.on('error', reject)
  })
  expect(text).toMatch(/^HTTP\/1\.1 200/)
})
