import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { load } from 'js-yaml'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aiCatalog } from '../../src/catalog/registries/ai-catalog.ts'
import { documentFromText } from '../../src/catalog/source-document.ts'
import type { Card } from '../../src/domain/card.ts'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { agentCard, type FakeOptions, fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { send } from './send-http.ts'

const published = join(import.meta.dirname, '..', 'fixtures', 'published')
const catalogPath = '/.well-known/ai-catalog.json'
const servings: HttpServing[] = []
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

const token = 'a-token-of-the-test'
type Serving = { readonly cards?: readonly Card[]; readonly http?: HttpOptions; readonly fake?: FakeOptions }

async function serving({ cards = someCards, http = {}, fake = {} }: Serving = {}): Promise<number> {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const served = await serveHttp(fakeAudition(cards, fake), {
    port: 0,
    token,
    share: ['forge', 'weather', 'remote'],
    ...http,
  })
  servings.push(served)
  return served.port
}

type Entry = {
  identifier: string
  type: string
  displayName: string
  data?: unknown
  url?: string
  [key: string]: unknown
}
const read = async (port: number, path = catalogPath) => {
  const reply = await send(port, { method: 'GET', path })
  return {
    ...reply,
    json: JSON.parse(reply.body) as { entries: Entry[]; errorCode?: string; [key: string]: unknown },
  }
}
const search = async (port: number, body: object, path = '/search') => {
  const { status, body: text, headers } = await send(port, { path, body: JSON.stringify(body) })
  const json = JSON.parse(text) as {
    results: (Entry & { score: number })[]
    pageToken?: string
    errorCode?: string
  }
  return { status, json, headers }
}

/** What a value breaks of the specification. */
function faults(
  part: 'manifest' | 'SearchRequest' | 'SearchResponse' | 'Error',
  value: unknown,
): readonly string[] {
  const schema = JSON.parse(readFileSync(join(published, 'ai-catalog.schema.json'), 'utf8')) as {
    $id: string
  }
  const api = load(readFileSync(join(published, 'ard.openapi.yaml'), 'utf8')) as object
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(schema)
  ajv.addSchema({ $id: new URL('ard.openapi.yaml', schema.$id).href, ...api })
  const at =
    part === 'manifest'
      ? schema.$id
      : `${new URL('ard.openapi.yaml', schema.$id).href}#/components/schemas/${part}`
  const check = ajv.getSchema(at)!
  check(value)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('nothing is shared', () => {
  test('as long as nobody says so', async () => {
    const port = await serving({ http: { share: [] } })
    for (const path of [catalogPath, '/search', '/shared/mcp:forge'])
      expect((await send(port, { method: 'GET', path })).status, path).toBe(401)
  })

  test('of other sources', async () => {
    const port = await serving()
    const { body } = await read(port)
    expect(body).not.toMatch(/lease|bug-hunter|convert/i)
    const { json } = await search(port, { query: { text: 'reviews a lease and lists the risky clauses' } })
    expect(JSON.stringify(json)).not.toMatch(/lease/i)
    expect((await read(port, '/shared/agent:team:lease-reviewer')).status).toBe(404)
  })
})

test('the catalog has a server with its tools, an agent, and where to search', async () => {
  const port = await serving()
  const { status, json, headers } = await read(port)
  expect([status, headers['content-type'], faults('manifest', json)]).toEqual([200, 'application/json', []])
  expect(json.entries.map(({ identifier }) => identifier)).toEqual([
    'urn:air:127.0.0.1:registry:audition',
    'urn:air:127.0.0.1:mcp:forge',
    'urn:air:127.0.0.1:mcp:weather',
    'urn:air:127.0.0.1:agent:remote:planner',
  ])
  const [registry, forge, , planner] = json.entries
  expect(registry?.url).toBe(`http://127.0.0.1:${port}/`)
  expect(forge).toMatchObject({
    type: 'application/mcp-server-card+json',
    capabilities: expect.arrayContaining(['get_issue']),
  })
  expect(forge?.data).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'list_issues' })]),
  })
  expect(planner?.data).toMatchObject({
    supportedInterfaces: [{ url: 'https://agents.example/planner', protocolBinding: 'JSONRPC' }],
  })
})

