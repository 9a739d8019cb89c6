import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type HttpOptions, serveHttp } from '../../src/server/serve-http.ts'
import { currentWatcher, watchWith } from '../../src/watching/watch.ts'
import { type FakeOptions, fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { call, connected, house } from '../server/called-house.ts'
import { connectInMemory, textOf } from '../server/connect.ts'
import { modern, modernEra, plain, searchCall } from '../server/eras.ts'
import { send } from '../server/send-http.ts'
import { clientSpan, sendingApp, traceId, traceparent } from './watched.ts'

async function serving(options: HttpOptions = {}, fake: FakeOptions = {}) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const sending = await sendingApp(fakeAudition(someCards, fake))
  const served = await serveHttp(sending.app, { port: 0, ...options })
  onTestFinished(() => served.close())
  return { ...sending, ...served }
}

const traced = (id: number, params: object, meta: object = { traceparent }) =>
  JSON.stringify(plain(id, 'tools/call', { ...params, _meta: meta }))

describe('over HTTP', () => {
  test("the client's span is the parent of the request, and the request of the search", async () => {
    const { port, receiver, watching } = await serving()
    await send(port, {
      body: traced(7, searchCall, {
        traceparent,
        tracestate: 'rojo=00f067aa0ba902b7',
        baggage: 'user=alice',
      }),
      headers: { 'mcp-protocol-version': '2025-11-25' },
    })
    await watching.close(5_000)
    const [search, request] = receiver.spans()
    expect(receiver.spans()).toHaveLength(2)
    expect(request).toMatchObject({
      traceId,
      parentSpanId: clientSpan,
      name: 'tools/call search_tools',
      kind: 2,
      status: { code: 0 },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search_tools',
        'jsonrpc.request.id': '7',
        'mcp.protocol.version': '2025-11-25',
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
      },
    })
    expect(search).toMatchObject({
      traceId,
      parentSpanId: request!.spanId,
      name: 'retrieval tools',
      kind: 1,
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.data_source.id': 'tools',
        'audition.search.match': 'good',
      },
    })
    expect(receiver.resource()).toMatchObject({ 'service.name': 'audition', 'service.version': '0.1.0' })
    expect(receiver.points().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'mcp.server.operation.duration',
        'audition.search.duration',
        'process.memory.usage',
      ]),
    )
    expect(receiver.bodies.join('')).not.toContain('alice')
  })

  test('a client of the current revision is told by its version, and one that traces HTTP alone by its header', async () => {
    const { port, receiver, watching } = await serving()
    await send(port, {
      body: JSON.stringify(modern(1, 'tools/call', searchCall)),
      headers: {
        'mcp-protocol-version': modernEra,
        'mcp-method': 'tools/call',
        'mcp-name': 'search_tools',
        traceparent,
      },
    })
    await watching.close(5_000)
    const request = receiver.spans().find(({ kind }) => kind === 2)
    expect(request).toMatchObject({ traceId, parentSpanId: clientSpan })
    expect(request?.attributes['mcp.protocol.version']).toBe(modernEra)
  })

  test('what the caller decided not to keep is not sent, and what is no traceparent begins a trace of ours', async () => {
    const { port, receiver, watching } = await serving()
    await send(port, { body: traced(1, searchCall, { traceparent: traceparent.replace(/01$/, '00') }) })
    await send(port, { body: traced(2, searchCall, { traceparent: '00-xyz' }) })
    await watching.close(5_000)
    const ids = receiver.spans().map((span) => span.traceId)
    expect(ids).toHaveLength(2)
    expect(ids).not.toContain(traceId)
    expect(new Set(ids).size).toBe(1)
  })

  test('no text of a request, no text of a card, no id of a candidate and no token is sent', async () => {
    const { port, receiver, watching } = await serving({ token: 'a-token-of-ours' })
    const headers = { authorization: 'Bearer a-token-of-ours' }
    const query = { name: 'search_tools', arguments: { query: 'issues of Müller & Söhne' } }
    const answer = await send(port, { body: traced(1, query), headers })
    const wrong = { name: 'describe', arguments: { ids: ['nowhere/private-thing'] } }
    await send(port, { body: traced(2, wrong), headers })
    await send(port, { body: traced(3, { name: 'no_such_tool_of_mine', arguments: {} }), headers })
    await watching.close(5_000)
    const sent = receiver.bodies.join('\n')
    expect(answer.body).toContain('forge/list_issues')
    for (const secret of [
      'Müller',
      'forge',
      'issues',
      'private-thing',
      'no_such_tool',
      'a-token-of-ours',
      'repository',
    ])
      expect(sent).not.toContain(secret)
    expect(receiver.spans().map(({ name }) => name)).toContain('tools/call')
  })

  test.each([
    {
      does: 'arguments that do not fit',
      params: { name: 'search_tools', arguments: {} },
      type: 'tool_error',
    },
    { does: 'a tool that is not there', params: { name: 'nothing', arguments: {} }, type: '-32602' },
  ])('$does: the span failed, and says how in a word', async ({ params, type }) => {
    const { port, receiver, watching } = await serving()
    await send(port, { body: traced(1, params) })
    await watching.close(5_000)
    const [span] = receiver.spans()
    expect(span?.attributes['error.type']).toBe(type)
    expect(span?.status).toEqual({ code: 2 })
  })

  test('a request whose caller has gone ends as cancelled', async () => {
    const { url, receiver, watching } = await serving({}, { delayMs: 30_000 })
    const leaving = new AbortController()
    const asked = fetch(url, {
      method: 'POST',
      body: traced(1, searchCall),
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    })
    setTimeout(() => leaving.abort(), 300)
    await expect(asked).rejects.toThrow()
    await vi.waitFor(async () => {
      expect(await watching.metricsText!()).toContain('error_type="cancelled"')
    })
    await watching.close(5_000)
    expect(receiver.spans().find(({ kind }) => kind === 2)?.attributes['error.type']).toBe('cancelled')
  })
})

