import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { IndexOptions } from '../../../src/indexing/index-report.ts'
import { indexSources } from '../../../src/indexing/index-sources.ts'
import type { SourceSurroundings } from '../../../src/indexing/open-source.ts'
import { HarvestError } from '../../../src/catalog/ports.ts'
import { memoryCatalog } from '../../fakes/memory-catalog.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'

/** What a server does when it is asked: its tools, a failure after a start, or one before. */
type Behaviour = readonly string[] | 'fails' | 'cannot start'

const start = new Date('2026-11-01T08:00:00.000Z').getTime()
const minute = 60_000
const hour = 60 * minute

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An index over one configuration, whose servers run in the test's process. */
function stage(servers: { [name: string]: Behaviour }, more: Partial<SourceSurroundings> = {}) {
  const catalog = memoryCatalog()
  const asked: string[] = []
  const folder = folderWith({})
  const config = join(folder, 'mcp.json')
  const write = (change: { readonly [name: string]: object } = {}) => {
    const entries = Object.keys(servers).map((name) => [name, { command: 'serve', args: [name] }] as const)
    writeFileSync(config, JSON.stringify({ mcpServers: { ...Object.fromEntries(entries), ...change } }))
  }
  write()
  const surroundings: SourceSurroundings = {
    harvester: {
      async harvest({ name }) {
        asked.push(name)
        const does = servers[name] ?? []
        if (does === 'fails')
          throw new HarvestError(`MCP server "${name}": it died`, 'Mend it.', {
            wasAsked: true,
            output: 'ouch',
          })
        if (does === 'cannot start') throw new HarvestError('command not found', 'Install it.')
        return {
          server: { name, version: '1' },
          tools: does.map((tool) => ({ name: tool, inputSchema: {} })),
        }
      },
    },
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    label: (path) => path,
    ...more,
  }
  /** One run: who was asked, and what was said of each. */
  const run = async (options: Partial<IndexOptions> = {}) => {
    asked.length = 0
    const writer = await catalog.writer()
    try {
      const report = await indexSources(writer, surroundings, { locations: [config], ...options })
      const said = Object.fromEntries(report.sources.map((one) => [one.source, one.notAsked ?? 'asked']))
      return { asked: [...asked].sort(), said, report }
    } finally {
      await writer.close()
    }
  }
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
  const states = () => catalog.reader().sources()
  return { run, write, later, states, folder, config, servers, surroundings, catalog }
}

describe('a server that answered', () => {
  test('is not asked again by the next run, which changes nothing', async () => {
    const { run, states } = stage({ mail: ['send'], files: ['read'] })
    expect((await run()).asked).toEqual(['files', 'mail'])
    const before = await states()
    const again = await run()
    expect(again).toMatchObject({ asked: [], said: { mail: 'unchanged', files: 'unchanged' } })
    expect(again.report).toMatchObject({ tools: 2, agents: 2 })
    expect(await states()).toEqual(before)
  })

  test('is asked again after a day, and stays as it is when it says the same', async () => {
    const { run, later, states } = stage({ mail: ['send'] })
    await run()
    later(23 * hour)
    expect((await run()).asked).toEqual([])
    later(2 * hour)
    expect(await run()).toMatchObject({ asked: ['mail'], report: { sources: [{ unchanged: 2, added: 0 }] } })
    expect((await states())[0]?.indexedAt).toBe(new Date(start + 25 * hour).toISOString())
    expect((await run()).asked).toEqual([])
  })

  test('is asked at once with refresh, and what it says now is taken', async () => {
    const { run, servers } = stage({ mail: ['send'] })
    await run()
    servers.mail = ['send', 'draft']
    expect((await run()).report.tools).toBe(1)
    const { asked, report } = await run({ refresh: true })
    expect([asked, report.sources[0]?.added]).toEqual([['mail'], 1])
  })

  test.each([
    { what: 'an argument', entry: { command: 'serve', args: ['mail', '--all'] } },
    { what: 'a variable', entry: { command: 'serve', args: ['mail'], env: { TOKEN: 'a' } } },
    { what: 'an address', entry: { url: 'https://mail.example/mcp' } },
  ])('alone is asked when its entry gets another $what', async ({ entry }) => {
    const { run, write } = stage({ mail: ['send'], files: ['read'] })
    await run()
    write({ mail: entry })
    expect((await run()).asked).toEqual(['mail'])
  })

  test('is asked when a secret of its entry changes, and the store holds none of it', async () => {
    const { run, write, states } = stage({ mail: ['send'] })
    const entry = (token: string) => ({ mail: { command: 'serve', env: { MAIL_TOKEN: token } } })
    write(entry('first-secret-of-many'))
    await run()
    expect((await run()).asked).toEqual([])
    write(entry('second-secret-of-many'))
    expect((await run()).asked).toEqual(['mail'])
    expect(JSON.stringify(await states())).not.toContain('secret-of-many')
  })

  test('is asked when the file that it runs was changed', async () => {
    const { run, write, folder } = stage({ mail: ['send'] })
    const program = join(folder, 'mail.js')
    writeFileSync(program, '')
    write({ mail: { command: 'node', args: ['mail.js'] } })
    await run()
    expect((await run()).asked).toEqual([])
    utimesSync(program, 1, 1)
    expect((await run()).asked).toEqual(['mail'])
  })
})

