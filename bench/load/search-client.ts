import { Agent, request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What `search_tools` gave, as far as the load bench looks at it. */
export type ToolsAnswer = {
  /** How many tools were searched: the size of the catalog that answered. */
  readonly searched: number
  readonly candidates: readonly {
    readonly id: string
    readonly score: number
    readonly description: string
  }[]
}

/** One caller with one connection, which it keeps. */
export type SearchClient = {
  /** @throws Error that says what came instead of an answer */
  search(query: string): Promise<ToolsAnswer>
  close(): Promise<void>
}

/** The revision that needs no handshake. */
const revision = '2026-07-28'

/** A caller that speaks HTTP by hand: the cost of a client library does not blur what the server takes. */
export function rawClient(url: string): SearchClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    search: async (query) => {
      const { status, text } = await post(url, agent, searchMessage(query))
      if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 200)}`)
      return answerOf((JSON.parse(text) as { result?: unknown; error?: unknown }).result, text)
    },
    close: async () => agent.destroy(),
  }
}

/** A caller that is the official SDK. */
export async function sdkClient(url: string): Promise<SearchClient> {
  const client = new Client({ name: 'load', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    search: async (query) => {
      const result = await client.callTool({ name: 'search_tools', arguments: { query } })
      return answerOf(result, JSON.stringify(result.content))
    },
    close: () => client.close(),
  }
}

/** The body and headers of one search, as a caller without library sends them. */
export function searchMessage(query: string): {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
} {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'search_tools',
      arguments: { query },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    'mcp-protocol-version': revision,
    'mcp-method': 'tools/call',
    'mcp-name': 'search_tools',
  }
  return { headers, body }
}

function post(
  url: string,
  agent: Agent,
  { headers, body }: ReturnType<typeof searchMessage>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function answerOf(result: unknown, text: string): ToolsAnswer {
  const { isError, structuredContent } = (result ?? {}) as {
    isError?: boolean
    structuredContent?: Partial<ToolsAnswer>
  }
  const { searched, candidates } = structuredContent ?? {}
  if (isError === true || typeof searched !== 'number' || !Array.isArray(candidates))
    throw new Error(`no answer: ${text.slice(0, 200)}`)
  return { searched, candidates }
}
