import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cancellations } from '../../src/server/transport/http-exchanges.ts'
import { type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { agentCard, fakeAudition } from '../fakes/fake-audition.ts'
import { fakeEvaluations } from '../fakes/fake-evaluations.ts'
import { type Behaviour, hangs, scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'
import { someCards } from '../fakes/some-cards.ts'
import { connectInMemory, testClient } from './connect.ts'
import { handshakeEras, initialize, modern, modernEra, plain, type RawRequest } from './eras.ts'
import { messageOf, send, usual } from './send-http.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-cancellation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const servings: HttpServing[] = []
/** Requests that a test leaves open: a server waits for them, and for jobs, when it is closed. */
const open: (() => void)[] = []
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(async () => {
  for (const drop of open.splice(0)) drop()
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

const clerk = agentCard('team/clerk')
let count = 0

/** Whatever is called never ends by itself. */
async function serving() {
  const evaluations = fakeEvaluations({ gate: new Promise(() => {}) })
  const probes = { stopped: 0 }
  const hangsUntilStopped: Behaviour = (task, run) => {
    run.signal.addEventListener('abort', () => {
      probes.stopped += 1
    })
    return hangs(task, run)
  }
  const executor = scriptedExecutor({ [clerk.id]: hangsUntilStopped })
  const probing = scriptedProbing(join(folder, String(count++)), executor)
  await probing.changeAllow({ add: ['command:/bin/*'] })
  const app = fakeAudition([...someCards, clerk], { evaluations, probing, delayMs: 60_000 })
  const served = await serveHttp(app, { port: 0 })
  servings.push(served)
  return { ...served, app, evaluations, probing, executor, probes }
}
type Serving = Awaited<ReturnType<typeof serving>>

/** A call that never ends, and how the server tells that it runs, and that it was stopped and left nothing. */
type Endless = {
  readonly call: { readonly name: string; readonly arguments: { readonly [name: string]: unknown } }
  isRunning(serving: Serving): boolean
  wasStopped(serving: Serving): Promise<boolean>
}

const evaluating: Endless = {
  call: { name: 'evaluate', arguments: { dataset: 'bundled' } },
  isRunning: ({ evaluations }) => evaluations.requests.length === 1,
  wasStopped: async ({ evaluations }) =>
    evaluations.requests[0]!.signal!.aborted && (await evaluations.runs()).length === 0,
}
const endless: readonly Endless[] = [
  evaluating,
  {
    call: { name: 'probe_agent', arguments: { agent: clerk.id, task: 'wait' } },
    isRunning: ({ executor }) => executor.started.length === 1,
    wasStopped: async ({ probes, probing }) => probes.stopped === 1 && probing.record.added.length === 0,
  },
  {
    call: { name: 'search_tools', arguments: { query: 'issues' } },
    isRunning: ({ app }) => app.searches.length === 1,
    wasStopped: async ({ app }) => app.aborted.count === 1,
  },
]

const running = (serving: Serving, { isRunning }: Endless) =>
  vi.waitFor(() => expect(isRunning(serving)).toBe(true))
const stopped = (serving: Serving, { wasStopped }: Endless) =>
  vi.waitFor(async () => expect(await wasStopped(serving)).toBe(true))
/** What goes on would be seen to go on by a message that came behind the one that should not have stopped it. */
const goesOn = async (serving: Serving, { wasStopped }: Endless) => {
  await send(serving.port, { body: JSON.stringify(plain(99, 'ping')) })
  expect(await wasStopped(serving)).toBe(false)
}

const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'The user gave up.' },
})
const modernHeaders = (name: string) => ({
  'mcp-protocol-version': modernEra,
  'mcp-method': 'tools/call',
  'mcp-name': name,
})

type Sending = { readonly headers?: { readonly [name: string]: string }; readonly body: object }

/** Sends a request that will not be answered; the function drops its connection. */
function begin(port: number, { headers = {}, body }: Sending): () => void {
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers: { ...usual, ...headers } }
  const sent = request(options, (response) => void response.on('error', () => {}).resume())
  sent.on('error', () => {})
  sent.end(JSON.stringify(body))
  const drop = (): void => void sent.destroy()
  open.push(drop)
  return drop
}