test('a call of a tool through Audition is a span of its own, and its server is told of it', async () => {
  const at = await house()
  const { app, receiver, watching } = await sendingApp(at.app)
  const client = await connectInMemory(app, { surrounded: at.surrounded })
  const { content } = await client.callTool({
    name: 'call_tool',
    arguments: { id: 'shop/traced', arguments: {} },
    _meta: { traceparent, baggage: 'user=alice' },
  })
  await client.close()
  await watching.close(5_000)
  const spans = receiver.spans()
  const request = spans.find(({ name }) => name === 'tools/call call_tool')
  const made = spans.find(({ name }) => name === 'tools/call traced')
  expect(request).toMatchObject({ traceId, parentSpanId: clientSpan, kind: 2 })
  expect(request?.attributes['network.transport']).toBe('pipe')
  expect(made).toMatchObject({ traceId, parentSpanId: request!.spanId, kind: 3 })
  expect(made?.attributes).toMatchObject({ 'gen_ai.tool.name': 'traced', 'audition.outcome': 'result' })
  expect(textOf({ content: content as unknown[] })).toContain(`00-${traceId}-${made!.spanId}-01`)
  expect(textOf({ content: content as unknown[] })).not.toContain('alice')
})

test('a server that is called while nobody watches is told of no trace', async () => {
  expect(currentWatcher()).toBeNull()
  const client = await connected(await house())
  expect(textOf((await call(client, 'call_tool', 'shop/traced')) as never)).toContain('no trace')
})

test('two who watch one after the other do not hear of one another', async () => {
  const first = await sendingApp(fakeAudition(someCards))
  await first.watching.close(1_000)
  const second = await sendingApp(fakeAudition(someCards))
  await second.app.search({ kind: 'tool', query: 'issues' })
  await second.watching.close(5_000)
  expect(first.receiver.spans()).toEqual([])
  expect(second.receiver.spans()).toHaveLength(1)
  watchWith(null)
})
