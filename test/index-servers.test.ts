import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { serversAtOnce } from '../src/indexing/read-source.ts'
import { configFrom } from '../src/config.ts'
import { serverFolder } from './adapters/mcp-client/servers.ts'
import { temporaryFolder } from './catalog/temporary-folder.ts'
import { runCaptured } from './fakes/captured-terminal.ts'

/** A project whose servers are real processes that note their starts and ends. */
function project(behaviours: readonly string[]) {
  const folder = temporaryFolder()
  const log = join(folder, 'log')
  const config = join(folder, '.mcp.json')
  const write = (words: (number: number) => readonly string[] = () => []) => {
    const servers = behaviours.map((behaviour, number) => [
      `s${number}`,
      {
        command: process.execPath,
        args: [join(serverFolder, 'counted.mjs'), log, `s${number}`, behaviour, ...words(number)],
      },
    ])
    writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
  }
  write()
  const notes = (): readonly string[] =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').filter(Boolean)
  /** Runs `audition index` in the project, and says which servers were started and how many at once. */
  const index = (...words: readonly string[]) => {
    writeFileSync(log, '')
    return indexWith({}, ...words)
  }
  const indexWith = async ({ signal }: { readonly signal?: AbortSignal }, ...words: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder, AUDITION_HOME: join(folder, 'store') }
    const audition = openAudition(configFrom({ ...env, AUDITION_MODEL: 'none' }))
    const outcome = await runCaptured(['index', '.mcp.json', ...words], audition, {
      cwd: folder,
      home: folder,
      ...(signal === undefined ? {} : { signal }),
    })
    const started = notes().flatMap((note) => (note.startsWith('start ') ? [note.slice(6)] : []))
    let [running, most] = [0, 0]
    for (const note of notes()) {
      running += note.startsWith('start ') ? 1 : -1
      most = Math.max(most, running)
    }
    return { ...outcome, started, most, last: outcome.stdout.trimEnd().split('\n').at(-1) ?? '' }
  }
  return { index, indexWith, write, notes }
}

test('40 servers, 11 of which fail: side by side, each once, and a second run starts none of them', async () => {
  const behaviours = Array.from({ length: 40 }, (_, number) =>
    number % 4 === 1 || number === 2 ? 'dies' : number < 9 ? 'gate:4' : 'answers',
  )
  const { index, write } = project(behaviours)
  const first = await index('--timeout', '60')
  expect(first.started).toHaveLength(40)
  expect(first.most).toBeGreaterThanOrEqual(4)
  expect(first.most).toBeLessThanOrEqual(serversAtOnce)
  expect(first.last).toMatch(
    /^29 tools and 29 agents in the store, after [\d.]+ s\. 29 of 40 MCP servers answered, 11 failed: see `audition doctor`\.$/,
  )
  const failures = first.stdout.split('\n').filter((line) => line.startsWith('failed  '))
  expect(failures).toHaveLength(11)
  expect(failures[0]).toBe(
    'failed  s1: the process exited with code 1 before it answered: Error: S1_URL is not set',
  )
  expect(first.stdout).not.toContain('node:internal')

  const second = await index('--timeout', '60')
  expect([second.started, second.code]).toEqual([[], 1])
  expect(second.last).toMatch(
    /None of 40 MCP servers was asked, 29 answered within a day, 11 failed before: see `audition doctor`; `--refresh` asks all\.$/,
  )
  expect(second.stdout).toMatch(
    /^failed {2}s1: .*Error: S1_URL is not set \(failed before; asked again after \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/m,
  )

  write((number) => (number === 5 || number === 20 ? ['changed'] : []))
  const changed = await index('--timeout', '60')
  expect(changed.started).toEqual([])
  expect(changed.stdout).toContain(
    'Not asked for tools, for what they start changed since you agreed: 2 MCP servers.',
  )
  const agreed = await index('--timeout', '60', '--yes')
  expect(agreed.started.toSorted()).toEqual(['s20', 's5'])
})

test('--refresh asks all again, those that failed too; one that hangs is waited for once', async () => {
  const { index } = project(['answers', 'hangs', 'dies', 'answers'])
  const time = ['--timeout', '3'] as const
  expect((await index(...time)).started).toHaveLength(4)
  const again = await index(...time)
  expect(again.started).toEqual([])
  expect(again.stdout).toContain('failed  s1: it did not answer within 3 s (failed before;')
  expect((await index(...time, '--refresh')).started).toHaveLength(4)
})

test('--json says the same to a program: what was not asked and why, and all that a server printed', async () => {
  const { index } = project(['answers', 'dies'])
  await index()
  const { stdout } = await index('--json')
  expect(JSON.parse(stdout).sources).toMatchObject([
    { source: 's0', notAsked: 'unchanged', unchanged: 2 },
    {
      source: 's1',
      notAsked: 'failed before',
      againAfter: expect.stringMatching(/Z$/),
      failure: {
        message: expect.stringMatching(/: Error: S1_URL is not set$/),
        output: expect.stringContaining('node:internal/modules'),
      },
    },
  ])
})

test('two processes at once start each server once: the second reads what the first has stored', async () => {
  const { indexWith, notes } = project(['answers', 'answers', 'dies'])
  const runs = await Promise.all([indexWith({}), indexWith({})])
  expect(notes().filter((note) => note.startsWith('start '))).toHaveLength(3)
  const lasts = runs.map(({ last }) => last.replace(/^.*? s\. /, '')).toSorted()
  expect(lasts).toEqual([
    '2 of 3 MCP servers answered, 1 failed: see `audition doctor`.',
    'None of 3 MCP servers was asked, 2 answered within a day, 1 failed before: see `audition doctor`; `--refresh` asks all.',
  ])
})

test('Ctrl-C ends what was started and stores nothing; the next run asks all', async () => {
  const { index, indexWith, notes } = project(['answers', 'hangs'])
  const interruption = new AbortController()
  const run = indexWith({ signal: interruption.signal })
  await vi.waitFor(() => expect(notes()).toContain('start s1'), { timeout: 20_000 })
  interruption.abort(new Error('Ctrl-C'))
  expect((await run).code).toBe(130)
  await vi.waitFor(() => expect(notes()).toContain('end s1'), { timeout: 10_000 })
  expect((await index('--timeout', '2')).started).toHaveLength(2)
})

test('a dry run asks, says what would be, and remembers nothing', async () => {
  const { index } = project(['answers', 'dies'])
  const dry = await index('--dry-run')
  expect([dry.started.length, dry.code]).toEqual([2, 1])
  expect(dry.last).toContain('Nothing was written (--dry-run). 1 of 2 MCP servers answered, 1 failed')
  expect((await index()).started).toHaveLength(2)
})
