// An MCP server over the official SDK that says what a file says: `node changing-server.js <file> stdio|http`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ServerSays } from './notes-server.ts'

const [file = '', transport] = process.argv.slice(2)

function server(): Server {
  const { tools, instructions, ...identity } = JSON.parse(readFileSync(file, 'utf8')) as ServerSays
  const made = new Server(identity, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  })
  made.setRequestHandler('tools/list', async () => ({ tools: [...tools] as never }))
  return made
}

if (transport === 'stdio') {
  serveStdio(server)
} else {
  const handle = toNodeHandler(createMcpHandler(server)) as unknown as Parameters<typeof createServer>[1]
  const listening = createServer(handle)
  listening.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(listening.address() as AddressInfo).port}\n`)
  })
}
