import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { IndexOptions, IndexProgress, IndexReport } from '../../src/indexing/index-report.ts'
import { indexSources } from '../../src/indexing/index-sources.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { HarvestError, type McpHarvester } from '../../src/catalog/ports.ts'
import { readers } from '../../src/catalog/readers.ts'
import { serversAtOnce } from '../../src/indexing/read-source.ts'
import type { CatalogSnapshot } from '../../src/retrieval/ports.ts'
import { idsOf } from '../contracts/catalog.ts'
import { type MemoryCatalog, memoryCatalog } from '../fakes/memory-catalog.ts'
import { scatteredModel } from '../fakes/scattered-model.ts'
import { folderWith, temporaryFolder } from './temporary-folder.ts'

/** Tools per server; a server that is not here cannot be asked. */
type Servers = { [name: string]: readonly string[] }

/** An index over a catalog in memory, with servers that are asked in the test's own process. */
function indexer(servers: Servers = {}) {
  const catalog: MemoryCatalog = memoryCatalog()
  const asked: string[] = []
  const harvester: McpHarvester = {
    async harvest({ name }, signal) {
      signal.throwIfAborted()
      asked.push(name)
      const tools = servers[name]
      if (tools === undefined) throw new HarvestError(`"${name}" does not answer.`, 'Start it.')
      return {
        server: { name, version: '1.0.0' },
        tools: tools.map((tool) => ({
          name: tool,
          description: `Does ${tool}`,
          inputSchema: { type: 'object' },
        })),
      }
    },
  }
  const surroundings: SourceSurroundings = {
    harvester,
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    label: (path) => path,
  }
  const index = async (locations: readonly string[], options: Partial<IndexOptions> = {}) => {
    const writer = await catalog.writer()
    try {
      return await indexSources(writer, surroundings, { locations, refresh: true, ...options })
    } finally {
      await writer.close()
    }
  }
  const ids = async (): Promise<readonly string[]> => {
    const snapshot: CatalogSnapshot = await catalog.reader().snapshot()
    return [...idsOf(snapshot, 'tool'), ...idsOf(snapshot, 'agent')]
  }
  const sources = () => catalog.reader().sources()
  return { catalog, surroundings, asked, index, ids, sources, servers }
}

/** What a run did to each source: added, changed, unchanged, removed. */
const countsOf = (report: Omit<IndexReport, 'seconds'>) =>
  Object.fromEntries(
    report.sources.map(({ source, added, changed, unchanged, removed }) => [
      source,
      [added, changed, unchanged, removed],
    ]),
  )

const agent = (name: string, description = `Does ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\ntools: Read\n---\nYou are ${name}.\n`

const functions = (...names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => ({
      type: 'function',
      function: { name, description: `Does ${name}`, parameters: { type: 'object', properties: {} } },
    })),
  )

const hostConfig = (...names: readonly string[]): string =>
  JSON.stringify({
    mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'serve', args: [name] }])),
  })

describe('a run over files', () => {
  let reads: readonly MockInstance[]
  beforeEach(() => {
    reads = readers.map((reader) => vi.spyOn(reader, 'read'))
  })
  afterEach(() => {
    for (const read of reads) read.mockRestore()
  })
  const countReads = (): number => {
    const count = reads.reduce((sum, read) => sum + read.mock.calls.length, 0)
    for (const read of reads) read.mockClear()
    return count
  }

  test('counts what it adds, changes and removes, and reads again only what changed', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({
      'team/a.md': agent('ann'),
      'team/b.md': agent('bob'),
      'tools.json': functions('weigh', 'wrap'),
      'notes.txt': 'not a card',
      'package.json': '{"name": "not-a-card"}',
    })
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    expect(countsOf(await index([folder]))).toEqual({ [name]: [2, 0, 0, 0], tools: [2, 0, 0, 0] })
    expect(await ids()).toEqual(['tools/weigh', 'tools/wrap', `${name}/ann`, `${name}/bob`])
    expect(countReads()).toBe(3)

    expect(countsOf(await index([folder]))).toEqual({ [name]: [0, 0, 2, 0], tools: [0, 0, 2, 0] })
    expect(countReads()).toBe(0)

    writeFileSync(join(folder, 'tools.json'), functions('weigh', 'stamp', 'sign'))
    expect(countsOf(await index([folder]))).toEqual({ [name]: [0, 0, 2, 0], tools: [2, 0, 1, 1] })
    expect(countReads()).toBe(1)

    writeFileSync(join(folder, 'team/a.md'), agent('ann', 'Does something else'))
    rmSync(join(folder, 'team/b.md'))
    writeFileSync(join(folder, 'team/c.md'), agent('eve'))
    expect(countsOf(await index([folder]))).toEqual({ [name]: [1, 1, 0, 1], tools: [0, 0, 3, 0] })
    expect(await ids()).toEqual(['tools/sign', 'tools/stamp', 'tools/weigh', `${name}/ann`, `${name}/eve`])
  })

  test('a file that moved inside its folder keeps the id of its card', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({ 'a.md': agent('ann') })
    await index([folder], { as: 'team' })
    renameSync(join(folder, 'a.md'), join(folder, 'b.md'))
    expect(countsOf(await index([folder]))).toEqual({ team: [0, 1, 0, 0] })
    expect(await ids()).toEqual(['team/ann'])
  })
})

