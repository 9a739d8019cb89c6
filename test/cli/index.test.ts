import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Audition, IndexOptions, IndexReport, SourceReport } from '../../src/compose/app.ts'
import { boundServer } from '../../src/trust/launches/bound-server.ts'
import { readHostServers } from '../../src/catalog/readers/host-config.ts'
import type { NotAsked } from '../../src/indexing/index-report.ts'
import type { Problem } from '../../src/catalog/ports.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { scanVersion } from '../../src/trust/review/scan-version.ts'
import { emptyReview } from '../../src/store/source-review.ts'
import { openDocument } from '../../src/catalog/source-document.ts'
import { bundledCatalog } from '../../src/catalog/bundled-parts.ts'
import { RemedyError } from '../../src/domain/remedy-error.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { answerOf } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const sourceReport = (parts: Partial<SourceReport> = {}): SourceReport => ({
  source: 'agents',
  location: '/home/ann/agents',
  reader: 'claude-subagent',
  added: 3,
  changed: 1,
  unchanged: 20,
  removed: 0,
  problems: [],
  ...parts,
})

const reportOf = (parts: Partial<IndexReport> = {}): IndexReport => ({
  sources: [sourceReport()],
  problems: [],
  tools: 1234,
  agents: 24,
  seconds: 1.25,
  ...parts,
})

const problem = (number: number, parts: Partial<Problem> = {}): Problem => ({
  severity: 'warning',
  file: `agents/${number}.md`,
  field: 'description',
  message: 'is empty; the name stands in for it',
  remedy: 'Say in a sentence what the agent does.',
  ...parts,
})

/** An Audition whose index run gives a report, and what it was asked. */
function indexing(report: IndexReport, sources: readonly SourceState[] = []) {
  const asked: IndexOptions[] = []
  const audition: Audition = scriptedAudition({
    sources: async () => sources,
    search: async ({ kind }) => answerOf(kind, []),
    index: async (options) => {
      asked.push(options)
      options.onProgress?.({ step: 'discover', sources: 2 })
      options.onProgress?.({ step: 'read', source: 'agents', done: 1, total: 2 })
      options.onProgress?.({ step: 'write', share: 0.1, what: 'Embedding 4 cards' })
      options.onProgress?.({ step: 'write', share: 0.9, what: 'Embedding 4 cards' })
      return report
    },
  })
  return { audition, asked }
}

/** A home folder with a Claude sub-agent, and a project with an MCP server. */
function machine() {
  const root = mkdtempSync(join(tmpdir(), 'audition-cli-'))
  const home = join(root, 'home')
  const cwd = join(root, 'project')
  const agents = join(home, '.claude', 'agents')
  mkdirSync(agents, { recursive: true })
  mkdirSync(cwd)
  writeFileSync(join(agents, 'tester.md'), '---\nname: tester\ndescription: Tests.\n---\nYou test.\n')
  const config = join(cwd, '.mcp.json')
  const server = { command: 'node', args: ['server.js', '--api-key', 'sk-verysecret123'] }
  writeFileSync(config, JSON.stringify({ mcpServers: { tracker: server } }))
  return { home, cwd, agents, config }
}

/** The digest of the only server of a configuration. */
const digestIn = (config: string): string =>
  boundServer(readHostServers(openDocument(config), undefined).servers[0]!).digest

