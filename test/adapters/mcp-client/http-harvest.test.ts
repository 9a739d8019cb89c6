import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { failureOf, harvester, never, urlEntry } from './servers.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Serves on a free port of the loopback until the test ends; gives the URL of `/mcp`. */
async function listen(handler: Handler): Promise<string> {
  const server: Server = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

/** The SDK's handler; its parameters are typed without `undefined` in optional fields, which Node's have. */
const served = (options: Parameters<typeof createMcpHandler>[1] = {}): Handler =>
  toNodeHandler(createMcpHandler(clock, options)) as unknown as Handler

/** An address on which nobody listens. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/mcp`
}

function clock(): McpServer {
  const server = new McpServer({ name: 'clock', version: '2.0.0' })
  server.registerTool('now', { description: 'The time', inputSchema: z.object({}) }, async () => ({
    content: [],
  }))
  return server
}

async function bodyOf(request: IncomingMessage): Promise<{ id?: number; method?: string }> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text || '{}')
}

const answers: { readonly [method: string]: unknown } = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1' },
  },
  'tools/list': { tools: [{ name: 'old_tool', inputSchema: { type: 'object' } }] },
}

/** The transport of protocol 2024-11-05: an event stream at /mcp, messages to /messages. POST to /mcp is refused. */
function oldServer(onRequest: (request: IncomingMessage) => void = () => {}): Handler {
  let stream: ServerResponse | undefined
  return async (request, response) => {
    onRequest(request)
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    if (request.url !== '/messages') return void response.writeHead(405).end()
    const { id, method = '' } = await bodyOf(request)
    response.writeHead(202).end()
    const result = answers[method]
    if (id !== undefined && result !== undefined) {
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    }
  }
}

describe('a server at an address', () => {
  test.each([
    { why: 'serves every revision', legacy: 'stateless' as const },
    { why: 'serves the revision 2026-07-28 alone', legacy: 'reject' as const },
  ])('gives its tools when it $why', async ({ legacy }) => {
    const url = await listen(served({ legacy }))
    const { server, tools } = await harvester().harvest(urlEntry(url), never)
    expect(server).toMatchObject({ name: 'clock', version: '2.0.0' })
    expect(tools).toMatchObject([{ name: 'now', description: 'The time' }])
  })

  test('with sessions is told when we are done', async () => {
    const methods: string[] = []
    let transport: NodeStreamableHTTPServerTransport | undefined
    const url = await listen(async (request, response) => {
      methods.push(String(request.method))
      if (transport === undefined) {
        transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-1' })
        await clock().connect(transport)
      }
      await transport.handleRequest(request, response)
    })
    const { tools } = await harvester().harvest(urlEntry(url), never)
    expect(tools).toMatchObject([{ name: 'now' }])
    expect(methods.at(-1)).toBe('DELETE')
  })

  test.each(['sse', 'http'] as const)(
    'of the older HTTP+SSE transport is understood as type %s',
    async (type) => {
      const seen: unknown[] = []
      const url = await listen(oldServer(({ headers }) => seen.push(headers['x-api-key'])))
      const { server, tools } = await harvester().harvest(urlEntry(url, type, { 'X-Api-Key': 'k-1' }), never)
      expect(server.name).toBe('old')
      expect(tools).toMatchObject([{ name: 'old_tool' }])
      expect(new Set(seen)).toEqual(new Set(['k-1']))
    },
  )

  test('gets the headers of the entry, empty ones left out, and credentials of the address as a header', async () => {
    const seen: IncomingMessage['headers'][] = []
    const serve = served()
    const url = await listen((request, response) => {
      seen.push(request.headers)
      return serve(request, response)
    })
    const headers = { 'X-Token': `\${TOKEN}`, 'X-None': `\${NONE:-}` }
    const entry = urlEntry(url.replace('http://', 'http://me:s%40cret@'), 'http', headers)
    await harvester({ environment: { TOKEN: 't-1' } }).harvest(entry, never)
    const basic = `Basic ${Buffer.from('me:s@cret').toString('base64')}`
    expect(seen[0]).toMatchObject({ 'x-token': 't-1', authorization: basic })
    expect(seen[0]).not.toHaveProperty('x-none')
  })

  test('is not followed to another origin with our headers', async () => {
    const elsewhere: string[] = []
    const other = await listen((request, response) => {
      elsewhere.push(String(request.headers['x-token']))
      response.writeHead(200).end()
    })
    const url = await listen((_request, response) => void response.writeHead(307, { location: other }).end())
    await failureOf(urlEntry(url, 'http', { 'X-Token': 'token-of-ours' }))
    expect(elsewhere).toEqual([])
  })
})

describe('an address that fails', () => {
  const refusing =
    (status: number, body = ''): Handler =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': 'text/plain' }).end(body)

  test.each([
    {
      why: 'asks for a login',
      handler: refusing(401),
      says: 'it asks for authorisation (HTTP 401)',
      remedy: `"Bearer \${TOKEN}"`,
    },
    {
      why: 'forbids it',
      handler: refusing(403),
      says: 'it asks for authorisation (HTTP 403)',
      remedy: `"Bearer \${TOKEN}"`,
    },
    {
      why: 'has no MCP there',
      handler: refusing(404),
      says: 'there is no MCP server at its URL (HTTP 404)',
      remedy: 'Check the URL',
    },
    {
      why: 'is down',
      handler: refusing(503, 'maintenance'),
      says: 'it refused with HTTP 503: ',
      remedy: 'Try again later',
    },
    {
      why: 'serves a web page',
      handler: refusing(200, '<html>hello</html>'),
      says: 'it does not speak MCP as expected',
      remedy: 'Check that it is an MCP server',
    },
  ])('is reported when it $why', async ({ handler, says, remedy }) => {
    const failure = await failureOf(urlEntry(await listen(handler)))
    expect(failure.message).toContain(says)
    expect(failure.remedy).toContain(remedy)
  })

  test.each([
    { why: 'it is empty', url: '', says: 'its URL is empty' },
    { why: 'it is no address', url: 'not a url', says: 'its URL is no http or https address' },
    { why: 'it is a file', url: 'file:///etc/passwd', says: 'its URL is no http or https address' },
  ])('is reported when $why', async ({ url, says }) => {
    expect((await failureOf(urlEntry(url))).message).toContain(says)
  })

  test('is reported when nobody listens', async () => {
    const url = await closedAddress()
    const failure = await failureOf(urlEntry(url))
    expect(failure.message).toContain(`${url} cannot be reached (ECONNREFUSED)`)
  })

  test('is reported when a header has characters that headers cannot have', async () => {
    const failure = await failureOf(urlEntry('http://127.0.0.1:1/', 'http', { 'X-Key': 'two\nlines' }))
    expect(failure.message).toContain('its header "X-Key" holds characters')
  })

  test.each(['http', 'sse'] as const)(
    'runs out of time when it accepts and never answers (%s)',
    async (type) => {
      const failure = await failureOf(urlEntry(await listen(() => {}), type), { timeoutMs: 500 })
      expect(failure.message).toContain('it did not answer within 0.5 s')
    },
  )

  test.each(['http', 'sse'] as const)('is cut off when it floods (%s)', async (type) => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const flood = () => {
        while (response.write(`: ${'x'.repeat(10_000)}\n`));
        response.once('drain', flood)
      }
      flood()
    })
    const failure = await failureOf(urlEntry(url, type), { limits: { bytes: 1_000_000 } })
    expect(failure.message).toContain('it sent more than 1,000,000 bytes')
  })

  test('is let go when the caller aborts', async () => {
    const controller = new AbortController()
    const url = await listen(() => controller.abort('enough'))
    await expect(harvester().harvest(urlEntry(url), controller.signal)).rejects.toBe('enough')
  })

  test('never shows its secrets, although the server repeats them', async () => {
    const url = await listen((request, response) => {
      const echo = `${request.headers['x-token']} ${request.url} ${request.headers.authorization}`
      response.writeHead(500, { 'content-type': 'text/plain' }).end(echo)
    })
    const secret = 'Zq8-unguessable-Value'
    const entry = urlEntry(`${url}?api_key=${secret}`, 'http', {
      'X-Token': secret,
      Authorization: `Bearer ${secret}`,
    })
    const failure = await failureOf(entry)
    expect(failure.message).toContain('HTTP 500')
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(secret)
  })
})