describe('what is gone', () => {
  test('files and whole kinds of files that left a folder are removed with their cards', async () => {
    const { index, ids, sources } = indexer({ files: ['read'] })
    const folder = folderWith({
      'keep.json': functions('keep'),
      'a.md': agent('ann'),
      'tools.json': functions('weigh'),
      '.mcp.json': hostConfig('files'),
    })
    await index([folder])
    expect(await sources()).toHaveLength(4)
    for (const file of ['a.md', 'tools.json', '.mcp.json']) rmSync(join(folder, file))
    const report = await index([folder])
    expect(report.sources.filter(({ removed }) => removed > 0)).toHaveLength(3)
    expect(report.sources.find(({ source }) => source === 'files')?.removed).toBe(2)
    expect([report.tools, report.agents]).toEqual([1, 0])
    expect(await ids()).toEqual(['keep/keep'])
    expect((await sources()).map(({ id }) => id)).toEqual(['keep'])
  })

  test('a location that is missing, or a folder beside the one that is read, says nothing of its cards', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({
      'one/tools.json': functions('weigh'),
      'one-more/other.json': functions('wrap'),
    })
    await index([folder])
    rmSync(join(folder, 'one-more/other.json'))
    writeFileSync(join(folder, 'one/x.json'), functions('x'))
    await index([join(folder, 'one')])
    expect(await ids()).toEqual(['other/wrap', 'tools/weigh', 'x/x'])
    rmSync(join(folder, 'one'), { recursive: true })
    const file = join(folder, 'one/tools.json')
    expect((await index([file])).sources).toEqual([
      expect.objectContaining({
        source: 'tools',
        failure: { message: `${file}: does not exist`, remedy: 'Check the path.' },
      }),
    ])
    expect(await ids()).toEqual(['other/wrap', 'tools/weigh', 'x/x'])
  })

  test('a known file that broke keeps its cards, and its source fails where it breaks', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({ 'tools.json': functions('weigh'), 'other.json': functions('wrap') })
    await index([folder])
    writeFileSync(join(folder, 'tools.json'), '[{"type": "function",\n oops')
    const { problems, sources } = await index([folder])
    expect(problems).toEqual([])
    expect(sources.map(({ source, failure }) => [source, failure?.message])).toEqual([
      ['other', undefined],
      ['tools', expect.stringContaining('tools.json: the JSON is broken at line 2')],
    ])
    expect(await ids()).toEqual(['other/wrap', 'tools/weigh'])
  })

  test('a known file that is no longer recognised keeps its cards, and is told', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({ 'tools.json': functions('weigh'), 'other.json': functions('wrap') })
    await index([folder])
    writeFileSync(join(folder, 'tools.json'), '{"other": "things"}')
    expect((await index([folder])).problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('"tools" and is no longer recognised') }),
    ])
    expect(await ids()).toEqual(['other/wrap', 'tools/weigh'])
  })

  test('a card file that was indexed by itself is not called lost when its folder is', async () => {
    const { index } = indexer()
    const folder = folderWith({ 'a.md': agent('ann'), 'b.md': agent('bob') })
    await index([join(folder, 'a.md')])
    expect((await index([folder])).problems).toEqual([])
  })

  test('a server that its configuration names no more is removed; one that was not asked about stays', async () => {
    const { index, ids } = indexer({ files: ['read'], mail: ['send'], other: ['run'] })
    const folder = folderWith({
      'a.mcp.json': hostConfig('files', 'mail'),
      'b.mcp.json': hostConfig('other'),
    })
    const [a, b] = [join(folder, 'a.mcp.json'), join(folder, 'b.mcp.json')]
    await index([a, b])
    writeFileSync(a, hostConfig('mail'))
    const report = await index([a])
    expect(countsOf(report)).toEqual({ mail: [0, 0, 2, 0], files: [0, 0, 0, 2] })
    expect(await ids()).toEqual(['mail/send', 'other/run', 'mail/mail', 'other/other'])
    writeFileSync(a, '{"mcpServers": {')
    await index([a])
    expect(await ids()).toEqual(['mail/send', 'other/run', 'mail/mail', 'other/other'])
    writeFileSync(a, '{"mcpServers": {}}')
    await index([a])
    expect(await ids()).toEqual(['other/run', 'other/other'])
  })

  test('a server that moved to another configuration keeps its ids', async () => {
    const { index, ids, sources } = indexer({ files: ['read'] })
    const folder = folderWith({ 'a.mcp.json': hostConfig('files'), 'b.mcp.json': hostConfig() })
    const [a, b] = [join(folder, 'a.mcp.json'), join(folder, 'b.mcp.json')]
    await index([a, b])
    writeFileSync(a, hostConfig())
    writeFileSync(b, hostConfig('files'))
    const report = await index([a, b])
    expect(Object.keys(countsOf(report))).toEqual(['files'])
    expect(await ids()).toEqual(['files/read', 'files/files'])
    expect((await sources()).map(({ id, location }) => [id, location])).toEqual([['files', `${b}#files`]])
  })
})

