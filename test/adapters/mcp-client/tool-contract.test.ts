import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'
import { processesWith } from '../command/agents.ts'
import { configured, serverOf, task, toolCard, toolExecutor } from './tools.ts'

const secret = 'hunter2-Zq8-unguessable'
const executor = toolExecutor({ ...process.env, MY_TOKEN: secret })
const foreign = toolCard('/tmp/x.json', {
  runtime: { kind: 'http', method: 'GET', url: 'https://example.com' },
})
const broken = async () => ({ executor, card: toolCard('/no/such/.mcp.json') })

const programs: { readonly [behaviour in Behaviour]: string } = {
  answers: 'echo',
  fails: 'error',
  hangs: 'stubborn',
  floods: 'flood',
  'tells-secret': 'tell-secret',
  'fails-with-secret': 'fail-with-secret',
}

executorContract('mcp-tool over stdio', {
  async subject(behaviour) {
    const { card, mark } = serverOf(programs[behaviour], { env: { API_TOKEN: `\${MY_TOKEN}` } })
    const leftovers = () => processesWith(mark)
    return { executor, card, task, answer: 'Worked on: hay', secret, leftovers }
  },
  foreign,
  broken,
})

const says = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const answers: { readonly [behaviour in Behaviour]: (token: string) => Promise<object> } = {
  answers: async () => says('Worked on: hay'),
  fails: async () => ({ ...says('I could not do it'), isError: true }),
  hangs: () => new Promise(() => {}),
  floods: async () => says('x'.repeat(400_000)),
  'tells-secret': async (token) => says(`my key is ${token}`),
  'fails-with-secret': async (token) => ({ ...says(`no rights with ${token}`), isError: true }),
}

/** A server with the tool `work`, on the loopback until the test ends; and the requests that are still open. */
async function served(behaviour: Behaviour) {
  const open = new Set<IncomingMessage>()
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    open.add(request)
    response.once('close', () => open.delete(request))
    const token = String(request.headers['x-token'])
    const handler = createMcpHandler(() => {
      const subject = new McpServer({ name: 'subject', version: '0.0.1' })
      const config = { description: 'Works on a text', inputSchema: z.object({ text: z.string() }) }
      subject.registerTool('work', config, () => answers[behaviour](token) as never)
      return subject
    })
    void (toNodeHandler(handler) as unknown as (a: IncomingMessage, b: ServerResponse) => void)(
      request,
      response,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, open }
}

executorContract('mcp-tool over streamable HTTP', {
  async subject(behaviour) {
    const { url, open } = await served(behaviour)
    const card = configured({ type: 'http', url, headers: { 'X-Token': `\${MY_TOKEN}` } })
    return { executor, card, task, answer: 'Worked on: hay', secret, leftovers: () => settled(open) }
  },
  foreign,
  broken,
})

/** The server hears of a closed connection a moment later than we close it. */
async function settled(open: ReadonlySet<IncomingMessage>): Promise<readonly unknown[]> {
  for (let turn = 0; turn < 100 && open.size > 0; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return [...open].map(({ method, url }) => `${method} ${url}`)
}
