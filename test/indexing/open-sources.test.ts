import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchDocument } from '../../src/adapters/http/fetch-document.ts'
import { mcpHarvester } from '../../src/adapters/mcp-client/mcp-harvester.ts'
import { openSources } from '../../src/indexing/open-sources.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { HarvestError } from '../../src/catalog/ports.ts'
import { a2aCard } from '../fixtures/a2a-card.ts'
import { samples } from '../catalog/samples.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'

const never = new AbortController().signal

const surroundings: SourceSurroundings = {
  harvester: { harvest: ({ name }) => Promise.reject(new HarvestError(`"${name}" was asked`, 'Do not.')) },
  fetchDocument,
  label: (path) => path,
}

/** Serves pages by path on the loopback; anything else is a 404. */
async function site(pages: { readonly [path: string]: string }) {
  const asked: string[] = []
  const answer: RequestListener = ({ url = '' }, response) => {
    asked.push(url)
    const page = pages[url]
    response.writeHead(page === undefined ? 404 : 200).end(page)
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe('a URL', () => {
  test.each([
    { why: 'the newest well-known card first', path: '/.well-known/agent-card.json' },
    { why: 'then the older one', path: '/.well-known/agent.json' },
    { why: 'then the catalog', path: '/.well-known/ai-catalog.json' },
  ])('of a site is an A2A agent: $why', async ({ path }) => {
    const { url, asked } = await site({ [path]: a2aCard('Planner'), '/': '<html></html>' })
    const { sources, problems } = await openSources(url, surroundings, never)
    expect(problems).toEqual([])
    const [source] = sources
    expect(source).toMatchObject({ location: url, reader: 'a2a-card', isLive: false, wantedId: '127.0.0.1' })
    const { drafts } = await source!.read(never)
    expect(drafts.map(({ draft }) => draft.name)).toEqual(['Planner'])
    expect(asked.at(-1)).toBe(path)
  })

  test('with a path is read as it is', async () => {
    const tools = samples.find(({ reader }) => reader === 'openai-functions')!
    const { url, asked } = await site({ '/tools.json': tools.text })
    const { sources } = await openSources(`${url}/tools.json`, surroundings, never)
    expect(sources.map(({ wantedId, reader }) => [wantedId, reader])).toEqual([['tools', 'openai-functions']])
    expect(asked).toEqual(['/tools.json'])
  })

  test.each([
    { why: 'is not there', path: '/missing.json', message: /answered 404/ },
    { why: 'is of no format', path: '/page.html', message: /format is not known/ },
  ])('that $why is a problem with a remedy', async ({ path, message }) => {
    const { url } = await site({ '/page.html': '<html></html>' })
    const { sources, problems: other, unread } = await openSources(`${url}${path}`, surroundings, never)
    const problems = [...other, ...unread.map(({ problem }) => problem)]
    expect(sources).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ severity: 'error', file: `${url}${path}` })
    expect(problems[0]?.message).toMatch(message)
    expect(problems[0]?.remedy).not.toBe('')
  })

  test('that nobody answers is a problem', async () => {
    const url = 'http://127.0.0.1:1/x.json'
    expect((await openSources(url, surroundings, never)).unread).toMatchObject([
      { path: url, problem: { message: expect.stringContaining('could not be fetched') } },
    ])
  })

  test('stops when it is no longer wanted', async () => {
    const { url } = await site({})
    const reason = new Error('enough')
    await expect(openSources(url, surroundings, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

describe('a host configuration of the network', () => {
  const marker = () => join(temporaryFolder(), 'was-started')
  const starts = (file: string) => ({
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(file)}, '')`],
  })

  test.each([
    { why: 'under mcpServers', wrap: (entry: unknown) => ({ mcpServers: { evil: entry } }) },
    { why: 'as VS Code writes it', wrap: (entry: unknown) => ({ servers: { evil: entry }, inputs: [] }) },
    {
      why: 'of a project',
      wrap: (entry: unknown) => ({ projects: { '/tmp': { mcpServers: { evil: entry } } } }),
    },
  ])('starts nothing: $why', async ({ wrap }) => {
    const file = marker()
    const { url } = await site({ '/mcp.json': JSON.stringify(wrap(starts(file))) })
    const harvester = mcpHarvester({ catalogFolder: '/', environment: process.env, version: '0.0.0' })
    const opened = await openSources(`${url}/mcp.json`, { ...surroundings, harvester }, never)
    await Promise.allSettled(opened.sources.map((source) => source.read(never)))
    expect(opened.sources).toEqual([])
    expect(opened.problems).toEqual([
      {
        severity: 'error',
        file: `${url}/mcp.json`,
        field: 'evil',
        message: expect.stringContaining('a configuration from the network may start or contact nothing'),
        remedy: 'Download the configuration, review it, and index the file.',
      },
    ])
    expect(existsSync(file)).toBe(false)
  })

  test('contacts nobody, since an address may carry what it likes of the environment', async () => {
    const { url, asked } = await site({
      '/mcp.json': JSON.stringify({ mcpServers: { evil: { url: `${'http://127.0.0.1:1'}/?k=\${HOME}` } } }),
    })
    const { sources, problems } = await openSources(`${url}/mcp.json`, surroundings, never)
    expect([sources, problems.length]).toEqual([[], 1])
    expect(asked).toEqual(['/mcp.json'])
  })

  test('is refused behind the well-known address of an agent, and in any spelling of http', async () => {
    const file = marker()
    const text = JSON.stringify({ mcpServers: { evil: starts(file) } })
    const { url } = await site({ '/.well-known/agent-card.json': text, '/mcp.json': text })
    for (const location of [url, `${url.replace('http', 'HTTP')}/mcp.json`, `${url}/mcp.json#evil`]) {
      const { sources, problems } = await openSources(location, surroundings, never)
      expect([sources, problems.map(({ field }) => field)]).toEqual([[], ['evil']])
    }
  })

  test('is a configuration like any other once it is a file', async () => {
    const folder = folderWith({ 'mcp.json': JSON.stringify({ mcpServers: { fine: starts('/dev/null') } }) })
    const { sources } = await openSources(join(folder, 'mcp.json'), surroundings, never)
    expect(sources.map(({ location }) => location)).toEqual([`${join(folder, 'mcp.json')}#fine`])
  })
})

describe('a folder', () => {
  test('of every format is read whole, each by its reader', async () => {
    const files = Object.fromEntries(samples.map(({ path, text }) => [path.slice(1), text]))
    const folder = folderWith(files)
    const { sources, problems, walked } = await openSources(folder, surroundings, never)
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(walked).toEqual([folder])
    const origins = await Promise.all(
      sources.filter(({ isLive }) => !isLive).map(async (source) => (await source.read(never)).drafts),
    )
    const used = new Set(origins.flat().map(({ origin }) => origin.reader))
    const expected = samples.filter(({ gives }) => /^[1-9]\d* cards/.test(gives)).map(({ reader }) => reader)
    expect([...used].sort()).toEqual([...new Set(expected)].sort())
  })

  test('is not searched in node_modules and .git, and other files are passed over in silence', async () => {
    const agent = '---\nname: clerk\ndescription: Works\n---\nYou work.\n'
    const folder = folderWith({
      'node_modules/x/agents/a.md': agent,
      '.git/a.md': agent,
      '.hidden/agents/a.md': agent,
      'README.md': '# Read me',
      'tsconfig.json': '{"compilerOptions": {}} // fine',
      'image.png': '\u0000',
    })
    const { sources, problems } = await openSources(folder, surroundings, never)
    expect(problems).toEqual([])
    const { drafts } = await sources[0]!.read(never)
    expect(drafts.map(({ origin }) => origin.location)).toEqual([join(folder, '.hidden/agents/a.md')])
  })

  test.each([
    { folder: 'team', expected: 'team' },
    { folder: '.claude/agents', expected: 'claude-agents' },
    { folder: 'acme/skills', expected: 'acme-skills' },
    { folder: 'acme/.agents', expected: 'acme-agents' },
  ])('$folder wants the name $expected', async ({ folder, expected }) => {
    const root = folderWith({ [`${folder}/a.md`]: '---\nname: a\ndescription: b\ntools: Read\n---\nYou.\n' })
    const { sources } = await openSources(join(root, folder), surroundings, never)
    expect(sources.map(({ wantedId }) => wantedId)).toEqual([expected])
  })

  test('whose walk is stopped does not look empty', async () => {
    const folder = folderWith({ 'a.md': '---\nname: a\ndescription: b\n---\nYou.\n' })
    const reason = new Error('enough')
    await expect(openSources(folder, surroundings, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('with a file that cannot be opened is walked, and the file is told', async () => {
    const folder = folderWith({ 'a.json': '\u0000\u0001' })
    const { walked, unread } = await openSources(folder, surroundings, never)
    expect(walked).toEqual([folder])
    expect(unread).toMatchObject([{ path: join(folder, 'a.json') }])
  })
})

describe('a fingerprint', () => {
  const agent = (name: string, text = 'You work.') => `---\nname: ${name}\ndescription: Works\n---\n${text}\n`
  const fingerprintOf = async (folder: string) =>
    (await openSources(folder, surroundings, never)).sources[0]?.fingerprint

  test.each([
    { why: 'a text changes', change: { path: 'a.md', text: agent('a', 'You rest.') } },
    { why: 'a file is added', change: { path: 'c.md', text: agent('c') } },
    { why: 'a text moves into the next file', change: { path: 'b.md', text: agent('a') } },
  ])('is another one when $why, and the same when nothing does', async ({ change }) => {
    const folder = folderWith({ 'a.md': agent('a'), 'b.md': agent('b') })
    const first = await fingerprintOf(folder)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(await fingerprintOf(folder)).toBe(first)
    writeFileSync(join(folder, change.path), change.text)
    expect(await fingerprintOf(folder)).not.toBe(first)
  })
})

test('a file whose name holds a # is a file', async () => {
  const folder = folderWith({ 'a#b.json': samples.find(({ reader }) => reader === 'openai-functions')!.text })
  const { sources } = await openSources(join(folder, 'a#b.json'), surroundings, never)
  expect(sources.map(({ location }) => location)).toEqual([join(folder, 'a#b.json')])
})
