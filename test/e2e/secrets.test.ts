import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compiledPackage } from '../fixtures/compiled-package.ts'

const secret = 'Qz7-harbour/moon_42'
const token = `sk-ant-api03-${'a1B2c3D4e5F6g7H8i9J0'.repeat(3)}`
const bytes = Buffer.from(secret, 'utf8')
const forms = [
  secret,
  bytes.toString('base64').replace(/=+$/, ''),
  bytes.toString('base64url'),
  bytes.toString('hex'),
  bytes.toString('hex').toUpperCase(),
  encodeURIComponent(secret),
  [...secret].reverse().join(''),
  [...secret].join(' '),
]

let folder: string
let main: string
const run = async (...argv: readonly string[]) => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'home'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    MY_SERVICE_VALUE: secret,
    NO_COLOR: '1',
  }
  return promisify(execFile)(process.execPath, [main, ...argv], { cwd: folder, env })
}

beforeAll(async () => {
  main = (await compiledPackage()).main
  folder = mkdtempSync(join(tmpdir(), 'audition-secrets-'))
  mkdirSync(join(folder, 'agents'))
  writeFileSync(
    join(folder, 'teller.mjs'),
    `const value = process.env.SETTING
const bytes = Buffer.from(value)
console.log([value, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('hex').toUpperCase(),
  encodeURIComponent(value), [...value].reverse().join(''), [...value].join(' '), '${token}'].join('\\n'))`,
  )
  const { execPath } = process
  writeFileSync(
    join(folder, 'agents', 'teller.yaml'),
    `profile: audition/v1\nname: teller\ndescription: Tells the harbour of the moon.\nrun: { command: ${JSON.stringify(execPath)}, args: [${JSON.stringify(join(folder, 'teller.mjs'))}], env: { SETTING: "\${MY_SERVICE_VALUE}" } }\n`,
  )
  await run('index', join(folder, 'agents'), '--as', 'agents')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(process.platform === 'win32')(
  'a value that a launch fills in stays out of everything that is kept, in eight forms, and so does a token',
  async () => {
    await run('allow', 'agents/teller', '--yes', '--no-sandbox')
    const { stdout } = await run('probe', 'agents/teller', '--task', 'Tell the harbour.', '--json')
    expect(stdout).toContain('***')
    const { stdout: exported } = await run('record', 'export')
    expect(exported).toContain('agents/teller')
    const kept = readdirSync(join(folder, 'home'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    expect(kept.some((text) => text.includes('"answer"') && text.includes('***'))).toBe(true)
    for (const text of [...kept, stdout, exported])
      for (const form of [...forms, token]) expect(text.includes(form), form).toBe(false)
  },
  120_000,
)