describe('a source that fails', () => {
  test('keeps its old cards, says why, and is read again by the next run', async () => {
    const { index, ids, sources, servers } = indexer({ files: ['read', 'write'], mail: ['send'] })
    const config = join(folderWith({ '.mcp.json': hostConfig('files', 'mail') }), '.mcp.json')
    await index([config])
    delete servers.files
    const report = await index([config])
    expect(report.sources.map(({ source, failure }) => [source, failure])).toEqual([
      ['files', { message: '"files" does not answer.', remedy: 'Start it.' }],
      ['mail', undefined],
    ])
    expect(countsOf(report)).toEqual({ files: [0, 0, 3, 0], mail: [0, 0, 2, 0] })
    expect(await ids()).toEqual(['files/read', 'files/write', 'mail/send', 'files/files', 'mail/mail'])
    const [failed] = await sources()
    expect(failed).toMatchObject({
      id: 'files',
      tools: 2,
      agents: 1,
      failure: '"files" does not answer. Start it.',
    })
    servers.files = ['read']
    expect(countsOf(await index([config]))).toEqual({ files: [0, 1, 1, 1], mail: [0, 0, 2, 0] })
    expect((await sources())[0]?.failure).toBeUndefined()
  })

  test('is read again, even when its file is back to what it was', async () => {
    const { index, ids, sources } = indexer()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    await index([folder])
    writeFileSync(join(folder, 'tools.json'), functions('wrap'))
    const reader = readers.find(({ name }) => name === 'openai-functions')!
    const read = vi.spyOn(reader, 'read').mockImplementationOnce(() => {
      throw new Error('a fault')
    })
    const { sources: reports } = await index([folder])
    expect(reports[0]?.failure?.message).toBe('a fault')
    expect(await ids()).toEqual(['tools/weigh'])
    read.mockRestore()
    writeFileSync(join(folder, 'tools.json'), functions('weigh'))
    await index([folder])
    expect(await ids()).toEqual(['tools/weigh'])
    expect((await sources())[0]?.failure).toBeUndefined()
  })

  test('that was never read is remembered without cards', async () => {
    const { index, sources } = indexer()
    const config = join(folderWith({ '.mcp.json': hostConfig('files') }), '.mcp.json')
    const report = await index([config])
    expect(report.sources[0]?.failure?.message).toBe('"files" does not answer.')
    expect(await sources()).toEqual([
      expect.objectContaining({ id: 'files', indexedAt: null, tools: 0, agents: 0 }),
    ])
  })

  test('leaves out bad entries with file, field and remedy, and the rest is read', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({
      'good.json': functions('weigh'),
      'partly.json': JSON.stringify([
        ...(JSON.parse(functions('wrap')) as unknown[]),
        { type: 'function', function: { description: 'has no name', parameters: { type: 'object' } } },
      ]),
      'broken.json': '{"openapi": "3.0.0", "paths": {',
    })
    writeFileSync(join(folder, 'binary.json'), Buffer.from([0, 1, 2, 3]))
    const report = await index([folder])
    expect(await ids()).toEqual(['good/weigh', 'partly/wrap'])
    const problems = [...report.problems, ...report.sources.flatMap((source) => source.problems)]
    expect(problems.map(({ file }) => file.slice(folder.length + 1)).sort()).toEqual([
      'binary.json',
      'broken.json',
      'partly.json',
    ])
    for (const problem of problems) expect(problem.remedy).not.toBe('')
    expect(problems.filter(({ field }) => field !== undefined)).toHaveLength(2)
  })
})

