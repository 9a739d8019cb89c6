import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CompiledServeFake, compileServeFake } from '../fixtures/compile-serve-fake.ts'
import { testClient, textOf } from './connect.ts'
import { handshakeEras, initialize, initialized, modern, modernEra, plain, searchCall } from './eras.ts'

let compiled: CompiledServeFake
beforeAll(() => {
  compiled = compileServeFake()
})
afterAll(() => compiled.remove())

/** What a process said until it ended. */
type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const start = (env: { readonly [name: string]: string } = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [compiled.script, 'stdio'], { env: { ...process.env, ...env } })

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

const line = (message: object): string => `${JSON.stringify(message)}\n`

/** Feeds a process all at once, as `printf … | audition serve` does. */
async function answersTo(input: string, env?: { readonly [name: string]: string }) {
  const child = start(env)
  child.stdin.end(input)
  const { code, stdout, stderr } = await ended(child)
  const messages = stdout
    .split('\n')
    .filter((one) => one !== '')
    .map(
      (one) => JSON.parse(one) as { id?: number; result?: Record<string, unknown>; error?: { code: number } },
    )
  return { code, stderr, messages }
}

describe.each(['legacy', 'auto'] as const)('a real client of mode %s', (mode) => {
  test('lists, calls, reads and completes over a real process', async () => {
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [compiled.script, 'stdio'],
        stderr: 'ignore',
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_agents',
      'search_tools',
      'describe',
      'compose_agent',
      'probe_agent',
      'evaluate',
    ])
    const found = await client.callTool(searchCall)
    expect(found.structuredContent).toMatchObject({ match: 'good' })
    expect((found.structuredContent as { candidates: object[] }).candidates[0]).toMatchObject({
      id: 'forge/list_issues',
    })
    expect(textOf(found)).toMatch(/^Good match: 5 of 7 tools/)
    const { contents } = await client.readResource({ uri: 'audition://agents/team/lease-reviewer' })
    expect(contents).toHaveLength(1)
    await client.close()
  })

  test('evaluates, with progress, and reads the report', async () => {
    const client = testClient({ versionNegotiation: { mode } })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [compiled.script, 'stdio'],
        stderr: 'ignore',
      }),
    )
    const told: number[] = []
    const result = await client.callTool(
      { name: 'evaluate', arguments: { dataset: 'bundled', limit: 4 } },
      { onprogress: ({ progress }) => told.push(progress) },
    )
    expect(result.structuredContent).toMatchObject({ state: 'done', queries: 4 })
    expect([told[0], told.at(-1)]).toEqual([0, 4])
    const { report } = result.structuredContent as { report: string }
    const { contents } = await client.readResource({ uri: report })
    expect(contents[0]).toMatchObject({ uri: report, text: expect.stringMatching(/^<!doctype html>/) })
    await client.close()
  })
})

test.each(handshakeEras)('the handshake of %s is answered in its own version', async (version) => {
  const { code, messages } = await answersTo(
    [initialize(version), initialized, plain(2, 'tools/list'), plain(3, 'tools/call', searchCall)]
      .map(line)
      .join(''),
  )
  expect(code).toBe(0)
  expect(messages.find(({ id }) => id === 1)?.result).toMatchObject({
    protocolVersion: version,
    serverInfo: { name: 'audition' },
  })
  expect(messages.find(({ id }) => id === 2)?.result?.tools).toHaveLength(6)
  expect(messages.find(({ id }) => id === 3)?.result).toMatchObject({ structuredContent: { match: 'good' } })
})

test(`requests of ${modernEra} need no handshake`, async () => {
  const { code, messages } = await answersTo(
    [modern(1, 'server/discover'), modern(2, 'tools/list'), modern(3, 'tools/call', searchCall)]
      .map(line)
      .join(''),
  )
  expect(code).toBe(0)
  expect(messages.find(({ id }) => id === 1)?.result).toMatchObject({
    supportedVersions: expect.arrayContaining([modernEra]),
  })
  expect(messages.find(({ id }) => id === 2)?.result).toMatchObject({
    ttlMs: 3_600_000,
    cacheScope: 'public',
  })
  expect(messages.find(({ id }) => id === 3)?.result).toMatchObject({ structuredContent: { match: 'good' } })
})

/** Lines that no request can be made of, though someone waits for an answer. */
const waitedFor = [
  '{"jsonrpc":"1.0","id":9,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"ten","method":"ping","params":[1]}',
  '[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  `{"jsonrpc":"2.0","id":12,"method":"${'x'.repeat(2_000_000)}"}`,
  `{"method":"${'x'.repeat(2_000_000)}","jsonrpc":"2.0","id":13}`,
  'x'.repeat(2_000_000),
]

test('lines that are no JSON or no request are survived; whoever waits for one is told', async () => {
  const { code, messages } = await answersTo(
    ['no json', '{"jsonrpc":"2.0"', '[]', '{}', 'null', '\u0000', ...waitedFor]
      .map((one) => `${one}\n`)
      .join('') + [initialize('2025-11-25'), initialized, plain(2, 'ping')].map(line).join(''),
  )
  expect(code).toBe(0)
  expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
    [9, -32_600],
    ['ten', -32_600],
    [11, -32_600],
    [12, -32_600],
    [13, -32_600],
    [null, -32_600],
    [1, undefined],
    [2, undefined],
  ])
})

test('requests that run when stdin ends are answered, also a last one without line break', async () => {
  const { code, messages, stderr } = await answersTo(
    line(initialize('2025-11-25')) + line(initialized) + JSON.stringify(plain(2, 'tools/call', searchCall)),
    { FAKE_DELAY_MS: '300' },
  )
  expect(code).toBe(0)
  expect(messages.find(({ id }) => id === 2)?.result).toMatchObject({ structuredContent: { match: 'good' } })
  expect(stderr).toContain('app closed')
})

test('the end of stdin without any request closes the app and ends with 0', async () => {
  const { code, messages, stderr } = await answersTo('')
  expect({ code, messages }).toEqual({ code: 0, messages: [] })
  expect(stderr).toBe('app closed\n')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes the app and ends with 0', async (signal) => {
  const child = start()
  const said = ended(child)
  child.stdin.write(line(initialize('2025-11-25')))
  await once(createInterface(child.stdout), 'line')
  child.kill(signal)
  const { code, stderr } = await said
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'app closed\n' })
})

test('many calls at once are all answered, each by its id', async () => {
  const client = testClient()
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [compiled.script, 'stdio'],
      stderr: 'ignore',
    }),
  )
  const names = ['list_issues', 'get_issue', 'create_issue', 'search_issues', 'close_issue']
  const ids = Array.from({ length: 200 }, (_, at) => `forge/${names[at % names.length]}`)
  const results = await Promise.all(
    ids.map((id) => client.callTool({ name: 'describe', arguments: { ids: [id], max_tokens: 500 } })),
  )
  expect(
    results.map(({ structuredContent }) => (structuredContent as { cards: { id: string }[] }).cards[0]?.id),
  ).toEqual(ids)
  await client.close()
})
