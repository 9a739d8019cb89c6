import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openServerSession, type ServerSession } from '../../../src/adapters/mcp-client/server-session.ts'
import { BoundReached, boundsOf } from '../../../src/domain/bounds.ts'
import { HarvestError, type McpServerEntry } from '../../../src/catalog/ports.ts'
import { newMark, processesWith } from '../command/agents.ts'
import { never, stdioEntry, urlEntry } from './servers.ts'
import { serverProgram } from './tools.ts'

/** A session that is closed after the test. */
async function opened(entry: McpServerEntry, bounds = boundsOf({ seconds: 30 })): Promise<ServerSession> {
  const session = await openServerSession(entry, {
    catalogFolder: '/opt/audition/catalog',
    environment: process.env,
    version: '0.0.0',
    bounds,
  }).finally(bounds.release)
  onTestFinished(() => session.close())
  return session
}

const behaving = (behaviour: string, mark = newMark()): McpServerEntry =>
  stdioEntry({ command: process.execPath, args: [serverProgram, behaviour, mark] })

async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function echo(): McpServer {
  const server = new McpServer({ name: 'echo', version: '2.0.0' })
  const config = { description: 'Says it again', inputSchema: z.object({ text: z.string() }) }
  server.registerTool('work', config, async ({ text }) => ({ content: [{ type: 'text', text }] }))
  return server
}

/** The transport of protocol 2024-11-05: an event stream at /mcp, messages to /messages. */
function oldServer(): (request: IncomingMessage, response: ServerResponse) => void {
  let stream: ServerResponse | undefined
  const results: { readonly [method: string]: (params: { arguments?: { text?: string } }) => unknown } = {
    initialize: () => ({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '2.0.0' },
    }),
    'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
    'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments?.text }] }),
  }
  return async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(202).end()
    const { id, method, params } = JSON.parse(body)
    const result = results[method]?.(params)
    if (result !== undefined)
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  }
}

describe('a session', () => {
  test.each([
    { why: 'over stdio', entry: async () => behaving('echo'), text: 'Worked on: hay' },
    {
      why: 'over streamable HTTP',
      entry: async () => urlEntry(await listen(toNodeHandler(createMcpHandler(echo)) as never)),
      text: 'hay',
    },
    {
      why: 'over streamable HTTP, revision 2026-07-28 alone',
      entry: async () =>
        urlEntry(await listen(toNodeHandler(createMcpHandler(echo, { legacy: 'reject' })) as never)),
      text: 'hay',
    },
    { why: 'over SSE', entry: async () => urlEntry(await listen(oldServer()), 'sse'), text: 'hay' },
  ])('$why knows the tools and calls them, one after the other and side by side', async ({ entry, text }) => {
    const session = await opened(await entry())
    expect(session.server.version).not.toBe('')
    expect(session.tools).toMatchObject([{ name: 'work' }])
    const first = await session.call('work', { text: 'hay' }, { signal: never })
    expect(first).toEqual({ text, failed: false })
    const more = await Promise.all(
      [1, 2, 3].map(() => session.call('work', { text: 'hay' }, { signal: never })),
    )
    expect(more).toEqual([first, first, first])
  })

  test('goes on after a tool that failed', async () => {
    const session = await opened(behaving('refusal'))
    for (const _ of [1, 2]) {
      expect(await session.call('work', { text: 'hay' }, { signal: never })).toEqual({
        text: expect.stringContaining('error -32603: out of order'),
        failed: true,
      })
    }
  })

  test('goes on after a call that the caller stopped', async () => {
    const session = await opened(behaving('never-answer'))
    for (const reason of ['enough', 'again']) {
      const controller = new AbortController()
      const call = session.call('work', { text: 'hay' }, controller)
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
    }
  })

  test('says that its server is gone', async () => {
    const session = await opened(behaving('crash'))
    for (const _ of [1, 2])
      await expect(session.call('work', { text: 'hay' }, { signal: never })).rejects.toThrow(HarvestError)
    expect(session.log()).toContain('out of luck')
  })

  test('ends when its server sends more than it may', async () => {
    const session = await opened(behaving('flood'), boundsOf({ seconds: 30, bytes: 100_000 }))
    for (const _ of [1, 2])
      await expect(session.call('work', { text: 'hay' }, { signal: never })).rejects.toThrow(BoundReached)
  })

  test('leaves no process, whoever was started', async () => {
    const marks = ['stubborn', 'daemon'].map((behaviour) => [behaviour, newMark()] as const)
    for (const [behaviour, mark] of marks) {
      const session = await opened(behaving(behaviour, mark))
      expect(processesWith(mark)).not.toEqual([])
      await session.close()
      expect(processesWith(mark)).toEqual([])
    }
  })

  test.each([
    { behaviour: 'crash-at-start', says: 'exited with code 1' },
    { behaviour: 'never-list', says: 'did not list its tools within 1 s' },
  ])('that cannot be opened says why and leaves nothing ($behaviour)', async ({ behaviour, says }) => {
    const mark = newMark()
    await expect(
      opened(behaving(behaviour, mark), boundsOf({ seconds: says.includes('1 s') ? 1 : 30 })),
    ).rejects.toThrow(says)
    expect(processesWith(mark)).toEqual([])
  })

  test('is never opened for a configuration from the network', async () => {
    const entry = { ...behaving('echo'), config: 'https://example.com/.mcp.json' }
    await expect(opened(entry)).rejects.toThrow('comes from the network')
  })
})