describe('names of sources', () => {
  test('that clash are told apart as ~2, ~3, and stay so whatever the order of later runs', async () => {
    const { index, sources } = indexer()
    const folder = folderWith({
      'x/tools.json': functions('a'),
      'y/tools.json': functions('b'),
      'z/tools.json': functions('c'),
    })
    const [x, y, z] = ['x', 'y', 'z'].map((part) => join(folder, part, 'tools.json'))
    const named = async () => (await sources()).map(({ id, location }) => [id, location])
    await index([y!, x!])
    expect(await named()).toEqual([
      ['tools', y],
      ['tools~2', x],
    ])
    await index([z!, x!, y!])
    writeFileSync(x!, functions('changed'))
    await index([x!])
    expect(await named()).toEqual([
      ['tools', y],
      ['tools~2', x],
      ['tools~3', z],
    ])
  })

  test.each([
    { as: 'team', expected: 'team' },
    { as: 'my team/№1 "a"', expected: 'my-team-№1-"a"' },
    { as: 'a#b:c?d', expected: 'a-b-c-d' },
    { as: '  ', expected: 'unnamed' },
  ])('--as "$as" names the one source $expected, for good', async ({ as, expected }) => {
    const { index, ids } = indexer()
    const file = join(folderWith({ 'tools.json': functions('weigh') }), 'tools.json')
    expect((await index([file], { as })).problems).toEqual([])
    expect(await ids()).toEqual([`${expected}/weigh`])
    expect(Object.keys(countsOf(await index([file])))).toEqual([expected])
    expect(Object.keys(countsOf(await index([file], { as })))).toEqual([expected])
  })

  test.each([
    {
      why: 'several sources',
      files: { 'a.json': functions('a'), 'b.json': functions('b') },
      first: undefined,
    },
    { why: 'a source that has another name', files: { 'a.json': functions('a') }, first: 'old' },
  ])('--as for $why is not silently dropped', async ({ files, first }) => {
    const { index } = indexer()
    const folder = folderWith(files)
    if (first !== undefined) await index([folder], { as: first })
    const { problems } = await index([folder], { as: 'new' })
    expect(problems).toEqual([expect.objectContaining({ severity: 'warning', file: folder })])
  })

  test('the same server in two configurations is read once, where it was read before', async () => {
    const { index, asked, ids, sources } = indexer({ files: ['read'] })
    const folder = folderWith({ 'a.mcp.json': hostConfig('files'), 'b.mcp.json': hostConfig('files') })
    const [a, b] = [join(folder, 'a.mcp.json'), join(folder, 'b.mcp.json')]
    await index([a, b])
    expect(asked).toEqual(['files'])
    await index([b, a])
    expect(await ids()).toEqual(['files/read', 'files/files'])
    expect((await sources()).map(({ location }) => location)).toEqual([`${a}#files`])
  })

  test('a duplicate that was indexed by itself goes when both are read together', async () => {
    const { index, ids } = indexer({ files: ['read'] })
    const folder = folderWith({ 'a.mcp.json': hostConfig('files'), 'b.mcp.json': hostConfig('files') })
    const [a, b] = [join(folder, 'a.mcp.json'), join(folder, 'b.mcp.json')]
    await index([a])
    await index([b])
    expect(await ids()).toContain('files~2/read')
    await index([a, b])
    expect(await ids()).toEqual(['files/read', 'files/files'])
  })

  test('one relative command in two folders is two servers', async () => {
    const { index, asked } = indexer({ files: ['read'] })
    const config = JSON.stringify({ mcpServers: { files: { command: 'node', args: ['./server.js'] } } })
    const bare = JSON.stringify({ mcpServers: { files: { command: 'node', args: ['server.js'] } } })
    const folder = folderWith({
      'a/.mcp.json': config,
      'b/.mcp.json': config,
      'c/.mcp.json': bare,
      'c/server.js': '',
      'd/.mcp.json': bare,
      'd/server.js': '',
    })
    await index([folder])
    expect(asked).toHaveLength(4)
  })

  test('a file that is named by itself and by its folder is read once', async () => {
    const { index, ids } = indexer()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    await index([join(folder, 'tools.json'), folder, `${folder}/`])
    expect(await ids()).toEqual(['tools/weigh'])
  })
})