describe('audition index <source>', () => {
  test('reads the sources named and reports each', async () => {
    const { audition, asked } = indexing(reportOf())
    const { code, stdout, stderr } = await runCaptured(['index', '/home/ann/agents'], audition, {
      env: { COLUMNS: '90' },
    })
    expect(code).toBe(0)
    expect(asked[0]).toMatchObject({
      locations: ['/home/ann/agents'],
      harvest: 'agreed',
      refresh: false,
      dryRun: false,
    })
    expect(stdout).toMatchInlineSnapshot(`
      "source  added  changed  unchanged  removed  state  location
      agents      3        1         20        0  ok     /home/ann/agents

      1,234 tools and 24 agents in the store, after 1.3 s.
      "
    `)
    expect(stderr).toMatchInlineSnapshot(`
      "Reading 2 sources.
      [1/2] agents
      Embedding 4 cards ...
      "
    `)
  })

  test('passes name, time-out and the rest on', async () => {
    const { audition, asked } = indexing(reportOf())
    const argv = ['index', 'a.jsonl', '--as', 'team', '--timeout', '2.5', '--no-harvest', '--dry-run']
    const { stdout } = await runCaptured(argv, audition)
    expect(asked[0]).toMatchObject({ as: 'team', harvestTimeoutMs: 2500, harvest: 'unwanted', dryRun: true })
    expect(stdout).toContain('Nothing was written (--dry-run)')
  })

  test('announces the servers of a configuration that was named, secrets masked', async () => {
    const { cwd, config } = machine()
    const { audition, asked } = indexing(reportOf())
    const { stderr } = await runCaptured(['index', '.mcp.json'], audition, { cwd })
    expect(stderr).toContain('Starting these MCP servers')
    expect(stderr).toContain('tracker')
    expect(stderr).toContain(config)
    expect(stderr).not.toContain('verysecret')
    expect(asked[0]).toMatchObject({ locations: [config], harvest: 'agreed', agreed: [digestIn(config)] })
  })

  test.each([['.mcp.json'], ['--yes']])(
    'a server that was rejected in Claude Code is not announced: index %s',
    async (word) => {
      const { home, cwd } = machine()
      mkdirSync(join(cwd, '.claude'))
      const rejecting = JSON.stringify({ disabledMcpjsonServers: ['tracker'] })
      writeFileSync(join(cwd, '.claude', 'settings.local.json'), rejecting)
      const { stderr } = await runCaptured(['index', word], indexing(reportOf()).audition, { home, cwd })
      expect(stderr).not.toContain('tracker')
    },
  )

  test('a configuration that only lies in a folder starts nothing unasked', async () => {
    const { cwd, config } = machine()
    const unasked = indexing(reportOf())
    const { stderr } = await runCaptured(['index', '.'], unasked.audition, { cwd })
    expect(unasked.asked[0]).toMatchObject({ locations: [cwd], harvest: 'agreed', agreed: [] })
    expect(stderr).toContain('add --yes to start them')
    const allowed = indexing(reportOf())
    await runCaptured(['index', '.', '--yes'], allowed.audition, { cwd })
    expect(allowed.asked[0]).toMatchObject({ locations: [cwd], agreed: [digestIn(config)] })
  })

  test('a source that failed ends with 1, says why and what to do', async () => {
    const failure = { message: 'did not answer within 30 s', remedy: 'Raise --timeout.' }
    const { audition } = indexing(reportOf({ sources: [sourceReport({ source: 'tracker', failure })] }))
    const { code, stdout } = await runCaptured(['index', 'x'], audition)
    expect(code).toBe(1)
    expect(stdout).toContain('failed  tracker: did not answer within 30 s')
    expect(stdout).toContain('Raise --timeout. Its old cards stay.')
  })

  test('sources that failed for one reason are told in one line: a folder of many files is gone', async () => {
    const failure = { message: 'tools: does not exist', remedy: 'Check the path.' }
    const gone = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => sourceReport({ source: id, failure }))
    const { audition } = indexing(reportOf({ sources: gone }))
    const { stdout } = await runCaptured(['index', 'x'], audition)
    expect(stdout.match(/does not exist/g)).toHaveLength(1)
    expect(stdout).toContain('failed  a, b, c, d, e and 2 more: tools: does not exist')
    expect(stdout).toContain('Check the path. Their old cards stay.')
  })

  test('a server that was not to be started is shown as not asked, and is no problem', async () => {
    const [read, unread] = [sourceReport({}), sourceReport({ source: 'tracker', notAsked: 'unwanted' })]
    const { audition } = indexing(reportOf({ sources: [read, unread] }))
    const { code, stdout } = await runCaptured(['index', 'x', '--no-harvest'], audition)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^tracker .* not asked /m)
    expect(stdout).toContain('Not asked for tools, as --no-harvest says: 1 MCP server.')
    expect(stdout).not.toContain('problem')
  })

  test('a place that gave nothing ends with 1', async () => {
    const nothing = problem(1, { severity: 'error', file: '/x', message: 'does not exist' })
    const { audition } = indexing(reportOf({ sources: [], problems: [nothing] }))
    const { code, stdout } = await runCaptured(['index', '/x'], audition)
    expect(code).toBe(1)
    expect(stdout).toContain('left out  /x description: does not exist')
  })

  test.each([
    { why: 'whose cards were all left out', counts: {}, expected: 1 },
    { why: 'of which one card was left out', counts: { unchanged: 3 }, expected: 0 },
    { why: 'whose only good card is held', counts: { held: { changed: 0, quarantined: 1 } }, expected: 0 },
  ])('a source $why ends with $expected', async ({ counts, expected }) => {
    const problems = [problem(1, { severity: 'error', message: 'name must be string, received number' })]
    const none = { added: 0, changed: 0, unchanged: 0, removed: 0 }
    const { audition } = indexing(reportOf({ sources: [sourceReport({ ...none, ...counts, problems })] }))
    const { code, stdout } = await runCaptured(['index', 'agents'], audition)
    expect(code).toBe(expected)
    expect(stdout).toContain('name must be string')
  })

  test('a source of which a part could not be read ends with 1', async () => {
    const problems = [problem(1, { severity: 'error', file: '/x/a.md', message: 'is not valid UTF-8' })]
    const { audition } = indexing(reportOf({ sources: [sourceReport({ problems, unread: ['/x/a.md'] })] }))
    const { code, stdout } = await runCaptured(['index', '/x'], audition)
    expect(code).toBe(1)
    expect(stdout).toContain('is not valid UTF-8')
  })

  test('--lenient ends with 0 though files were left out', async () => {
    const problems = [problem(1, { severity: 'error', file: '/x/a.json', message: 'is no JSON' })]
    const { audition } = indexing(reportOf({ problems }))
    expect((await runCaptured(['index', '/x'], audition)).code).toBe(1)
    const { code, stdout } = await runCaptured(['index', '/x', '--lenient'], audition)
    expect(code).toBe(0)
    expect(stdout).toContain('is no JSON')
  })

  test('a run that wrote nothing says that the store is damaged, also --lenient', async () => {
    const same = sourceReport({ added: 0, changed: 0, unchanged: 24 })
    const asked: string[] = []
    const audition = scriptedAudition({
      sources: async () => [],
      index: async () => reportOf({ sources: [same] }),
      search: async ({ kind }) => {
        asked.push(kind)
        if (kind === 'agent')
          throw new RemedyError('The store cannot be read.', 'Run `audition doctor --repair`.')
        return answerOf(kind, [])
      },
    })
    const { code, stderr } = await runCaptured(['index', '/x', '--lenient'], audition)
    expect(code).toBe(1)
    expect(stderr).toContain('The store cannot be read.')
    expect(asked).toEqual(['tool', 'agent'])
    expect((await runCaptured(['index', '/x', '--dry-run'], audition)).code).toBe(0)
  })

  test('problems are listed up to twenty, then counted', async () => {
    const problems = Array.from({ length: 23 }, (_, index) => problem(index + 1))
    const { audition } = indexing(reportOf({ sources: [sourceReport({ problems })] }))
    const { code, stdout } = await runCaptured(['index', 'x'], audition)
    expect(code).toBe(0)
    expect(stdout).toContain('warning   agents/20.md description: is empty')
    expect(stdout).not.toContain('agents/21.md')
    expect(stdout).toContain('… and 3 more; --json lists them all')
  })

  test('--json prints the whole report and nothing else on standard output', async () => {
    const problems = Array.from({ length: 23 }, (_, index) => problem(index + 1))
    const report = reportOf({ sources: [sourceReport({ problems })] })
    const { stdout } = await runCaptured(['index', 'x', '--json'], indexing(report).audition)
    expect(JSON.parse(stdout)).toEqual(report)
  })

  test('the words of a source cannot drive the terminal', async () => {
    const hostile = 'x\u001b[2J\u202E\r\nERROR'
    const report = reportOf({
      sources: [
        sourceReport({
          source: hostile,
          location: hostile,
          failure: { message: hostile, remedy: hostile },
          problems: [problem(1, { file: hostile, field: hostile, message: hostile, remedy: hostile })],
        }),
      ],
    })
    const { stdout } = await runCaptured(['index', 'x'], indexing(report).audition)
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(stdout).not.toMatch(/^ERROR/m)
  })

  test('a terminal gets a bar on standard error, and none on standard output', async () => {
    const { audition } = indexing(reportOf())
    const { stdout, stderr } = await runCaptured(['index', 'x'], audition, { columns: 80 })
    expect(stderr).toContain('░')
    expect(stderr).toContain('Embedding 4 cards')
    expect(stdout).not.toContain('░')
  })

  test('Ctrl-C ends with 130 and says that the last good index stays', async () => {
    const interruption = new AbortController()
    const audition = scriptedAudition({
      sources: async () => [],
      index: async ({ signal }) => {
        interruption.abort()
        signal?.throwIfAborted()
        return reportOf()
      },
    })
    const outcome = await runCaptured(['index', 'x'], audition, { signal: interruption.signal })
    expect(outcome.code).toBe(130)
    expect(outcome.stderr).toContain('The last good index stays as it was.')
  })

  test.each([{ columns: 80 }, {}])(
    'a source that ends after Ctrl-C shows nothing any more, and brings no bar back: %o',
    async (output) => {
      const interruption = new AbortController()
      let tellLate = (): void => {}
      const audition = scriptedAudition({
        sources: async () => [],
        index: async ({ signal, onProgress }) => {
          const show = (done: number) =>
            onProgress?.({ step: 'read', source: `server ${done}`, done, total: 9 })
          show(1)
          tellLate = () => show(2)
          interruption.abort()
          signal?.throwIfAborted()
          return reportOf()
        },
      })
      audition.close = async () => tellLate()
      const { stderr } = await runCaptured(['index', 'x'], audition, {
        ...output,
        signal: interruption.signal,
      })
      expect(stderr).toContain('server 1')
      expect(stderr).not.toContain('server 2')
    },
  )

  test.each([
    {
      why: '--as with two sources',
      argv: ['index', 'a', 'b', '--as', 'x'],
      expected: /--as names one source/,
    },
    { why: '--as without a source', argv: ['index', '--as', 'x'], expected: /--as names one source/ },
    { why: 'a source that is empty', argv: ['index', 'a', ''], expected: /A source is empty/ },
    { why: 'no time at all', argv: ['index', 'a', '--timeout', '0'], expected: /number from 0.1 to 3600/ },
    { why: 'a time that is no number', argv: ['index', 'a', '--timeout', 'soon'], expected: /number from/ },
  ])('ends with 2 on $why', async ({ argv, expected }) => {
    const { code, stderr } = await runCaptured(argv, scriptedAudition({}))
    expect(code).toBe(2)
    expect(stderr).toMatch(expected)
  })
})

