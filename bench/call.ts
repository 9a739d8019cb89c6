import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { quantile } from '../src/evaluation/statistics/bootstrap.ts'
import { packageRoot } from '../src/package-root.ts'
import { grantsFor } from '../src/probing/settings/grants.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { builtProgram } from './built-program.ts'
import type { Workplace } from './workplace.ts'

const servers = 20
const program = join(packageRoot, 'bench', 'misbehaving', 'programs', 'server.mjs')
const launch = { command: process.execPath, args: [program, 'echo', 'bench-call'] }
const given = { text: 'hay' }
const memoryTeller = fileURLToPath(new URL('children/memory-teller.js', import.meta.url))

/** A real `audition serve --call` over stdio beside the same server called directly, by the client of the SDK in both cases. */
export const call: Bench = {
  name: 'call',
  question: 'What does a call cost that goes through Audition?',
  async run(workplace) {
    const env = await house(workplace)
    const [direct, through] = await Promise.all([
      connected({ ...launch, env: { PATH: env.PATH } }),
      connected({
        command: process.execPath,
        args: ['--import', memoryTeller, builtProgram, 'serve', '--call', '--no-watch'],
        env,
      }),
    ])
    try {
      const pairs = workplace.quick ? 100 : 1_000
      const times = { direct: [] as number[], through: [] as number[] }
      for (let pair = -50; pair < pairs; pair += 1) {
        const one = await timed(() => direct.client.callTool({ name: 'work', arguments: given }))
        const other = await timed(() => through.client.callTool(callOf(0)))
        if (pair < 0) continue
        times.direct.push(one)
        times.through.push(other)
      }
      const many = workplace.quick ? 1_000 : 10_000
      const settled = Math.floor(many / 5)
      const memory = () => memoryOf(through.pid, env.AUDITION_BENCH_MEMORY)
      let [errors, before] = [0, await memory()]
      for (let at = 0; at < many; at += 1) {
        if (at === settled) before = await memory()
        const { isError } = await through.client.callTool(callOf(at % servers))
        if (isError === true) errors += 1
      }
      const after = await memory()
      const overhead = quantile(times.through, 0.5) - quantile(times.direct, 0.5)
      return {
        tables: [
          {
            title: `One call over stdio, ${pairs} pairs`,
            head: ['', 'p50 ms', 'p95 ms'],
            rows: (['direct', 'through'] as const).map((way) => [
              way === 'direct' ? 'the server itself' : 'through audition',
              ...[0.5, 0.95].map((share) => fixed(quantile(times[way], share))),
            ]),
          },
          {
            title: `${many} calls of ${servers} servers`,
            head: ['', `after ${settled}`, `after ${many}`],
            rows: [
              ['errors', '', `${errors}`],
              ['process MB', fixed(before.process), fixed(after.process)],
              ['without garbage MB', fixed(before.kept), fixed(after.kept)],
            ],
          },
        ],
        notes: [
          'Pairs are interleaved in one run; client, Audition and servers share the machine.',
          'Garbage is what V8 frees when it collects: it lets some 100 MB come together first.',
        ],
        floors: [
          atMost('added by Audition, median of a call', 3, overhead, ' ms'),
          atMost('errors of many calls', 0, errors),
          atMost('memory that many calls add, without garbage', 32, after.kept - before.kept, ' MB'),
        ],
      }
    } finally {
      await Promise.all([direct.client.close(), through.client.close()])
    }
  },
}

/** A store with the servers, all of them allowed. @returns the environment of whoever uses it */
async function house(workplace: Workplace) {
  const folder = workplace.scratch()
  const config = join(folder, '.mcp.json')
  const named = Array.from({ length: servers }, (_, at) => [`echo${at}`, launch])
  writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(named) }))
  const env = {
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    AUDITION_MODEL: 'none',
    AUDITION_BENCH_MEMORY: join(folder, 'memory.json'),
    PATH: process.env.PATH ?? '',
    HOME: folder,
  }
  const audition = openAudition(configFrom(env))
  await audition.index({ locations: [config] })
  const cards = await audition.cards(named.map(([name]) => `${String(name)}/work`))
  const probing = await audition.probing()
  const plans = await probing.plan({ cards, tasks: { kind: 'given', tasks: [] } })
  const add = plans.flatMap(({ launch: planned, notRun }) =>
    notRun?.kind === 'permission' ? grantsFor(notRun.missing, planned ?? {}) : [],
  )
  await probing.changeAllow({ add })
  await audition.close()
  return env
}

const callOf = (at: number) => ({
  name: 'call_tool_that_changes',
  arguments: { id: `echo${at}/work`, arguments: given },
})

async function connected(start: ConstructorParameters<typeof StdioClientTransport>[0]) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const transport = new StdioClientTransport({ ...start, stderr: 'ignore' })
  await client.connect(transport)
  return { client, pid: transport.pid! }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

type Memory = { readonly process: number; readonly kept: number }

/** Memory of a server that the teller was loaded into, in MB. */
async function memoryOf(pid: number, file: string): Promise<Memory> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await wait(10)
  return JSON.parse(readFileSync(file, 'utf8')) as Memory
}