/** The session that a handshake of this revision was given. */
async function sessionAt(port: number, era: string): Promise<string> {
  const reply = await send(port, { body: JSON.stringify(initialize(era)) })
  expect(messageOf(reply).result).toMatchObject({ protocolVersion: era })
  return String(reply.headers['mcp-session-id'])
}

describe.each(endless)('$call.name stops', (one) => {
  test.each(['legacy', 'auto'] as const)('when a real client of mode %s aborts its call', async (mode) => {
    const server = await serving()
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
    const stop = new AbortController()
    const called = client.callTool(one.call, { signal: stop.signal })
    await running(server, one)
    stop.abort()
    await expect(called).rejects.toThrow()
    await stopped(server, one)
    await client.close()
  })

  test.each(['legacy', 'auto'] as const)('when a real client of mode %s is closed', async (mode) => {
    const server = await serving()
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
    const called = client.callTool(one.call)
    called.catch(() => {})
    await running(server, one)
    await client.close()
    await stopped(server, one)
  })

  test.each(handshakeEras)('when a client of %s says so in its session', async (era) => {
    const server = await serving()
    const headers = { 'mcp-protocol-version': era, 'mcp-session-id': await sessionAt(server.port, era) }
    begin(server.port, { headers, body: plain(7, 'tools/call', one.call) })
    await running(server, one)
    const reply = await send(server.port, { headers, body: JSON.stringify(cancelled(7)) })
    expect(reply.status).toBe(202)
    await stopped(server, one)
  })

  test.each([
    { how: 'a handshake revision', headers: {}, body: plain(7, 'tools/call', one.call) },
    {
      how: modernEra,
      headers: modernHeaders(one.call.name),
      body: modern(7, 'tools/call', one.call),
    },
  ])('when a client of $how says so without a session', async ({ headers, body }) => {
    const server = await serving()
    begin(server.port, { headers, body })
    await running(server, one)
    await send(server.port, { body: JSON.stringify(cancelled(7)) })
    await stopped(server, one)
  })

  test.each([
    { how: 'a handshake revision', headers: {}, body: plain(7, 'tools/call', one.call) },
    {
      how: `${modernEra}, which asked for progress`,
      headers: modernHeaders(one.call.name),
      body: withProgress(modern(7, 'tools/call', one.call)),
    },
    { how: modernEra, headers: modernHeaders(one.call.name), body: modern(7, 'tools/call', one.call) },
  ])('when the connection of a client of $how ends', async ({ headers, body }) => {
    const server = await serving()
    const drop = begin(server.port, { headers, body })
    await running(server, one)
    drop()
    await stopped(server, one)
  })
})

function withProgress(call: RawRequest): RawRequest {
  const meta = call.params._meta as object
  return { ...call, params: { ...call.params, _meta: { ...meta, progressToken: 'p' } } }
}