describe('servers', () => {
  test('config#server asks that one and leaves the others as they are', async () => {
    const { index, asked, ids } = indexer({ files: ['read'], mail: ['send'] })
    const config = join(folderWith({ '.mcp.json': hostConfig('files', 'mail') }), '.mcp.json')
    await index([`${config}#mail`])
    expect(asked).toEqual(['mail'])
    await index([config])
    await index([`${config}#files`])
    expect(await ids()).toEqual(['files/read', 'mail/send', 'files/files', 'mail/mail'])
    const { problems, sources } = await index([`${config}#nobody`])
    expect(sources).toEqual([])
    expect(problems).toEqual([
      expect.objectContaining({ field: 'nobody', remedy: 'Name one of these: files, mail.' }),
    ])
  })

  test('are not asked without leave: their cards stay, and it is said', async () => {
    const { index, asked, ids, sources } = indexer({ files: ['read'], mail: ['send'] })
    const folder = folderWith({ '.mcp.json': hostConfig('files'), 'tools.json': functions('weigh') })
    await index([folder])
    asked.length = 0
    writeFileSync(join(folder, '.mcp.json'), hostConfig('files', 'mail'))
    const report = await index([folder], { harvest: 'agreed', refresh: false })
    expect(asked).toEqual([])
    expect(countsOf(report)).toMatchObject({ files: [0, 0, 2, 0], mail: [0, 0, 0, 0] })
    expect(report.sources.find(({ source }) => source === 'mail')).toMatchObject({
      notAsked: 'not agreed',
      problems: [],
    })
    expect(await ids()).toEqual(['files/read', 'tools/weigh', 'files/files'])
    expect((await sources()).map(({ id }) => id)).toEqual(['files', 'tools'])
  })

  test('are not asked when none is wanted: that is said, and no problem', async () => {
    const { index, asked, ids } = indexer({ files: ['read'], mail: ['send'] })
    const folder = folderWith({ '.mcp.json': hostConfig('files') })
    await index([folder])
    asked.length = 0
    writeFileSync(join(folder, '.mcp.json'), hostConfig('files', 'mail'))
    const report = await index([folder], { harvest: 'unwanted' })
    expect(asked).toEqual([])
    expect(report.sources).toMatchObject([
      { source: 'files', unchanged: 2, notAsked: 'unwanted', problems: [] },
      { source: 'mail', unchanged: 0, notAsked: 'unwanted', problems: [] },
    ])
    expect(report.problems).toEqual([])
    expect(await ids()).toEqual(['files/read', 'files/files'])
  })

  test('that are switched off are named, not asked', async () => {
    const { index, asked } = indexer({ files: ['read'] })
    const config = JSON.stringify({ mcpServers: { files: { command: 'serve', disabled: true } } })
    const { problems } = await index([folderWith({ '.mcp.json': config })])
    expect(asked).toEqual([])
    expect(problems).toEqual([expect.objectContaining({ severity: 'warning', field: 'files' })])
  })

  test('are asked at most so many at a time', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `server-${number}`)
    const { surroundings, catalog } = indexer()
    let running = 0
    let most = 0
    const harvester: McpHarvester = {
      async harvest({ name }) {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return { server: { name, version: '1' }, tools: [{ name: 'run', inputSchema: { type: 'object' } }] }
      },
    }
    const writer = await catalog.writer()
    const locations = [folderWith({ '.mcp.json': hostConfig(...names) })]
    const report = await indexSources(writer, { ...surroundings, harvester }, { locations })
    expect([most, report.tools]).toEqual([Math.min(20, serversAtOnce), 20])
  })
})

