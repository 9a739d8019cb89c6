import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Bench, fixed } from './bench.ts'
import { builtProgram, root } from './built-program.ts'

/** Servers of the configuration: as many as one person was seen to have, with as many that failed. */
const servers = 39
const behaviourOf = (number: number): string =>
  number % 7 === 3 ? 'hangs' : number % 7 === 5 ? 'dies' : 'answers'

/** What one run of `audition index` took. */
type Run = { readonly what: string; readonly seconds: number; readonly starts: number }

/** From a host's configuration to the index: the first run, one right after it, and one that is told to ask all. */
export const indexServers: Bench = {
  name: 'servers',
  question:
    'What does `audition index` cost over a configuration of many MCP servers, some of which hang or die?',
  async run(workplace) {
    const folder = workplace.scratch()
    const log = join(folder, 'log')
    const script = join(root, 'test', 'fixtures', 'mcp-servers', 'counted.mjs')
    const entries = Array.from({ length: servers }, (_, number) => {
      const args = [script, log, `s${number}`, behaviourOf(number)]
      return [`s${number}`, { command: process.execPath, args }] as const
    })
    const config = join(folder, 'mcp.json')
    writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
    const runs: Run[] = []
    for (const [what, words] of [
      ['first', []],
      ['second', []],
      ['one entry changed', []],
      ['--refresh', ['--refresh']],
    ] as const) {
      workplace.log(`index of ${servers} servers: ${what}`)
      if (what === 'one entry changed')
        writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(entries.map(renewed)) }))
      writeFileSync(log, '')
      const started = performance.now()
      await indexed(folder, [config, ...words])
      const seconds = (performance.now() - started) / 1000
      runs.push({ what, seconds, starts: readFileSync(log, 'utf8').match(/^start /gm)?.length ?? 0 })
    }
    const [first, second, changed] = runs
    return {
      tables: [
        {
          title: `${servers} MCP servers, of which 6 hang and 5 die`,
          head: ['run', 'seconds', 'servers started'],
          rows: runs.map(({ what, seconds, starts }) => [what, fixed(seconds), String(starts)]),
        },
      ],
      notes: [
        'One that hangs is waited for 30 s, and side by side with others. Each run is a process of its own.',
      ],
      floors: [
        atMost('servers started by a second index run', 0, second?.starts),
        atMost('servers started when one entry changed', 1, changed?.starts),
        atMost('second index run, share of the first', 20, (100 * second!.seconds) / first!.seconds, '%'),
      ],
    }
  },
}

const renewed = ([name, entry]: readonly [string, { command: string; args: string[] }], number: number) =>
  [name, number === 0 ? { ...entry, env: { CHANGED: '1' } } : entry] as const

/** Servers that fail end it with 1, which is no fault here. */
function indexed(folder: string, words: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: folder, AUDITION_HOME: join(folder, 'store') }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [builtProgram, 'index', ...words], { env, cwd: folder }, (error) => {
      if (error === null || error.code === 1) resolve()
      else reject(error)
    })
  })
}