describe('a cancellation reaches', () => {
  const era = '2025-11-25'
  const sessionHeaders = (session: string) => ({ 'mcp-protocol-version': era, 'mcp-session-id': session })
  const call = (id: number | string) => ({ ...plain(0, 'tools/call', evaluating.call), id })

  test.each([
    { what: 'another id', id: 8 },
    { what: 'the same id in another type', id: '7' },
    { what: 'no id', id: undefined },
  ])('nothing when it names $what', async ({ id }) => {
    const server = await serving()
    const headers = sessionHeaders(await sessionAt(server.port, era))
    begin(server.port, { headers, body: call(7) })
    await running(server, evaluating)
    await send(server.port, { headers, body: JSON.stringify(cancelled(id)) })
    await goesOn(server, evaluating)
  })

  test('no request of another session, nor one in a session when it names none', async () => {
    const server = await serving()
    const [own, other] = [await sessionAt(server.port, era), await sessionAt(server.port, era)]
    expect(own).not.toBe(other)
    begin(server.port, { headers: sessionHeaders(own), body: call(7) })
    await running(server, evaluating)
    for (const headers of [sessionHeaders(other), {}]) {
      await send(server.port, { headers, body: JSON.stringify(cancelled(7)) })
      await goesOn(server, evaluating)
    }
    await send(server.port, { headers: sessionHeaders(own), body: JSON.stringify(cancelled(7)) })
    await stopped(server, evaluating)
  })

  test('none of two that it might mean', async () => {
    const server = await serving()
    begin(server.port, { body: call(7) })
    await running(server, evaluating)
    const search = { name: 'search_tools', arguments: { query: 'issues' } }
    const drop = begin(server.port, { body: plain(7, 'tools/call', search) })
    await vi.waitFor(() => expect(server.app.searches).toHaveLength(1))
    await send(server.port, { body: JSON.stringify(cancelled(7)) })
    await goesOn(server, evaluating)
    drop()
    await vi.waitFor(() => expect(server.app.aborted.count).toBe(1))
    await send(server.port, { body: JSON.stringify(cancelled(7)) })
    await stopped(server, evaluating)
  })

  test('no request of another caller, though it knows the session', () => {
    const running = cancellations()
    const exchange = running.take({ caller: 'subject a', session: 's' }, [call(7)])
    running.take({ caller: 'subject b', session: 's' }, [cancelled(7)])
    expect(exchange.signal.aborted).toBe(false)
    running.take({ caller: 'subject a', session: 's' }, [cancelled(7)])
    expect(exchange.signal.aborted).toBe(true)
  })

  test('one request of a batch, and the others are answered', async () => {
    const server = await serving()
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    const batch = [call(7), plain(8, 'tools/list')]
    const answered = send(server.port, { headers, body: JSON.stringify(batch) })
    await running(server, evaluating)
    await send(server.port, { headers, body: JSON.stringify(cancelled(7)) })
    await stopped(server, evaluating)
    expect((await answered).body).toContain('"search_tools"')
  })

  test('every request of a batch that gives one id to many, and Node warns of nothing', async () => {
    const warned = vi.fn<(warning: Error) => void>()
    process.on('warning', warned)
    const server = await serving()
    const search = { name: 'search_tools', arguments: { query: 'issues' } }
    const batch = Array.from({ length: 20 }, () => plain(7, 'tools/call', search))
    begin(server.port, { headers: { 'mcp-protocol-version': '2025-03-26' }, body: batch })
    await vi.waitFor(() => expect(server.app.searches.length).toBeGreaterThan(0))
    await send(server.port, { body: JSON.stringify(cancelled(7)) })
    await vi.waitFor(() => expect(server.app.aborted.count).toBe(server.app.searches.length))
    process.off('warning', warned)
    expect(warned).not.toHaveBeenCalled()
  })

  test('a request whose answer is already there without harm', async () => {
    const server = await serving()
    const headers = sessionHeaders(await sessionAt(server.port, era))
    await send(server.port, { headers, body: JSON.stringify(plain(7, 'tools/list')) })
    const reply = await send(server.port, { headers, body: JSON.stringify(cancelled(7)) })
    expect(reply.status).toBe(202)
    begin(server.port, { headers, body: call(8) })
    await running(server, evaluating)
    await goesOn(server, evaluating)
  })
})

test('after a run was cancelled the next one may begin', async () => {
  const server = await serving()
  const drop = begin(server.port, { body: plain(7, 'tools/call', evaluating.call) })
  await running(server, evaluating)
  drop()
  await stopped(server, evaluating)
  begin(server.port, { body: plain(8, 'tools/call', evaluating.call) })
  await vi.waitFor(() => expect(server.evaluations.requests).toHaveLength(2))
})

test.each([
  { how: 'a handshake revision', headers: {}, body: plain(7, 'tools/call', evaluating.call) },
  {
    how: modernEra,
    headers: modernHeaders(evaluating.call.name),
    body: modern(7, 'tools/call', evaluating.call),
  },
])('a long call of $how is still stopped when memory was tidied up meanwhile', async ({ headers, body }) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const server = await serving()
  const drop = begin(server.port, { headers, body })
  await running(server, evaluating)
  for (let round = 0; round < 3; round += 1) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  drop()
  await stopped(server, evaluating)
})

test('a call that ended leaves nothing on the signal of its request', async () => {
  const { signal } = new AbortController()
  const client = await connectInMemory(fakeAudition(someCards), { cancelled: () => signal })
  await client.callTool({ name: 'search_tools', arguments: { query: 'send a letter' } })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
