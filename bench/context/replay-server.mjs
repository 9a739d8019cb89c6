// An MCP server that lists the tools of a file, and says of each call which tool it was: `node replay-server.mjs <file>`. The file has the
// tools, and by the name of a tool that promises a structured result one that keeps the promise.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { tools, results } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const write = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'replay', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => ({
    content: [
      { type: 'text', text: `called ${name}` },
      { type: 'resource_link', uri: `called:${name}`, name },
    ],
    structuredContent: results[name],
  }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined && answers[method] !== undefined) write(id, answers[method](params))
})
