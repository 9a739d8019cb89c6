import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { configOfTenant } from '../../src/compose/tenants/tenant-config.ts'
import { configFrom } from '../../src/config.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const nobody = scriptedAudition({ close: async () => {} })
let base: string
beforeEach(() => {
  base = join(temporaryFolder(), 'base')
})
const tenants = (...argv: readonly string[]) =>
  runCaptured(['tenants', ...argv], nobody, { env: { AUDITION_TENANTS: base } })
const added = async (name: string, ...argv: readonly string[]) =>
  (await tenants('add', name, ...argv)).stdout.trim()

describe('audition tenants', () => {
  test('add prints the token alone, once, and keeps its hash', async () => {
    const { code, stdout, stderr } = await tenants('add', 'acme', '--requests', '30')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^audition_[\w-]{43}\n$/)
    expect(stderr).toContain('What it may start: nothing')
    expect(readFileSync(join(base, 'acme', 'settings.yaml'), 'utf8')).toMatch(/^allow: \[\]$/m)
    const kept = readFileSync(join(base, 'tenants.json'), 'utf8')
    expect(kept).not.toContain(stdout.trim())
    const [listed] = JSON.parse((await tenants('list', '--json')).stdout)
    expect(listed).toMatchObject({
      name: 'acme',
      quota: { requests: 30, jobs: 1 },
      tokens: [{ id: expect.any(String) }],
    })
    expect(JSON.stringify(listed)).not.toContain('sha256')
    expect((await tenants()).stdout).toMatch(/^acme +1 /m)
  })

  test('token makes one more, or takes one back by its id', async () => {
    await added('acme')
    const { token } = JSON.parse((await tenants('token', 'acme', '--days', '1', '--json')).stdout)
    expect(token.expiresAt).toMatch(/^\d{4}-/)
    const wrong = await tenants('token', 'acme', '--revoke', 'nonsense')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain(`It has: `)
    expect((await tenants('token', 'acme', '--revoke', token.id)).stdout).toBe('Revoked 1 token of acme.\n')
    expect((await tenants('token', 'acme', '--revoke', 'all')).stdout).toBe('Revoked 1 token of acme.\n')
  })

  test('quota shows, sets, and takes back', async () => {
    await added('acme', '--no-token')
    expect((await tenants('quota', 'acme', '--jobs', '0')).stdout).toContain('jobs 0: probes')
    expect(JSON.parse((await tenants('quota', 'acme', '--json')).stdout).quota).toMatchObject({ jobs: 0 })
    expect((await tenants('quota', 'acme', '--default', '--json')).stdout).toContain('"jobs": 1')
    expect((await tenants('quota', 'acme', '--default', '--jobs', '1')).code).toBe(2)
    expect((await tenants('quota', 'acme', '--jobs', '-1')).code).toBe(2)
  })

  test('remove asks, and leaves nothing', async () => {
    await added('acme')
    const asked = await tenants('remove', 'acme')
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain('Add --yes')
    const { stdout } = await tenants('remove', 'acme', '--yes')
    expect(stdout).toBe(`Removed acme.\nDeleted: ${join(base, 'acme')}\n`)
    expect(existsSync(join(base, 'acme'))).toBe(false)
    expect((await tenants()).stdout).toBe('No tenant was added yet.\n')
  })

  test.each([
    { why: 'a name with capitals', argv: ['add', 'Acme'], said: /small letters, digits and dashes/ },
    { why: 'a name that is a path', argv: ['add', '../acme'], said: /is no name of a tenant/ },
    { why: 'one that is there', argv: ['add', 'taken'], said: /is a tenant "taken" already/ },
    {
      why: 'one that is none',
      argv: ['token', 'acme'],
      said: /no tenant "acme".*\n.*`audition tenants` lists them/,
    },
    {
      why: 'removing one that is none',
      argv: ['remove', 'acme', '--yes'],
      said: /There is no tenant "acme"/,
    },
  ])('$why is told with what to do', async ({ argv, said }) => {
    await added('taken')
    const { code, stderr } = await tenants(...argv)
    expect(code).toBe(1)
    expect(stderr).toMatch(said)
    expect(existsSync(join(base, 'acme'))).toBe(false)
  })

  test('a folder with something else in it becomes no tenant', async () => {
    await added('taken')
    const elsewhere = await runCaptured(['tenants', 'add', 'base', '--base', join(base, '..')], nobody)
    expect(elsewhere.stderr).toContain('is not empty, and no store')
  })

  test('without a base nothing is meant', async () => {
    const { code, stderr } = await runCaptured(['tenants'], nobody)
    expect(code).toBe(2)
    expect(stderr).toContain('--base <folder or address>')
  })
})

describe('audition serve --tenants', () => {
  test.each([
    { why: 'over stdio there are none', argv: ['--tenants', 'x'], said: /--http is missing/ },
    {
      why: 'a claim goes with tenants',
      argv: ['--http', '0', '--tenant-claim', 'org'],
      said: /goes with --tenants/,
    },
    {
      why: 'what is shared is of one store',
      argv: ['--http', '0', '--tenants', 'x', '--share', 'kit'],
      said: /--share is of one store/,
    },
    {
      why: 'metrics are of all of them',
      argv: ['--http', '0', '--tenants', 'x', '--metrics'],
      said: /an address of its own/,
    },
  ])('$why', async ({ argv, said }) => {
    const { code, stderr } = await runCaptured(['serve', ...argv], nobody)
    expect(code).toBe(2)
    expect(stderr).toMatch(said)
  })

  test('serves until Ctrl-C', async () => {
    await added('acme')
    const interruption = new AbortController()
    interruption.abort()
    const argv = ['serve', '--http', '0', '--tenants', base]
    const { code, stderr } = await runCaptured(argv, nobody, { signal: interruption.signal })
    expect(stderr).toContain('(token of a tenant required)')
    expect(code).toBe(0)
  })
})

describe('a command for a tenant', () => {
  const configIn = (environment: NodeJS.ProcessEnv) => configOfTenant(configFrom(environment))

  test('works on its store, with its settings and quota', async () => {
    await added('acme', '--cards', '7')
    const config = await configIn({ AUDITION_TENANTS: base, AUDITION_TENANT: 'acme' })
    expect(config).toMatchObject({
      home: join(base, 'acme'),
      settings: join(base, 'acme', 'settings.yaml'),
      cache: join(base, 'acme', 'cache'),
      mostCards: 7,
    })
  })

  test.each([
    { environment: { AUDITION_TENANT: 'acme' }, said: /nothing says of which base/ },
    { environment: { AUDITION_TENANT: 'nobody' }, said: /There is no tenant "nobody"/ },
    { environment: { AUDITION_TENANT: '../acme' }, said: /no name of a tenant/ },
    {
      environment: { AUDITION_TENANT: 'acme', AUDITION_HOME: '/elsewhere' },
      said: /Give one of them|are named/,
    },
  ])('is refused where the environment says $environment', async ({ environment, said }) => {
    await added('acme')
    const where = said.source.includes('which base') ? {} : { AUDITION_TENANTS: base }
    await expect(configIn({ ...where, ...environment })).rejects.toThrow(said)
  })
})
