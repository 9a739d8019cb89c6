import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IndexReport } from '../../src/app.ts'
import type { SourceState } from '../../src/catalog/ports.ts'
import type { SearchAnswer } from '../../src/retrieval/answer.ts'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'

const weatherServer = fileURLToPath(new URL('../fixtures/mcp-servers/sdk-stdio.mjs', import.meta.url))
const loadLogger = fileURLToPath(new URL('../fixtures/log-loaded-modules.mjs', import.meta.url))

let audition: CompiledPackage
let folder: string

beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-main-'))
  mkdirSync(join(folder, 'agents'))
  mkdirSync(join(folder, 'home'))
  writeFileSync(
    join(folder, 'agents', 'beekeeper.md'),
    '---\nname: beekeeper\ndescription: Plans the work of an apiary: swarms, honey harvest, varroa.\n---\nYou keep bees.\n',
  )
  const weather = { command: process.execPath, args: [weatherServer] }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { weather } }))
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
  writeFileSync(join(folder, 'silent.json'), JSON.stringify({ mcpServers: { silent } }))
}, 180_000)

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Starts the real program in a home of its own; `during` may act on it while it runs. */
function start(
  argv: readonly string[],
  { store = 'store', nodeOptions = [] as readonly string[] } = {},
  during: (child: ReturnType<typeof spawn>, stderr: () => string, stdout: () => string) => void = (child) =>
    child.stdin?.end(),
): Promise<Ended> {
  const home = join(folder, 'home')
  const env = { PATH: process.env.PATH, HOME: home, AUDITION_HOME: join(folder, store), NO_COLOR: '1' }
  const child = spawn(process.execPath, [...nodeOptions, audition.main, ...argv], { cwd: folder, env })
  let stdout = ''
  let stderr = ''
  const look = () =>
    during(
      child,
      () => stderr,
      () => stdout,
    )
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    look()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    look()
  })
  look()
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

describe('the program', () => {
  test('indexes files and a live server, finds, shows, remembers and forgets', async () => {
    const first = await start(['index', 'agents', 'mcp.json', '--json'])
    expect(first.code, first.stderr).toBe(0)
    const report: IndexReport = JSON.parse(first.stdout)
    expect(report).toMatchObject({ tools: 1, agents: 2 })

    const again = await start(['index', 'agents', 'mcp.json', '--json'])
    const { sources }: IndexReport = JSON.parse(again.stdout)
    expect(sources.map(({ added, changed, removed }) => added + changed + removed)).toEqual([0, 0])

    const found = await start([
      'search',
      '--json',
      '--agents',
      'who looks after my bees and the honey harvest?',
    ])
    const { answers }: { readonly answers: readonly SearchAnswer[] } = JSON.parse(found.stdout)
    const id = answers[0]?.candidates[0]?.card.id ?? ''
    expect(id).toMatch(/\/beekeeper$/)

    expect((await start(['show', id])).stdout).toContain('You keep bees.')
    expect((await start(['show', '--yaml', id])).stdout).toContain('profile: audition/v1')
    const mistyped = await start(['show', `${id}r`])
    expect(mistyped).toMatchObject({ code: 1, stdout: '' })
    expect(mistyped.stderr).toContain(id)

    const known: readonly SourceState[] = JSON.parse((await start(['sources', '--json'])).stdout)
    expect(known).toHaveLength(2)
    const weather = known.find(({ tools }) => tools === 1)?.id ?? ''
    expect((await start(['sources', 'remove', weather])).code).toBe(0)
    expect(JSON.parse((await start(['sources', '--json'])).stdout)).toHaveLength(1)
  })

  test('quickstart shows the whole tour on one screen', async () => {
    const { code, stdout, stderr } = await start(['quickstart'], { store: 'tour' })
    expect(code, stderr).toBe(0)
    expect(stdout.split('\n').length).toBeLessThan(60)
    expect(stdout).toContain('audition-arithmetic/loan_payment')
    expect(stdout).toContain('audition-calendar/count_business_days')
    expect(stdout).toContain('catalog-profiles/mortgage-adviser')
  })

  test('Ctrl-C ends an index run with 130 and keeps the last good index', async () => {
    await start(['index', 'agents'], { store: 'interrupted' })
    let interrupted = false
    const outcome = await start(['index', 'silent.json'], { store: 'interrupted' }, (child, stderr) => {
      if (interrupted || !stderr().includes('Reading 1 source')) return
      interrupted = true
      child.kill('SIGINT')
    })
    expect(outcome).toMatchObject({ code: 130, stdout: '' })
    expect(outcome.stderr).toContain('The last good index stays as it was.')
    expect((await start(['search', 'bees'], { store: 'interrupted' })).stdout).toContain('beekeeper')
  })

  test('a reader that goes away is no error', async () => {
    let cut = false
    const { code, stderr } = await start(['index', 'agents', '--json'], { store: 'cut' }, (child) => {
      if (!cut) child.stdout?.destroy()
      cut = true
    })
    expect(code, stderr).toBe(0)
    expect(stderr).not.toMatch(/EPIPE|error/i)
  })

  test('serve answers tools/list without loading the store, tables or bars', async () => {
    const requests = [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]
    let asked = false
    const outcome = await start(
      ['serve'],
      { nodeOptions: ['--import', loadLogger] },
      (child, _stderr, stdout) => {
        if (!asked)
          for (const one of requests) child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
        asked = true
        if (stdout().includes('"id":2')) child.stdin?.end()
      },
    )
    expect(outcome.code, outcome.stderr).toBe(0)
    expect(outcome.stdout).toContain('search_agents')
    expect(outcome.stderr).toContain('/server/serve-stdio.js')
    expect(outcome.stderr).not.toMatch(/lancedb|apache-arrow|cli-table3|cli-progress|js-yaml|transformers/)
  })
})
