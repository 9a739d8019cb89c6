import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IndexReport } from '../../src/compose/app.ts'
import type { SourceState } from '../../src/store/source-state.ts'
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
})

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
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, store),
    NO_COLOR: '1',
  }
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
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(60)
    expect(stdout).toContain('audition-arithmetic/loan_payment')
    expect(stdout).toContain('audition-calendar/count_business_days')
    expect(stdout).toContain('catalog-profiles/mortgage-adviser')
  })

  test('evaluates two files of one name and an index of short cards, and loses no run', async () => {
    const store = 'evaluated'
    const [short, first, second] = ['short', 'first', 'second'].map((name) => join(folder, name))
    for (const made of [short!, first!, second!]) mkdirSync(made)
    for (const name of ['one', 'two', 'three'])
      writeFileSync(join(short!, `${name}.md`), `---\nname: ${name}\ndescription: Adds numbers.\n---\nAdd.\n`)
    for (const [at, query] of [[first!, 'sum of a list'] as const, [second!, 'total of a bill'] as const])
      writeFileSync(join(at, 'queries.jsonl'), JSON.stringify({ query, expected: ['x/one'] }))
    expect((await start(['index', 'short'], { store })).code).toBe(0)

    const own = await start(['evaluate', '--self'], { store })
    expect(own.code, own.stderr).toBe(0)
    expect(own.stdout).toContain('Note: 3 of 3 cards have neither an example nor enough words')
    expect(own.stdout).toContain('Descriptions that say too little (3)')
    const json = JSON.parse((await start(['evaluate', '--self', '--json'], { store })).stdout)
    expect(json).toMatchObject({ queries: 0, findings: [{ kind: 'thin' }, {}, {}] })

    const run = (at: string, ...more: string[]) =>
      start(['evaluate', join(at, 'queries.jsonl'), '--ranker', 'lexical', ...more], { store })
    expect((await run('first')).stdout).toContain('Kept as queries-lexical-index in ')
    const none = await run('second', '--compare', 'latest')
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain('Kept, of other files by that name: queries-lexical-index.')
    const other = await run('second', '--compare', 'queries-lexical-index')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain(
      'have no query in common.\n  Compare runs of the same dataset and parts.\n',
    )
    expect(other.stdout).toContain('nDCG@10')
    expect(other.stdout).toContain('Kept as queries-lexical-index-2 in ')
    expect(await run('first', '--name', 'latest')).toMatchObject({ code: 2, stdout: '' })
    const blocked = await run('first', '--report', join('first', 'queries.jsonl', 'page.html'))
    expect(blocked).toMatchObject({ code: 1, stdout: '' })
    expect(blocked.stderr).toContain('page.html: cannot be written: a file stands where a folder should be')
    const { runs } = JSON.parse((await start(['evaluate', '--json'], { store })).stdout)
    expect(runs.map(({ place }: { place: string }) => basename(dirname(place)))).toEqual(['second', 'first'])
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
