import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotaFields, quotaNames, quotaOf } from '../../src/tenants/quota.ts'
import { newToken, sha256, tokenFinder } from '../../src/tenants/tenant-tokens.ts'
import {
  changeTenants,
  followTenants,
  isTenantName,
  readTenants,
  type Tenant,
  TenantsError,
  tenantsIn,
} from '../../src/tenants/tenants-file.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const tenant = (tokens: Tenant['tokens'] = []): Tenant => ({
  addedAt: '2026-11-28T00:00:00.000Z',
  quota: {},
  tokens,
})

describe('a name', () => {
  test.each(['acme', 'a', '7', 'team-7', 'a--b', '0b31e4c2-6f0e-4b7e-9a55-3c1d2e4f5a6b', 'x'.repeat(63)])(
    'may be %s',
    (name) => expect(isTenantName(name)).toBe(true),
  )

  test.each([
    '',
    '.',
    '..',
    '../acme',
    'a/b',
    'a\\b',
    'a.b',
    'acme.',
    ' acme',
    'acme ',
    'acme\n',
    'acme\0',
    '-acme',
    'acme-',
    'Acme',
    'ACME',
    'açme',
    'аcme',
    'ａcme',
    'acme\u200b',
    'x'.repeat(64),
    'con',
    'nul',
    'com1',
    'a_b',
    '%2e%2e',
    '~',
    '$HOME',
    null,
    undefined,
    7,
    true,
    ['acme'],
    { name: 'acme' },
    '__proto__',
    'constructor\0',
  ])('may not be %j', (name) => expect(isTenantName(name)).toBe(false))

  test('is a plain word, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isTenantName(text)) expect(text).toMatch(/^[a-z0-9-]{1,63}$/)
      }),
    )
  })
})

describe('a token', () => {
  const now = new Date('2026-11-28T12:00:00Z')

  test('is kept as a hash alone, and found by it', () => {
    const { token, kept } = newToken(now)
    expect(token).toMatch(/^audition_[\w-]{43}$/)
    expect(JSON.stringify(kept)).not.toContain(token.slice(9))
    expect(kept.sha256).toBe(sha256(token))
    const find = tokenFinder(new Map([['acme', tenant([kept])]]))
    expect(find(token, now)).toEqual({ tenant: 'acme', id: kept.id })
    for (const other of [
      '',
      token.slice(0, -1),
      `${token}x`,
      token.toUpperCase(),
      kept.sha256,
      newToken(now).token,
    ])
      expect(find(other, now)).toBeNull()
  })

  test('holds until its day, and no longer than its tenant', () => {
    const { token, kept } = newToken(now, 1)
    const find = tokenFinder(new Map([['acme', tenant([kept])]]))
    expect(find(token, new Date('2026-11-29T11:59:59Z'))?.tenant).toBe('acme')
    expect(find(token, new Date('2026-11-29T12:00:00Z'))).toBeNull()
    const removed = { ...tenant([kept]), removedAt: now.toISOString() }
    expect(tokenFinder(new Map([['acme', removed]]))(token, now)).toBeNull()
  })
})

test('a quota has the default where nothing is set', () => {
  expect(quotaOf({ jobs: 0 })).toEqual({
    ...Object.fromEntries(quotaNames.map((name) => [name, quotaFields[name].byDefault])),
    jobs: 0,
  })
})

describe('the file', () => {
  test('is written as a whole, for its owner alone, by one after the other', async () => {
    const file = join(temporaryFolder(), 'deep', 'tenants.json')
    const names = Array.from({ length: 8 }, (_, at) => `tenant-${at}`)
    await Promise.all(names.map((name) => changeTenants(file, (all) => all.set(name, tenant()))))
    expect([...(await readTenants(file)).keys()].sort()).toEqual(names)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('stays as it is when a change fails', async () => {
    const file = join(temporaryFolder(), 'tenants.json')
    await changeTenants(file, (all) => all.set('acme', tenant()))
    const before = readFileSync(file, 'utf8')
    const failing = changeTenants(file, () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(readFileSync(file, 'utf8')).toBe(before)
    await changeTenants(file, (all) => all.set('globex', tenant()))
    expect((await readTenants(file)).size).toBe(2)
  })

  test.each([
    ['no JSON', '{', /is no JSON/],
    ['another version', '{"version":2,"tenants":{}}', /version/],
    ['a name that is a path', JSON.stringify({ version: 1, tenants: { '../x': tenant() } }), /tenants/],
    [
      'a name in capitals',
      JSON.stringify({ version: 1, tenants: { Acme: tenant() } }),
      /is no name of a tenant/,
    ],
    [
      'a word that is none',
      JSON.stringify({ version: 1, tenants: { acme: { ...tenant(), tokn: 1 } } }),
      /acme/,
    ],
    [
      'a quota beyond its bounds',
      JSON.stringify({ version: 1, tenants: { acme: { ...tenant(), quota: { jobs: -1 } } } }),
      /acme\.quota\.jobs/,
    ],
  ])('with %s is refused, and named with the field', (_, text, said) => {
    expect(() => tenantsIn(text, 'tenants.json')).toThrow(TenantsError)
    expect(() => tenantsIn(text, 'tenants.json')).toThrow(said)
  })

  test('is followed: a change counts at once, and while it cannot be read nobody is known', async () => {
    const file = join(temporaryFolder(), 'tenants.json')
    const current = followTenants(file)
    await expect(current()).rejects.toThrow('is not there')
    await changeTenants(file, (all) => all.set('acme', tenant()))
    const first = await current()
    expect([...first.keys()]).toEqual(['acme'])
    expect(await current()).toBe(first)
    await changeTenants(file, (all) => all.set('globex', tenant()))
    expect([...(await current()).keys()]).toEqual(['acme', 'globex'])
    writeFileSync(file, '{')
    await expect(current()).rejects.toThrow('is no JSON')
  })
})
