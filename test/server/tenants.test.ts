import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeTenant, removeTenant } from '../../src/compose/tenants/change-tenant.ts'
import { configOfTenant, tenantConfig } from '../../src/compose/tenants/tenant-config.ts'
import { readTenants } from '../../src/tenants/tenants-file.ts'
import { markOf, type TenantsHouse, tenantsHouse } from '../fixtures/tenants.ts'
import { authorizationServer } from './authorization-server.ts'
import { initialize, plain } from './eras.ts'
import { type Reply, send } from './send-http.ts'

let house: TenantsHouse
let logged: string[]

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation(
    (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
  )
  house = tenantsHouse()
})
afterEach(async () => {
  await house.close()
  vi.restoreAllMocks()
})

type Asked = { readonly path?: string; readonly body?: unknown; readonly host?: string }
const ask = (
  port: number,
  token: string,
  { path = '/api/v1/session', body = {}, host }: Asked = {},
): Promise<Reply> =>
  send(port, {
    path,
    headers: { authorization: `Bearer ${token}`, ...(host === undefined ? {} : { host }) },
    body: JSON.stringify(body),
  })
const call = (name: string, args: object): Asked => ({
  path: '/mcp',
  body: plain(1, 'tools/call', { name, arguments: args }),
})

describe('who is served by what', () => {
  test('the token says whose store is meant, and nothing else does', async () => {
    const tokens = { amber: await house.add('amber'), cobalt: await house.add('cobalt') }
    const { port } = await house.serve()
    for (const [name, token] of Object.entries(tokens)) {
      const other = name === 'amber' ? 'cobalt' : 'amber'
      for (const asked of [
        call('search_tools', { query: `orders of ${other}` }),
        call('describe', { ids: ['kit/list_orders', 'desk/clerk'] }),
        { path: '/api/v1/search', body: { query: `${other} report` } },
        { path: `/api/v1/search?tenant=${other}`, body: { query: 'orders' } },
        { path: '/api/v1/sources' },
      ]) {
        const { status, body } = await ask(port, token, asked)
        expect(status).toBe(200)
        expect(body).toMatch(new RegExp(asked.path === '/api/v1/sources' ? 'kit' : markOf(name)))
        expect(body).not.toContain(markOf(other))
      }
    }
  })

  test('a caller without a token, with a wrong one, or with a revoked one is told the same', async () => {
    const token = await house.add('amber', { cards: false })
    const { port } = await house.serve()
    expect((await ask(port, token)).status).toBe(200)
    await changeTenant(house.place, 'amber', (tenant) => ({ ...tenant, tokens: [] }))
    const replies = [
      await ask(port, token),
      await ask(port, 'audition_nonsense'),
      await send(port, { path: '/api/v1/session', body: '{}' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
  })

  test('the page and its health are open, and hold nothing', async () => {
    await house.add('amber')
    const { port } = await house.serve()
    for (const path of ['/', '/health']) {
      const { status, body } = await send(port, { method: 'GET', path })
      expect(status).toBe(200)
      expect(body).not.toContain('amber')
    }
  })

  test('a token for all callers beside those of tenants is refused at the start', async () => {
    await house.add('amber', { cards: false })
    await expect(house.serve({ token: 'secret' })).rejects.toThrow('unset AUDITION_TOKEN')
  })

  test('without a file of tenants nothing is served', async () => {
    await expect(house.serve()).rejects.toThrow('is not there')
  })

  test('a tenant whose settings are gone is not served, since nothing says what it may start', async () => {
    const token = await house.add('amber')
    const { port } = await house.serve()
    expect((await ask(port, token)).status).toBe(200)
    rmSync(tenantConfig(house.config, house.place, 'amber').settings)
    expect((await ask(port, token)).status).toBe(503)
    expect(logged.join('\n')).toContain('The settings of tenant "amber" are not there')
  })

  test('while the file of tenants is broken, nobody is served', async () => {
    const token = await house.add('amber', { cards: false })
    const { port } = await house.serve()
    writeFileSync(house.place.file, '{')
    expect((await ask(port, token)).status).toBe(503)
  })
})

describe('access tokens of an authorization server', () => {
  const resource = 'https://audition.example/mcp'
  const host = 'audition.example'

  test('name the tenant by a claim; without a right one nobody is served, and all reasons look alike', async () => {
    await house.add('amber')
    await house.add('cobalt')
    const issuer = await authorizationServer(resource)
    const { port } = await house.serve({ publicUrl: resource, authorizationServer: issuer.issuer })
    const as = async (claims: object) =>
      ask(port, await issuer.token({ claims: claims as never }), {
        host,
        path: '/api/v1/card',
        body: { id: 'desk/clerk' },
      })
    expect((await as({ tenant: 'amber' })).body).toContain(markOf('amber'))
    expect((await as({ tenant: 'cobalt' })).body).toContain(markOf('cobalt'))
    const wrong = [
      undefined,
      null,
      '',
      'nobody',
      'Amber',
      'AMBER',
      '../amber',
      'amber/',
      'amber\0',
      'аmber',
      ['amber'],
      { amber: true },
      1,
      '__proto__',
    ]
    const replies = await Promise.all(wrong.map((tenant) => as({ tenant })))
    expect(replies.map(({ status }) => status)).toEqual(wrong.map(() => 403))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    await issuer.close()
  })

  test('tokens of the file count nothing beside it', async () => {
    const token = await house.add('amber')
    const issuer = await authorizationServer(resource)
    const { port } = await house.serve({ publicUrl: resource, authorizationServer: issuer.issuer })
    expect((await ask(port, token, { host })).status).toBe(401)
    await issuer.close()
  })
})

describe('quotas', () => {
  test('requests a minute are counted of all callers together, and of a batch each', async () => {
    const first = await house.add('amber', { cards: false, quota: { requests: 3 } })
    const other = await house.add('cobalt', { cards: false })
    const { port } = await house.serve()
    const statuses = []
    for (let at = 0; at < 4; at += 1) statuses.push((await ask(port, first)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await ask(port, other)).status).toBe(200)
    await changeTenant(house.place, 'amber', (tenant) => ({ ...tenant, quota: { requests: 2 } }))
    const batch = [1, 2, 3].map((id) => plain(id, 'tools/list'))
    expect((await ask(port, first, { path: '/mcp', body: batch })).status).toBe(429)
  })

  test('jobs at once: 0 forbids them', async () => {
    const token = await house.add('amber', { quota: { jobs: 0 } })
    const { port } = await house.serve()
    for (const asked of [
      call('probe_agent', { agents: ['desk/clerk'], task: 'What did I order?' }),
      call('evaluate', { dataset: 'self' }),
      call('compose_agent', { task: 'What did I order?' }),
      { path: '/api/v1/probe', body: { cards: ['desk/clerk'], task: 'What did I order?' } },
      { path: '/api/v1/compose', body: { task: 'What did I order?' } },
    ])
      expect((await ask(port, token, asked)).body).toContain('not open to this tenant')
    expect((await ask(port, token, { path: '/api/v1/jobs' })).body).toBe('{"jobs":[]}')
  })

  test('requests that are open at once', async () => {
    const token = await house.add('amber', { quota: { open: 1 } })
    const { port } = await house.serve()
    const long = ask(port, token, call('evaluate', { dataset: 'bundled', limit: 40, max_seconds: 30 }))
    await vi.waitFor(async () => expect((await ask(port, token)).status).toBe(429), { timeout: 10_000 })
    expect((await long).status).toBe(200)
    expect((await ask(port, token)).status).toBe(200)
  })

  test('megabytes: beyond, searches go on and nothing is run', async () => {
    const token = await house.add('amber', { quota: { megabytes: 1 } })
    writeFileSync(join(house.base, 'amber', 'large'), Buffer.alloc(2_000_000))
    const { port } = await house.serve()
    await ask(port, token)
    await vi.waitFor(async () => {
      const { body } = await ask(port, token, call('compose_agent', { task: 'What did I order?' }))
      expect(body).toContain('may keep 1')
    })
    expect((await ask(port, token, call('search_tools', { query: 'orders of a shop' }))).body).toContain(
      markOf('amber'),
    )
  })

  test('cards: an index run that would hold more commits nothing', async () => {
    await house.add('amber')
    const { settings, ...config } = house.config
    const environment = {
      ...config.environment,
      AUDITION_HOME: '',
      AUDITION_TENANTS: house.base,
      AUDITION_TENANT: 'amber',
    }
    await changeTenant(house.place, 'amber', (tenant) => ({ ...tenant, quota: { cards: 6 } }))
    const { openAudition } = await import('../../src/compose/app.ts')
    const app = openAudition(await configOfTenant({ ...config, settings, environment }))
    const before = await app.counts()
    await expect(app.index({ locations: ['bundled:profiles'] })).rejects.toThrow(
      /may hold 6\. Nothing was changed/,
    )
    expect(await app.counts()).toEqual(before)
    await app.close()
  })
})

describe('stores that are open', () => {
  const cardOf = { path: '/api/v1/card', body: { id: 'desk/clerk' } }

  test('are bounded: the one longest unused is closed, and opened again when it is asked', async () => {
    const names = ['amber', 'cobalt', 'slate']
    const tokens: string[] = []
    for (const name of names) tokens.push(await house.add(name))
    const { port } = await house.serve({ mostOpen: 1 })
    for (const round of [1, 2])
      for (const [at, name] of names.entries()) {
        const { status, body } = await ask(port, tokens[at]!, cardOf)
        expect({ round, name, status }).toEqual({ round, name, status: 200 })
        expect(body).toContain(markOf(name))
      }
    // All at once they take turns, and each gets its own.
    const replies = await Promise.all(tokens.map((token) => ask(port, token, cardOf)))
    for (const [at, { status, body }] of replies.entries()) {
      expect(status).toBe(200)
      expect(body).toContain(markOf(names[at]!))
    }
  })

  test('stay open while something runs over them', async () => {
    const tokens = [await house.add('amber'), await house.add('cobalt')]
    const { port } = await house.serve({ mostOpen: 1 })
    const begun = await ask(
      port,
      tokens[0]!,
      call('evaluate', { dataset: 'bundled', limit: 500, max_seconds: 1 }),
    )
    const id = /"run_id":"(\w+)"/.exec(begun.body)?.[1]
    const other = ask(port, tokens[1]!, cardOf)
    const ended = await ask(port, tokens[0]!, call('evaluate', { run_id: id, stop: true }))
    expect(ended.body).not.toContain('No evaluation has the run_id')
    expect((await other).status).toBe(200)
  })
})

describe('what a tenant may start', () => {
  const probe = call('probe_agent', { agents: ['desk/clerk'], task: 'What did I order?' })

  test('is what its own settings allow, whatever those of the operator and of others say', async () => {
    const token = await house.add('amber')
    const other = await house.add('cobalt')
    writeFileSync(house.config.settings, `allow: ["command:*", bundled]\n`)
    writeFileSync(tenantConfig(house.config, house.place, 'amber').settings, 'allow: []\n')
    const { port } = await house.serve({ calls: true })
    const refused = await ask(port, token, probe)
    expect(refused.body).toContain('Nothing was run')
    expect(refused.body).not.toContain('quark answers')
    const run = await ask(port, token, call('run_agent', { id: 'desk/clerk', task: 'What did I order?' }))
    expect(run.body).not.toContain('quark answers')
    expect((await ask(port, other, probe)).body).toContain('cobaltquark answers')
  })

  test('is nothing at first, none of our own programs either', async () => {
    await house.add('amber', { cards: false })
    const { openAudition } = await import('../../src/compose/app.ts')
    const app = openAudition(tenantConfig(house.config, house.place, 'amber'))
    const { allow } = await (await app.probing()).settings()
    await app.close()
    expect(allow).toEqual([])
  })

  test('is not widened by callers: what decides is closed to them', async () => {
    const token = await house.add('amber')
    const { port } = await house.serve()
    for (const [name, body] of Object.entries({
      allow: { permit: 'command:*' },
      permits: {},
      index: { location: '/' },
      indexPlan: {},
      accept: { cards: [] },
      trust: { sources: ['kit'], decision: 'trusted' },
      forget: { sources: ['kit'] },
      keep: { job: 'a', name: 'b' },
    }))
      expect((await ask(port, token, { path: `/api/v1/${name}`, body })).status, name).toBe(403)
  })

  test("does not see the stores of others, nor what is the operator's, in a sandbox", () => {
    const { hidden } = tenantConfig(house.config, house.place, 'amber')
    expect(hidden).toEqual(
      expect.arrayContaining([house.base, house.config.home, house.config.cache, house.config.settings]),
    )
  })
})

describe('cancellations', () => {
  test('end requests of the own tenant alone, even of one subject in two', async () => {
    const resource = 'https://audition.example/mcp'
    const host = 'audition.example'
    await house.add('amber')
    await house.add('cobalt')
    const issuer = await authorizationServer(resource)
    const { port } = await house.serve({ publicUrl: resource, authorizationServer: issuer.issuer })
    const of = (tenant: string) => issuer.token({ claims: { sub: 'quentin', tenant } })
    const [amber, cobalt] = [await of('amber'), await of('cobalt')]
    const session = (
      await send(port, {
        headers: { host, authorization: `Bearer ${amber}` },
        body: JSON.stringify(initialize('2025-06-18')),
      })
    ).headers['mcp-session-id'] as string
    const long = send(port, {
      headers: { host, authorization: `Bearer ${amber}`, 'mcp-session-id': session },
      body: JSON.stringify(
        plain(7, 'tools/call', {
          name: 'evaluate',
          arguments: { dataset: 'bundled', limit: 60, max_seconds: 60 },
        }),
      ),
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    for (let at = 0; at < 5; at += 1)
      await send(port, {
        headers: { host, authorization: `Bearer ${cobalt}`, 'mcp-session-id': session },
        body: JSON.stringify(cancel),
      })
    expect((await long).body).toContain('"state":"done"')
    await issuer.close()
  })
})

describe('a tenant that is removed', () => {
  test('leaves nothing: what runs ends, its token holds no more, and its folder is gone', async () => {
    const token = await house.add('amber')
    const other = await house.add('cobalt')
    const { port } = await house.serve()
    await ask(port, token, call('probe_agent', { agents: ['desk/clerk'], task: 'What did I order?' }))
    await ask(port, token, call('evaluate', { dataset: 'bundled', limit: 5 }))
    const folder = join(house.base, 'amber')
    expect(existsSync(join(folder, 'transcripts'))).toBe(true)
    expect(existsSync(join(folder, 'evaluations'))).toBe(true)
    const watching = ask(port, token, call('evaluate', { dataset: 'bundled', limit: 500 })).catch(
      (error: unknown) => error,
    )
    const removed = await removeTenant(house.config, house.place, {
      name: 'amber',
      signal: new AbortController().signal,
    })
    expect(removed).toMatchObject({ name: 'amber', isMarked: false })
    expect(removed.places).toEqual([folder])
    await watching
    expect(existsSync(folder)).toBe(false)
    expect([...(await readTenants(house.place.file)).keys()]).toEqual(['cobalt'])
    expect(readFileSync(house.place.file, 'utf8')).not.toContain('amber')
    expect((await ask(port, token)).status).toBe(401)
    expect((await ask(port, other)).status).toBe(200)
    const again = await house.add('amber', { cards: false })
    const { body } = await ask(port, again)
    expect(JSON.parse(body).counts).toBeNull()
  })

  test('is never one that is none, or a folder of somebody else', async () => {
    await house.add('amber', { cards: false })
    const { signal } = new AbortController()
    await expect(removeTenant(house.config, house.place, { name: 'cobalt', signal })).rejects.toThrow(
      'There is no tenant',
    )
    await expect(removeTenant(house.config, house.place, { name: '..', signal })).rejects.toThrow(
      'no name of a tenant',
    )
    const elsewhere = join(house.base, '..', 'elsewhere')
    writeFileSync(`${elsewhere}.txt`, 'kept')
    symlinkSync(join(house.base, '..'), join(house.base, 'slate'))
    await expect(house.add('slate')).rejects.toThrow('is a link')
    expect(existsSync(`${elsewhere}.txt`)).toBe(true)
  })
})
