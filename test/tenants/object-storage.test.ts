import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTenant } from '../../src/compose/tenants/change-tenant.ts'
import { tenantConfig, tenantsPlace } from '../../src/compose/tenants/tenant-config.ts'
import { readTenants } from '../../src/tenants/tenants-file.ts'
import { type ObjectStorage, objectStorage } from '../fixtures/object-storage.ts'
import { markOf, type TenantsHouse, tenantsHouse } from '../fixtures/tenants.ts'
import { plain } from '../server/eras.ts'
import { send } from '../server/send-http.ts'

let storage: ObjectStorage
let house: TenantsHouse

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  storage = await objectStorage('honoured')
  for (const [name, value] of Object.entries(storage.environment)) vi.stubEnv(name, value)
  house = tenantsHouse({ base: storage.store('audition') })
})
afterEach(async () => {
  await house.close()
  await storage.close()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Names of the objects under an address. */
async function objectsUnder(address: string): Promise<readonly string[]> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.*)$/.exec(address)!
  const listed = await fetch(`${storage.environment.AWS_ENDPOINT}/${bucket}?list-type=2&prefix=${prefix}/`)
  return [...(await listed.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!)
}

test('tenants lie under one address, and one that is removed leaves no object and no file on the machine', async () => {
  const tokens = { amber: await house.add('amber'), cobalt: await house.add('cobalt') }
  const { port } = await house.serve()
  const ask = (token: string, name: string, args: object) =>
    send(port, {
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(plain(1, 'tools/call', { name, arguments: args })),
    })
  for (const name of ['amber', 'cobalt'] as const) {
    const { body } = await ask(tokens[name], 'search_tools', { query: 'orders of a shop' })
    expect(body).toContain(markOf(name))
    expect(body).toMatch(/"searched":3\b/)
    expect(
      (await ask(tokens[name], 'probe_agent', { agents: ['desk/clerk'], task: 'What?' })).body,
    ).toContain(`${markOf(name)} answers`)
  }
  const { home, cache, settings } = tenantConfig(house.config, house.place, 'amber')
  const other = tenantConfig(house.config, house.place, 'cobalt')
  expect((await objectsUnder(home)).length).toBeGreaterThan(0)
  expect(existsSync(cache)).toBe(true)
  const before = (await objectsUnder(other.home)).length
  const remove = () =>
    removeTenant(house.config, house.place, { name: 'amber', signal: new AbortController().signal })
  expect(await remove()).toMatchObject({ isMarked: true, places: expect.arrayContaining([home]) })
  expect(await objectsUnder(home)).toEqual([])
  // The server dropped its cache, or the command did.
  for (const path of [cache, settings]) expect(existsSync(path), path).toBe(false)
  expect((await readTenants(house.place.file)).get('amber')).toMatchObject({ tokens: [], quota: {} })
  expect((await ask(tokens.amber, 'search_tools', { query: 'orders' })).status).toBe(401)
  await expect(house.add('amber')).rejects.toThrow('was removed, and replicas may still hold files')
  expect(await remove()).toMatchObject({ isMarked: false, places: [] })
  expect([...(await readTenants(house.place.file)).keys()]).toEqual(['cobalt'])
  expect((await objectsUnder(other.home)).length).toBe(before)
  expect((await ask(tokens.cobalt, 'search_tools', { query: 'orders' })).body).toContain(markOf('cobalt'))
})

test('a database of LanceDB Enterprise has no tenants, and an address may ask for something', () => {
  expect(() => tenantsPlace('db://ours', house.config)).toThrow('has no folders')
  const place = tenantsPlace('s3+ddb://bucket/base?ddbTableName=t', house.config)
  expect(tenantConfig(house.config, place, 'amber').home).toBe('s3+ddb://bucket/base/amber?ddbTableName=t')
})
