import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import type { Findability } from '../../src/evaluation/findability/findability.ts'
import { chatEndpoint } from '../fakes/chat-endpoint.ts'
import { runCaptured, type Surroundings } from '../fakes/captured-terminal.ts'
import { folderWith } from '../fixtures/temporary-folder.ts'

const weather = resolve(import.meta.dirname, '..', 'fixtures', 'mcp-servers', 'sdk-stdio.mjs')
const configuration = { mcpServers: { weather: { command: process.execPath, args: [weather] } } }
const tools = [
  { name: 'create_note', description: 'Create a note in the vault.', inputSchema: {} },
  { name: 'append_note', description: 'Append text to a note. Create it first.', inputSchema: {} },
]
const requests = [
  { request: 'write a note that Ada likes tea', tool: 'create_note' },
  { request: 'add a line to the note', tool: 'append_note' },
]

/** Runs `audition findable` in a folder with these files, over the real Audition with a store of its own. */
async function findable(
  files: { readonly [path: string]: unknown },
  argv: readonly string[],
  more: Surroundings = {},
) {
  const cwd = folderWith(files)
  const own = { AUDITION_HOME: join(cwd, 'store'), PATH: process.env.PATH, AUDITION_READER: 'none' }
  const env = { ...own, ...more.env }
  const audition = openAudition(configFrom(env))
  onTestFinished(() => audition.close())
  return runCaptured(['findable', ...argv], audition, { cwd, home: join(cwd, 'home'), ...more, env })
}