describe('audition index', () => {
  const known: SourceState = {
    id: 'old',
    location: '/data/old.jsonl',
    reader: 'agent-jsonl',
    indexedAt: '2026-11-01T10:00:00.000Z',
    tools: 0,
    agents: 9,
    problems: [],
  }

  test('reads what it finds, what it knew, and the bundled catalog; starts no server unasked', async () => {
    const { home, cwd, agents, config } = machine()
    const { audition, asked } = indexing(reportOf(), [known])
    const { code, stderr } = await runCaptured(['index'], audition, { home, cwd })
    expect(code).toBe(0)
    expect(asked[0]).toMatchObject({
      locations: [config, agents, '/data/old.jsonl', ...bundledCatalog],
      harvest: 'agreed',
      agreed: [],
      declined: [],
    })
    expect(stderr).toContain('Claude Code agents')
    expect(stderr).toContain(config)
    expect(stderr).toContain('add --yes to start them')
    expect(stderr).not.toContain('verysecret')
  })

  test('--yes starts the servers it found', async () => {
    const { home, cwd, agents, config } = machine()
    const { audition, asked } = indexing(reportOf())
    await runCaptured(['index', '--yes'], audition, { home, cwd })
    expect(asked[0]).toMatchObject({
      locations: [config, agents, ...bundledCatalog],
      agreed: [digestIn(config)],
    })
  })

  test('--no-harvest reads configurations but starts nothing, so it does not ask', async () => {
    const { home, cwd, agents, config } = machine()
    const { audition, asked } = indexing(reportOf())
    const { stderr } = await runCaptured(['index', '--no-harvest'], audition, { home, cwd })
    expect(asked[0]).toMatchObject({ harvest: 'unwanted', locations: [config, agents, ...bundledCatalog] })
    expect(stderr).not.toContain('a server must be started')
  })

  test('the server of a known configuration is asked about through its file', async () => {
    const { home, config } = machine()
    const server = { ...known, id: 'tracker', location: `${config}#tracker`, reader: 'mcp-server' }
    const { audition, asked } = indexing(reportOf(), [server])
    await runCaptured(['index', '--yes'], audition, { home, cwd: home })
    expect(asked[0]?.locations).toContain(config)
  })

  test('a server that answered a short while ago is not asked about, nor one that failed; an old one is asked again', async () => {
    const { home, cwd, config } = machine()
    const asked = { entry: digestIn(config) }
    const fresh: SourceState = {
      ...known,
      id: 'tracker',
      location: `${config}#tracker`,
      reader: 'mcp-server',
      fingerprint: 'f',
      scan: scanVersion,
      indexedAt: new Date().toISOString(),
      asked,
    }
    const failed = {
      times: 1,
      again: '2999-01-01T00:00:00.000Z',
      timeoutMs: 30_000,
      message: 'x',
      remedy: 'y',
    }
    for (const state of [fresh, { ...fresh, failure: 'x', asked: { ...asked, failed } }]) {
      const run = indexing(reportOf(), [state])
      const { stderr } = await runCaptured(['index'], run.audition, { home, cwd })
      expect(stderr).not.toContain('must be started')
      expect(run.asked[0]).toMatchObject({ harvest: 'agreed', agreed: [], declined: [] })
    }
    const old = indexing(reportOf(), [{ ...fresh, indexedAt: '2026-01-01T00:00:00.000Z' }])
    const { stderr } = await runCaptured(['index'], old.audition, { home, cwd })
    expect(stderr).toContain('Asked again for their tools, as you agreed before: 1 MCP server.')
    expect(stderr).not.toContain('must be started')
    expect(old.asked[0]?.agreed).toEqual([asked.entry])
  })

  test('a server that was left out is not asked about again, and is started once it is named', async () => {
    const { home, cwd, config } = machine()
    const digest = digestIn(config)
    const declined = { ...emptyReview(`declined:${digest}`), declined: true as const }
    const run = indexing(reportOf())
    const audition = { ...run.audition, reviews: async () => [declined] }
    const { stderr } = await runCaptured(['index', '--yes'], audition, { home, cwd })
    expect(stderr).not.toContain('must be started')
    expect(stderr).toContain(`Left alone, as you chose: tracker. To start one, name it: audition index`)
    expect(run.asked[0]).toMatchObject({ harvest: 'agreed', agreed: [], declined: [] })
    await runCaptured(['index', `${config}#tracker`], audition, { home, cwd })
    expect(run.asked[1]).toMatchObject({ locations: [`${config}#tracker`], agreed: [digest] })
  })

  test.each([
    { parts: {}, says: '1 of 1 MCP server answered.' },
    {
      parts: { notAsked: 'unchanged' },
      says: 'None of 1 MCP server was asked, 1 answered within a day: `--refresh` asks all.',
    },
    {
      parts: { failure: { message: 'x', remedy: 'y' } },
      says: '0 of 1 MCP server answered, 1 failed: see `audition doctor`.',
    },
    {
      parts: {
        failure: { message: 'x', remedy: 'y' },
        notAsked: 'failed before',
        againAfter: '2026-11-23T10:05:00.000Z',
      },
      says: 'None of 1 MCP server was asked, 1 failed before: see `audition doctor`; `--refresh` asks all.',
    },
    { parts: { notAsked: 'declined' }, says: 'after 1.3 s.' },
    { parts: { notAsked: 'other project' }, says: 'after 1.3 s.' },
  ] as const)('the last line says what became of the servers: $says', async ({ parts, says }) => {
    const sources = [sourceReport({ reader: 'mcp-server', ...parts })]
    const { stdout } = await runCaptured(['index', 'x'], indexing(reportOf({ sources })).audition)
    expect(stdout.trimEnd().split('\n').at(-1)).toSatisfy((line: string) => line.endsWith(says))
  })

  test('servers that were left alone are counted, with the reason', async () => {
    const of = (notAsked: NotAsked) => sourceReport({ reader: 'mcp-server', notAsked })
    const report = reportOf({
      sources: [of('declined'), of('not agreed'), of('not agreed'), of('other project')],
      ofOtherProjects: 4,
    })
    const { stdout } = await runCaptured(['index', 'x'], indexing(report).audition)
    expect(stdout).toContain('Not asked for tools, as you chose: 1 MCP server.')
    expect(stdout).toContain('Not asked for tools, for nobody agreed to start them: 2 MCP servers.')
    expect(stdout).toContain(
      'Not asked for tools, for they belong to other projects (run `audition index` there): 5 MCP servers.',
    )
  })

  test('a machine without hosts still gets the bundled catalog, which nobody named', async () => {
    const home = mkdtempSync(join(tmpdir(), 'audition-cli-'))
    const { audition, asked } = indexing(reportOf())
    const { stderr } = await runCaptured(['index'], audition, { home, cwd: home })
    expect(asked[0]).toMatchObject({ locations: bundledCatalog, found: bundledCatalog })
    expect(stderr).toContain('No configuration of an AI host found')
  })

  test.each(['bundled', 'bundled:'])('index %s names the bundled catalog', async (word) => {
    const home = mkdtempSync(join(tmpdir(), 'audition-cli-'))
    const { audition, asked } = indexing(reportOf())
    const { code } = await runCaptured(['index', word], audition, { home, cwd: home })
    expect(code).toBe(0)
    expect(asked[0]).toMatchObject({ locations: bundledCatalog })
    expect(asked[0]?.found).toBeUndefined()
  })

  test('a folder of that name makes the word unclear: both ways to say it are told', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'audition-cli-'))
    mkdirSync(join(cwd, 'bundled'))
    const { audition, asked } = indexing(reportOf())
    const { code, stderr } = await runCaptured(['index', 'bundled'], audition, { home: cwd, cwd })
    expect({ code, asked }).toEqual({ code: 2, asked: [] })
    expect(stderr).toContain('bundled: or ./bundled')
    await runCaptured(['index', './bundled'], audition, { home: cwd, cwd })
    expect(asked[0]).toMatchObject({ locations: [join(cwd, 'bundled')] })
  })

  test('says that the bundled catalog went, and how it comes back', async () => {
    const { audition } = indexing(reportOf({ bundledCardsLeft: 144, demoCardsLeft: 12 }))
    const { stdout } = await runCaptured(['index', 'x'], audition)
    expect(stdout).toContain('What ships with Audition is off, now that you have sources of your own:')
    expect(stdout).toContain('`audition index bundled` brings back 132 cards of the catalog')
    expect(stdout).toContain('`audition index bundled:demo` brings back 12 agents of the demonstration.')
  })

  test('names no demonstration where none was there', async () => {
    const { audition } = indexing(reportOf({ bundledCardsLeft: 132 }))
    const { stdout } = await runCaptured(['index', 'x'], audition)
    expect(stdout).toContain('`audition index bundled` brings back 132 cards of the catalog.')
    expect(stdout).not.toContain('bundled:demo')
  })
})
