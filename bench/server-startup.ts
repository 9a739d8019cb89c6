import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atMost, type Bench, fixed } from './bench.ts'
import { builtProgram } from './built-program.ts'
import { percentiles } from './statistics.ts'

/** How long a host waits: from the start of `audition serve` to its answer to tools/list. */
export const serverStartup: Bench = {
  name: 'startup',
  question:
    'How long does a host wait for the list of tools, against a server of the bare SDK that does nothing?',
  async run(workplace) {
    const folder = workplace.scratch()
    mkdirSync(join(folder, 'home'))
    const bare = join(folder, 'bare.mjs')
    writeFileSync(bare, bareServer())
    const indexed = await workplace.store('audition', workplace.corpus(workplace.sizes.at(-1)!))
    const subjects = [
      { name: 'bare SDK server, one tool', args: [bare], home: join(folder, 'home') },
      { name: 'audition serve, nothing indexed', args: [builtProgram, 'serve'], home: join(folder, 'home') },
      { name: 'audition serve, largest index', args: [builtProgram, 'serve'], home: indexed },
    ].map((subject) => ({ ...subject, times: [] as number[] }))
    // The first round only brings the files into memory.
    const rounds = workplace.quick ? 5 : 21
    for (let round = 0; round <= rounds; round += 1) {
      workplace.log(`server start, round ${round} of ${rounds}`)
      for (const { args, home, times } of subjects) {
        const milliseconds = await listed(args, home)
        if (round > 0) times.push(milliseconds)
      }
    }
    const [bareMs, , indexedMs] = subjects.map(({ times }) => percentiles(times))
    return {
      tables: [
        {
          title: 'Start of the process to the answer of tools/list, stdio',
          head: ['server', 'median ms', 'p95 ms', 'ratio of medians'],
          rows: subjects.map(({ name, times }) => {
            const { p50, p95 } = percentiles(times)
            return [name, fixed(p50), fixed(p95), `${fixed(p50 / bareMs!.p50)} x`]
          }),
        },
      ],
      notes: [`${rounds} interleaved starts each, after one that does not count.`],
      floors: [
        atMost(
          'server start to answered tools/list, against a bare SDK server',
          2,
          indexedMs!.p50 / bareMs!.p50,
          ' x',
        ),
      ],
    }
  },
}

const sdk = (entry: string): string => JSON.stringify(import.meta.resolve(entry))

const bareServer = (): string => `import { McpServer } from ${sdk('@modelcontextprotocol/server')}
import { serveStdio } from ${sdk('@modelcontextprotocol/server/stdio')}
import { z } from ${sdk('zod')}
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
})
`

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

/** Milliseconds from the start of the process to the answer of tools/list. @throws Error when it gives none */
function listed(args: readonly string[], home: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, args, {
      env: { ...process.env, AUDITION_HOME: home },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let milliseconds: number | undefined
    createInterface(child.stdout).on('line', (line) => {
      if ((JSON.parse(line) as { id?: number }).id !== 2) return
      milliseconds = performance.now() - started
      child.stdin.end()
    })
    child.on('error', reject)
    child.on('close', (code) =>
      milliseconds === undefined
        ? reject(new Error(`${args.join(' ')} ended with ${code} before it answered`))
        : resolve(milliseconds),
    )
    child.stdin.write(requests)
  })
}