describe('a dry run', () => {
  test('tells what would change and how much there would be, and changes nothing', async () => {
    const { index, ids, sources } = indexer({ files: ['read'] })
    const folder = folderWith({ 'tools.json': functions('weigh', 'wrap'), '.mcp.json': hostConfig('files') })
    await index([join(folder, 'tools.json')])
    const [before, states] = [await ids(), await sources()]
    writeFileSync(join(folder, 'tools.json'), functions('weigh', 'stamp', 'sign'))
    const report = await index([folder], { dryRun: true })
    expect(countsOf(report)).toEqual({ tools: [2, 0, 1, 1], files: [2, 0, 0, 0] })
    expect([report.tools, report.agents]).toEqual([4, 1])
    expect([await ids(), await sources()]).toEqual([before, states])
    const real = await index([folder])
    expect([countsOf(real), real.tools, real.agents]).toEqual([countsOf(report), 4, 1])
  })
})

describe('an index run', () => {
  test('tells how far it is: sources found, each one read, the writing', async () => {
    const { index } = indexer()
    const events: IndexProgress[] = []
    const folder = folderWith({ 'a.json': functions('a'), 'b.json': functions('b') })
    await index([folder], { onProgress: (event) => events.push(event) })
    expect(events.slice(0, 3)).toEqual([
      { step: 'discover', sources: 2 },
      { step: 'read', source: 'a', done: 1, total: 2 },
      { step: 'read', source: 'b', done: 2, total: 2 },
    ])
    const writing = events.slice(3)
    expect(writing.every(({ step }) => step === 'write')).toBe(true)
    expect(writing.at(-1)).toMatchObject({ share: 1 })
  })

  test.each([
    { why: 'before it begins', when: null },
    { why: 'while it finds sources', when: 'discover' },
    { why: 'while it reads', when: 'read' },
    { why: 'while it writes', when: 'write' },
  ])('that is stopped $why changes nothing', async ({ when }) => {
    const { index, ids, sources } = indexer({ files: ['read'] })
    const folder = folderWith({ 'a.json': functions('a') })
    await index([folder])
    const [before, states] = [await ids(), await sources()]
    writeFileSync(join(folder, 'a.json'), functions('b'))
    writeFileSync(join(folder, '.mcp.json'), hostConfig('files'))
    const stop = new AbortController()
    const reason = new Error('enough')
    if (when === null) stop.abort(reason)
    const run = index([folder], {
      signal: stop.signal,
      onProgress: ({ step }) => {
        if (step === when) stop.abort(reason)
      },
    })
    await expect(run).rejects.toBe(reason)
    expect([await ids(), await sources()]).toEqual([before, states])
  })

  test('commits when only the model changed, and not at all when nothing did', async () => {
    const { catalog, surroundings } = indexer()
    const locations = [folderWith({ 'a.json': functions('a') })]
    const generations: number[] = []
    for (const model of [null, null, scatteredModel(), scatteredModel(), null]) {
      const writer = await catalog.writer(model)
      await indexSources(writer, surroundings, { locations })
      await writer.close()
      generations.push((await catalog.reader().snapshot()).generation)
    }
    expect(generations).toEqual([1, 1, 2, 2, 3])
  })

  test('without any source makes an empty catalog, so that a search says that nothing fits', async () => {
    const { index, ids } = indexer()
    const empty = temporaryFolder()
    expect(readdirSync(empty)).toEqual([])
    expect(await index([empty])).toMatchObject({ sources: [], tools: 0, agents: 0 })
    expect(await ids()).toEqual([])
  })
})