test('a search gives entries by relevance, with the tools that match first', async () => {
  const port = await serving()
  const asked = { query: { text: 'weather forecast for a city' }, federation: 'referrals', pageSize: 2 }
  expect(faults('SearchRequest', asked)).toEqual([])
  const { status, json } = await search(port, asked)
  expect([status, faults('SearchResponse', json)]).toEqual([200, []])
  expect(json.results[0]).toMatchObject({
    identifier: 'urn:air:127.0.0.1:mcp:weather',
    capabilities: ['forecast'],
    source: `http://127.0.0.1:${port}/`,
  })
  const issues = await search(port, { query: { text: 'close an issue' } })
  expect(issues.json.results.filter(({ identifier }) => identifier.endsWith(':forge'))).toHaveLength(1)
})

test('filters join values by "or" and fields by "and"', async () => {
  const port = await serving()
  const found = async (filter: object) => {
    const { json } = await search(port, {
      query: { text: 'issues of a repository, weather, a journey', filter },
    })
    return json.results.map(({ identifier }) => identifier.split(':').slice(3).join(':')).sort()
  }
  expect(await found({ type: 'application/a2a-agent-card+json' })).toEqual(['agent:remote:planner'])
  expect(await found({ capabilities: ['forecast', 'get_issue'] })).toEqual(['mcp:forge', 'mcp:weather'])
  expect(await found({ capabilities: ['forecast', 'get_issue'], tags: ['issues'] })).toEqual(['mcp:forge'])
  expect(await found({ publisher: 'elsewhere.example' })).toEqual([])
})

test('pages follow each other', async () => {
  const port = await serving()
  const asked = { query: { text: 'issues of a repository, weather forecast, plans a journey' } }
  const whole = (await search(port, asked)).json.results.map(({ identifier }) => identifier)
  expect(whole).toHaveLength(3)
  const first = (await search(port, { ...asked, pageSize: 2 })).json
  const second = (await search(port, { ...asked, pageSize: 2, pageToken: first.pageToken })).json
  expect([...first.results, ...second.results].map(({ identifier }) => identifier)).toEqual(whole)
  expect(second).not.toHaveProperty('pageToken')
})

test.each([
  { what: 'no text', body: { query: {} }, status: 400 },
  {
    what: 'a field that nobody knows',
    body: { query: { text: 'x', filter: { 'host.name': ['x'] } } },
    status: 400,
  },
  { what: 'a made-up page', body: { query: { text: 'x' }, pageToken: 'eyJ9' }, status: 400 },
  { what: 'too large a page', body: { query: { text: 'x' }, pageSize: 101 }, status: 400 },
  { what: 'too long a text', body: { query: { text: 'x'.repeat(8_001) } }, status: 400 },
  { what: 'a body beyond bounds', body: { query: { text: 'x'.repeat(300_000) } }, status: 413 },
  { what: 'the optional endpoint', path: '/explore', body: {}, status: 501 },
])('an error is told in the form of the specification: $what', async ({ body, status, path }) => {
  const found = await search(await serving(), body, path)
  expect([found.status, faults('Error', found.json)]).toEqual([status, []])
})

test('it is open to those who have no token, and to nothing but what is shared', async () => {
  const port = await serving()
  expect((await read(port)).status).toBe(200)
  expect((await search(port, { query: { text: 'x' } })).status).toBe(200)
  expect((await send(port, { body: '{}' })).status).toBe(401)
  expect((await send(port, { path: '/api/v1/sources', body: '{}' })).status).toBe(401)
  expect((await send(port, { method: 'GET', path: '/search' })).status).toBe(405)
})

