// How long a host waits: from the start of `audition serve` to its answer to tools/list, against a server of the
// bare SDK with one tool. Build first (`npm run build`), then: node bench/server-startup.mjs [runs] [path of main.js]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const runs = Number(process.argv[2] ?? 15)
const main = process.argv[3] ?? fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'audition-startup-'))
const sdk = (entry) => JSON.stringify(import.meta.resolve(entry))

const bare = join(home, 'bare.mjs')
writeFileSync(
  bare,
  `import { McpServer } from ${sdk('@modelcontextprotocol/server')}
import { serveStdio } from ${sdk('@modelcontextprotocol/server/stdio')}
import { z } from ${sdk('zod')}
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
})
`,
)

const subjects = { bare: [bare], audition: [main, 'serve'] }
const requests = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

/** Milliseconds from the start of the process to the answer of tools/list. */
function answered(args) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, args, {
      env: { ...process.env, AUDITION_HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let took
    createInterface(child.stdout).on('line', (line) => {
      if (JSON.parse(line).id !== 2) return
      took = performance.now() - started
      child.stdin.end()
    })
    child.on('close', (code) =>
      took === undefined
        ? reject(new Error(`${args[0]} ended with ${code} before it answered`))
        : resolve(took),
    )
    child.stdin.write(requests)
  })
}

const times = { bare: [], audition: [] }
for (const args of Object.values(subjects)) await answered(args) // what is on disk is in memory from now on
for (let run = 0; run < runs; run += 1) {
  for (const [name, args] of Object.entries(subjects)) times[name].push(await answered(args))
}
rmSync(home, { recursive: true, force: true })

const sorted = (name) => times[name].toSorted((a, b) => a - b)
const quantile = (name, share) => sorted(name)[Math.min(runs - 1, Math.floor(runs * share))]
for (const name of Object.keys(subjects)) {
  console.log(
    `${name.padEnd(9)} median ${quantile(name, 0.5).toFixed(0)} ms, p95 ${quantile(name, 0.95).toFixed(0)} ms`,
  )
}
console.log(
  `ratio of medians ${(quantile('audition', 0.5) / quantile('bare', 0.5)).toFixed(2)} over ${runs} interleaved runs`,
)