describe('a server that failed', () => {
  test('is left alone for a pause that grows, and told meanwhile', async () => {
    const { run, later } = stage({ mail: 'fails', files: ['read'] })
    await run()
    const pauses: number[] = []
    for (let failure = 1; failure <= 7; failure += 1) {
      const { asked, said, report } = await run()
      const [mail] = report.sources
      expect([asked, said]).toEqual([[], { mail: 'failed before', files: 'unchanged' }])
      expect(mail?.failure).toEqual({
        message: 'MCP server "mail": it died',
        remedy: 'Mend it.',
        output: 'ouch',
      })
      const pause = Date.parse(mail?.againAfter ?? '') - Date.now()
      pauses.push(pause / minute)
      later(pause)
      expect((await run()).asked).toContain('mail')
    }
    expect(pauses).toEqual([5, 15, 45, 135, 405, 1215, 1440])
  })

  test('is asked at once with refresh, with another entry, and with more time', async () => {
    const { run, write } = stage({ mail: 'fails' })
    await run()
    expect((await run()).asked).toEqual([])
    expect((await run({ refresh: true })).asked).toEqual(['mail'])
    write({ mail: { command: 'serve', args: ['better'] } })
    expect((await run()).asked).toEqual(['mail'])
    expect((await run({ harvestTimeoutMs: 20_000 })).asked).toEqual([])
    expect((await run({ harvestTimeoutMs: 60_000 })).asked).toEqual(['mail'])
    expect((await run({ harvestTimeoutMs: 60_000 })).asked).toEqual([])
  })

  test('keeps its cards, and once it answers its failures are forgotten', async () => {
    const { run, servers, later, states } = stage({ mail: ['send'] })
    await run()
    servers.mail = 'fails'
    later(25 * hour)
    expect((await run()).report).toMatchObject({ tools: 1, sources: [{ unchanged: 2 }] })
    servers.mail = ['send']
    later(5 * minute)
    expect((await run()).report.sources[0]?.failure).toBeUndefined()
    expect((await states())[0]).not.toHaveProperty('failure')
    expect((await states())[0]?.asked).not.toHaveProperty('failed')
    servers.mail = 'fails'
    later(25 * hour)
    const { report } = await run()
    expect(report.sources[0]?.failure).toBeDefined()
    const next = (await run()).report.sources[0]?.againAfter
    expect(Date.parse(next ?? '') - Date.now()).toBe(5 * minute)
  })

  test('before anything was started is tried in every run: that costs nothing', async () => {
    const { run } = stage({ mail: 'cannot start' })
    expect((await run()).asked).toEqual(['mail'])
    expect((await run()).asked).toEqual(['mail'])
  })
})