test('foreign pages stay out, and nobody may ask too often', async () => {
  const port = await serving({ http: { requestsPerMinute: 2 } })
  const foreign = { method: 'GET', path: catalogPath, headers: { origin: 'https://evil.example' } }
  expect((await send(port, foreign)).status).toBe(403)
  const rebound = { method: 'GET', path: catalogPath, headers: { host: 'evil.example' } }
  expect((await send(port, rebound)).status).toBe(403)
  await read(port)
  await read(port)
  const { status, json, headers } = await read(port)
  expect([status, faults('Error', json), json.errorCode]).toEqual([429, [], 'RATE_LIMIT_EXCEEDED'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})

test('addresses are those of the public URL', async () => {
  const port = await serving({ http: { publicUrl: 'https://tools.example/mcp' } })
  const { json } = await read(port)
  expect(json.entries[0]).toMatchObject({
    identifier: 'urn:air:tools.example:registry:audition',
    url: 'https://tools.example/',
  })
})

test('an empty store shares an empty catalog', async () => {
  const port = await serving({ fake: { empty: true } })
  expect((await read(port)).json.entries).toHaveLength(1)
  expect((await search(port, { query: { text: 'x' } })).json.results).toEqual([])
})

describe('what is told of cards', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const cards = [
    toolCard('own/fetch', {
      description: `Reads /home/someone/private/notes.txt by http://10.0.0.7:8080/admin with ${secret}.\u202e`,
      tags: ['http://intranet/wiki'],
      inputSchema: {
        type: 'object',
        properties: { at: { type: 'string', default: 'http://vault.corp/secret' } },
      },
    }),
    agentCard('own/inside', {
      agentKind: 'a2a',
      description: 'Plans.',
      instructions: 'You are told a secret word.',
      runtime: {
        kind: 'a2a',
        url: 'http://planner.internal/a2a',
        binding: 'JSONRPC',
        protocolVersion: '1.0',
      },
    }),
  ]

  test('no folder, no token, no private host, no prompt and no hidden character', async () => {
    const port = await serving({ cards, http: { share: ['own'] } })
    const catalog = (await read(port)).body
    const found = JSON.stringify(
      (await search(port, { query: { text: 'reads notes and plans' } })).json.results,
    )
    for (const text of [catalog, found])
      expect(text).not.toMatch(
        /someone|private\/notes|10\.0\.0\.7|ghp_|intranet|vault|planner\.internal|secret word|\u202e/,
      )
    expect(catalog).toContain('a private address')
  })

  test('names that identifiers cannot hold stay apart', async () => {
    const names = ['ein Blatt', 'ein/Blatt', 'ein-Blatt', '纸']
    const many = names.map((name) => agentCard(`own/${name}`, { description: 'Reads.' }))
    const { json } = await read(await serving({ cards: many, http: { share: ['own'] } }))
    expect(faults('manifest', json)).toEqual([])
    expect(new Set(json.entries.map(({ identifier }) => identifier)).size).toBe(names.length + 1)
  })

  test('a long document lies at an address of its own', async () => {
    const long = toolCard('own/long', { description: 'Reads. '.repeat(2_000) })
    const port = await serving({ cards: [long], http: { share: ['own'] } })
    const entry = (await read(port)).json.entries[1]!
    expect(entry).not.toHaveProperty('data')
    const { headers, json } = await read(port, new URL(entry.url!).pathname)
    expect(headers['content-type']).toBe('application/mcp-server-card+json')
    expect(json.tools).toMatchObject([{ name: 'long' }])
  })
})

test('another Audition reads it', async () => {
  const { body } = await read(await serving())
  const { cards, problems } = aiCatalog.read(documentFromText('/x/ai-catalog.json', body))
  expect(cards.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['list_issues', 'close_issue', 'forecast', 'planner']),
  )
  expect(problems).toEqual([])
})

const hasPython = spawnSync('python3', ['--version']).status === 0
test.skipIf(!hasPython)('the tool of the specification finds nothing wrong (needs python3)', async () => {
  const port = await serving()
  const tool = join(published, 'ard-conformance.py')
  const run = promisify(execFile)
  const manifest = await run('python3', [tool, 'manifest', `http://127.0.0.1:${port}${catalogPath}`])
  expect(manifest.stdout).toContain('CONFORMANCE STATUS: PASS')
  const registry = await run('python3', [tool, 'registry', `http://127.0.0.1:${port}`])
  expect(registry.stdout).toContain('CONFORMANCE STATUS: PASS')
  const wrong = await run('python3', [tool, 'registry', `http://127.0.0.1:${port}/nowhere`]).catch(
    (error) => error,
  )
  expect(wrong.code).toBe(1)
})