describe('audition findable', () => {
  test('measures a list of tools in every host, as JSON', async () => {
    const { code, stdout } = await findable({ 'vault.json': { result: { tools } }, 'r.jsonl': requests }, [
      'vault.json',
      '--requests',
      'r.jsonl',
      '--json',
    ])
    expect(code).toBe(0)
    const result = JSON.parse(stdout) as Findability
    expect(result.hosts.map(({ name }) => name)).toEqual(['claude-code', 'ai-sdk', 'bm25', 'audition'])
    expect(result).toMatchObject({ among: 200, requests: { count: 2, written: 'given' } })
    expect(result.tools.map(({ tool, requests: count }) => [tool, count])).toEqual([
      ['vault/create_note', 1],
      ['vault/append_note', 1],
    ])
    for (const { hit1, hit5, mrr } of result.hosts) {
      expect(hit1).toBeLessThanOrEqual(hit5)
      expect(mrr).toBeLessThanOrEqual(1)
    }
    expect(result.hosts.find(({ name }) => name === 'audition')?.hit5).toBe(1)
  })

  test('goes on with the servers that answer, and reads the requests before it starts any', async () => {
    const mcpServers = { broken: { command: 'no-such-program' }, ...configuration.mcpServers }
    const files = {
      'mcp.json': { mcpServers },
      'r.jsonl': [{ request: 'will it rain', tool: 'get_forecast' }, {}],
    }
    const { code, stdout, stderr } = await findable(files, ['mcp.json', '--yes', '--json'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/Left out: .*#broken/)
    expect((JSON.parse(stdout) as Findability).tools.length).toBeGreaterThan(0)
    const refused = await findable(files, ['mcp.json', '--yes', '--requests', 'r.jsonl'])
    expect(refused.stderr).toContain('line 2')
    expect(refused.stderr).not.toContain('Left out')
  })

  test('prints tables for people', async () => {
    const { stdout } = await findable({ 'vault.json': { tools }, 'r.jsonl': requests }, [
      'vault.json',
      '--requests',
      'r.jsonl',
      '--among',
      'none',
      '--host',
      'claude-code,bm25',
    ])
    expect(stdout).toMatchInlineSnapshot(`
      "2 tools alone, 2 requests as given.

      host         hit@1  hit@5   MRR
      Claude Code     50    100  0.75
      BM25            50    100  0.75

      tool               requests       Claude Code              BM25
      vault/create_note         1    0 / 100 / 0.50  100 / 100 / 1.00
      vault/append_note         1  100 / 100 / 1.00    0 / 100 / 0.50
      hit@1 / hit@5 / MRR, the worst first. Hosts show a model the first five.

      Confused

      vault/create_note stands behind vault/append_note: 1 request in Claude Code; no one word causes it; for example "write a note that Ada likes tea"
      vault/append_note stands behind vault/create_note: 1 request in BM25; because of the; for example "add a line to the note"

      Note: No suggestion for 2 tools: fewer than two requests, so that none is left to measure on.
      "
    `)
  })

  test('prints Markdown that words of tools cannot break out of', async () => {
    const hostile = [
      { name: 'a|b`c', description: '@everyone `x` <img src=x> | read this page', inputSchema: {} },
    ]
    const { stdout } = await findable(
      { 'vault.json': { tools: hostile }, 'r.jsonl': [{ request: 'read | `page` <b>', tool: 'a|b`c' }] },
      ['vault.json', '--requests', 'r.jsonl', '--format', 'markdown', '--min', '80', '--host', 'ai-sdk'],
    )
    expect(stdout).toContain("| `vault/a\\|b'c` | 1 |")
    expect(stdout).toContain("`read \\| 'page' <b>`")
    expect(stdout).toContain('Wanted: hit@5 of 80, reached.')
  })

  test('says in Markdown where too few are found', async () => {
    const files = { 'vault.json': { tools }, 'r.jsonl': [{ request: 'xyzzy', tool: 'create_note' }] }
    const argv = ['vault.json', '--requests', 'r.jsonl', '--format', 'markdown', '--host', 'ai-sdk,bm25']
    const { code, stdout } = await findable(files, [...argv, '--min', '80'])
    expect(code).toBe(1)
    expect(stdout).toContain('Wanted: hit@5 of 80, missed in AI SDK 7, BM25.')
  })

  test('ends with 1 below --min, and says where', async () => {
    const files = { 'vault.json': { tools }, 'r.jsonl': [{ request: 'xyzzy', tool: 'create_note' }] }
    const argv = ['vault.json', '--requests', 'r.jsonl', '--host', 'ai-sdk']
    const { code, stderr } = await findable(files, [...argv, '--min', '80'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'AI SDK 7: hit@5 is 0.0, below 80.\n' })
    expect((await findable(files, argv)).code).toBe(0)
  })

  test('has a model write requests, and drops those that repeat the tool', async () => {
    const endpoint = await chatEndpoint(
      () => '{"queries": ["jot down that Ada likes tea", "please create note"]}',
    )
    onTestFinished(() => endpoint.close())
    const { spec, key } = endpoint.settings
    const { code, stdout } = await findable(
      { 'vault.json': { tools } },
      ['vault.json', '--written', '2', '--json', '--host', 'bm25'],
      { env: { AUDITION_LLM: spec, AUDITION_LLM_KEY: key } },
    )
    expect(code).toBe(0)
    const { requests: asked, tools: measured } = JSON.parse(stdout) as Findability
    // "create note" is a name of the first alone; the other request serves both, for it was written for both.
    expect(asked).toEqual({ count: 2, written: 'by a model' })
    expect(measured.map(({ requests: count }) => count)).toEqual([1, 2])
    expect(endpoint.sent).toHaveLength(2)
  })

  test('ranks among a list of one’s own', async () => {
    const files = { 'vault.json': { tools }, 'others.json': { tools: [{ name: 'z', inputSchema: {} }] } }
    const { stdout } = await findable(files, ['vault.json', '--among', 'others.json', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ among: 1, requests: { written: 'generated' } })
  })
})

describe('a server', () => {
  const argv = ['--json', '--host', 'ai-sdk']
  const named = ({ stdout }: { readonly stdout: string }) =>
    (JSON.parse(stdout) as Findability).tools.map(({ tool }) => tool)

  test('of a folder is started with --yes', async () => {
    expect(named(await findable({ 'mcp.json': configuration }, ['--yes', ...argv]))).toEqual([
      'weather/get_forecast',
    ])
  })

  test('of a configuration that is named is announced and started', async () => {
    const outcome = await findable({ 'mcp.json': configuration }, ['mcp.json', '--as', 'sky', ...argv])
    expect(outcome.stderr).toContain('Starting these MCP servers')
    expect(named(outcome)).toEqual(['sky/get_forecast'])
  })

  test('that a host has goes by its name', async () => {
    expect(named(await findable({ '.mcp.json': configuration }, ['weather', '--yes', ...argv]))).toEqual([
      'weather/get_forecast',
    ])
  })

  test.each([{ word: '.' }, { word: 'weather' }])(
    'named $word is not started where nobody agrees',
    async ({ word }) => {
      const { code, stdout, stderr } = await findable({ '.mcp.json': configuration }, [word, ...argv])
      expect(code).toBe(1)
      expect(Object.keys(JSON.parse(stdout))[0]).toBe('error')
      expect(stderr).toContain('Not started, for nobody can be asked here')
      expect(stderr).toContain('no server was started')
    },
  )

  test('of the index is not started: its tools are there', async () => {
    const cwd = folderWith({ 'mcp.json': configuration })
    const env = { AUDITION_HOME: join(cwd, 'store'), PATH: process.env.PATH, AUDITION_READER: 'none' }
    const audition = openAudition(configFrom(env))
    onTestFinished(() => audition.close())
    await audition.index({ locations: [join(cwd, 'mcp.json')], harvest: 'allowed' })
    const [source] = (await audition.sources()).filter(({ tools: count }) => count > 0)
    writeFileSync(join(cwd, 'mcp.json'), '{}')
    const outcome = await runCaptured(['findable', source!.id, ...argv], audition, {
      cwd,
      home: join(cwd, 'home'),
      env,
    })
    expect(named(outcome)).toEqual(['weather/get_forecast'])
  })
})

describe('what is wrong', () => {
  const files = {
    'vault.json': { tools },
    'r.jsonl': '\n{"request": "a", "tool": "crate_note"}',
    'none.json': { result: { tools: [] }, jsonrpc: '2.0' },
  }
  test.each([
    { argv: ['nothing'], code: 1, says: /No file, folder, configured server or source "nothing"/ },
    { argv: ['.'], code: 1, says: /neither mcp\.json nor \.mcp\.json is in it/ },
    { argv: ['none.json'], code: 1, says: /none\.json: no tool is listed/ },
    { argv: ['r.jsonl'], code: 1, says: /no server was started/ },
    {
      argv: ['vault.json', '--host', 'cursor'],
      code: 2,
      says: /no host "cursor"\. There are: claude-code, ai-sdk/,
    },
    {
      argv: ['vault.json', '--requests', 'r.jsonl'],
      code: 1,
      says: /r\.jsonl, line 2: no tool "crate_note"/,
    },
    { argv: ['vault.json', '--requests', 'absent.jsonl'], code: 1, says: /absent\.jsonl/ },
    { argv: ['vault.json', '--among', 'most'], code: 2, says: /--among takes typical, none, or a file/ },
    { argv: ['vault.json', '--min', '101'], code: 2, says: /from 0 to 100/ },
    { argv: ['vault.json', '--written', '2', '--requests', 'r.jsonl'], code: 2, says: /exclude each other/ },
    { argv: ['vault.json', '--written', '2'], code: 1, says: /No language model is configured/ },
  ])('$argv: $says', async ({ argv, code, says }) => {
    const outcome = await findable(files, argv)
    expect(outcome.code).toBe(code)
    expect(outcome.stderr).toMatch(says)
    expect(outcome.stdout).toBe('')
  })
})