describe('leave to start', () => {
  test('is asked for once: a server that was started by the same entry may be asked again', async () => {
    const { run, write, later } = stage({ mail: ['send'], files: ['read'] })
    expect(await run({ harvest: 'agreed' })).toMatchObject({
      asked: [],
      said: { mail: 'not agreed', files: 'not agreed' },
    })
    await run()
    later(25 * hour)
    expect((await run({ harvest: 'agreed' })).asked).toEqual(['files', 'mail'])
    write({ mail: { command: 'serve', args: ['something', 'else'] } })
    expect(await run({ harvest: 'agreed' })).toMatchObject({ asked: [], said: { mail: 'launch changed' } })
  })

  test('that was declined is remembered for that entry, until it is agreed to', async () => {
    const { run, states, catalog, config } = stage({ mail: ['send'], files: ['read'] })
    const { boundServer } = await import('../../../src/trust/launches/bound-server.ts')
    const digestOf = (name: string) =>
      boundServer({
        name,
        config,
        disabled: false,
        launch: { transport: 'stdio', command: 'serve', args: [name], env: {} },
      }).digest
    const chosen = { harvest: 'agreed', agreed: [digestOf('files')], declined: [digestOf('mail')] } as const
    expect(await run(chosen)).toMatchObject({ asked: ['files'], said: { mail: 'declined' } })
    const later = await run({ harvest: 'agreed' })
    expect(later).toMatchObject({ asked: [], said: { mail: 'declined', files: 'unchanged' } })
    expect((await states()).map(({ id }) => id)).toEqual(['files'])
    expect((await run({ harvest: 'agreed', agreed: [digestOf('mail')] })).asked).toEqual(['mail'])
    expect((await catalog.reader().reviews()).filter(({ declined }) => declined)).toEqual([])
  })
})

describe('projects', () => {
  const entry = (name: string) => ({ command: 'serve', args: [name] })

  test('servers that Claude Code keeps for another project are not asked, and those known keep their cards', async () => {
    const folder = folderWith({ 'here/a.txt': '', 'there/a.txt': '' })
    const [here, there] = [join(folder, 'here'), join(folder, 'there')]
    const { run, config, states, surroundings } = stage({ everywhere: ['a'], near: ['b'], far: ['c'] })
    const mcpServers = { everywhere: entry('everywhere') }
    const projects = {
      [here]: { mcpServers: { near: entry('near') } },
      [there]: { mcpServers: { far: entry('far'), near: entry('near') } },
    }
    writeFileSync(config, JSON.stringify({ mcpServers, projects }))
    const at = surroundings as { cwd?: string }
    at.cwd = join(here, 'deeper')
    const first = await run()
    expect(first.asked).toEqual(['everywhere', 'near'])
    expect(first.report).toMatchObject({ ofOtherProjects: 1 })
    at.cwd = there
    expect((await run()).asked).toEqual(['far'])
    at.cwd = here
    expect(await run({ refresh: true })).toMatchObject({ said: { far: 'other project' } })
    expect((await states()).map(({ id }) => id)).toEqual(['everywhere', 'far', 'near'])
    expect((await run({ locations: [`${config}#far`], refresh: true })).asked).toEqual(['far'])
  })

  test('a configuration of another project, known from before, starts nothing unless it is named', async () => {
    const config = JSON.stringify({ mcpServers: { far: entry('far') } })
    const folder = folderWith({ 'there/.mcp.json': config, 'here/.mcp.json': '{"mcpServers":{}}' })
    const file = join(folder, 'there/.mcp.json')
    const { run, later } = stage({ far: ['c'] }, { cwd: join(folder, 'here') })
    expect((await run({ locations: [file] })).asked).toEqual(['far'])
    later(25 * hour)
    const found = { locations: [file], found: [file] }
    expect(await run(found)).toMatchObject({ asked: [], said: { far: 'other project' } })
    expect((await run({ locations: [file] })).asked).toEqual(['far'])
  })

  test('a file of the user elsewhere is of no project', async () => {
    const folder = folderWith({ 'home/.cursor/mcp.json': '', 'my/servers.json': '', 'here/a.txt': '' })
    const user = { home: join(folder, 'home'), platform: 'linux', env: {} } as const
    const files = ['home/.cursor/mcp.json', 'my/servers.json'].map((file) => join(folder, file))
    for (const [at, file] of files.entries())
      writeFileSync(file, JSON.stringify({ mcpServers: { [`s${at}`]: entry(`s${at}`) } }))
    const { run } = stage({ s0: ['a'], s1: ['b'] }, { cwd: join(folder, 'here'), user })
    expect((await run({ locations: files, found: files })).asked).toEqual(['s0', 's1'])
  })
})
