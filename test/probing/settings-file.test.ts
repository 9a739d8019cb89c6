import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { defaultSettings } from '../../src/probing/settings/settings.ts'
import { changeAllow, readSettings, SettingsError } from '../../src/probing/settings/settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
function fileWith(text: string): string {
  const file = join(folder, `settings-${count++}.yaml`)
  writeFileSync(file, text)
  return file
}

test.each([
  { why: 'no file', file: join(folder, 'absent.yaml') },
  { why: 'an empty file', file: fileWith('') },
  { why: 'comments alone', file: fileWith('# nothing yet\n') },
])('$why gives the defaults: only the bundled catalog may run, and no run is recorded', async ({ file }) => {
  const settings = await readSettings(file)
  expect(settings).toEqual(defaultSettings)
  expect(settings).toMatchObject({
    allow: ['bundled'],
    recordRuns: false,
    exploration: 0,
    recordWeight: null,
  })
})

test('what is written stands, what is left out has its default', async () => {
  const file = fileWith(`allow: [bundled, "mcp:/x.json#*"]
limits: { seconds: 5, tokens: null }
budget: { cost: 0.5 }
recordRuns: true
recordWeight: 0.3
prices:
  anthropic/claude-haiku-4-5: { input: 1, output: 5 }
`)
  expect(await readSettings(file)).toEqual({
    ...defaultSettings,
    allow: ['bundled', 'mcp:/x.json#*'],
    limits: { ...defaultSettings.limits, seconds: 5, tokens: null },
    budget: { ...defaultSettings.budget, cost: 0.5 },
    recordRuns: true,
    recordWeight: 0.3,
    prices: { 'anthropic/claude-haiku-4-5': { input: 1, output: 5 } },
  })
})

test('settings of what holds programs and of private hosts are filled in field by field', async () => {
  const file = fileWith(`children: { processes: 10, cpuSeconds: null }
sandbox: { kind: bubblewrap, network: ["mcp:/x.json#*"], readable: [~/books] }
privateHosts: [nas.lan, "10.0.0.5:80", "[fd00::1]:7000", "fd00::1", "*.corp.example"]
`)
  const { children, sandbox, privateHosts } = await readSettings(file)
  expect(children).toEqual({ ...defaultSettings.children, processes: 10, cpuSeconds: null })
  expect(sandbox).toEqual({
    ...defaultSettings.sandbox,
    kind: 'bubblewrap',
    network: ['mcp:/x.json#*'],
    readable: ['~/books'],
  })
  expect(privateHosts).toHaveLength(5)
})

test('an empty allow list allows nothing', async () => {
  expect((await readSettings(fileWith('allow: []\n'))).allow).toEqual([])
  expect((await readSettings(fileWith('allow:\n'))).allow).toEqual([])
})

test.each([
  { text: 'alow: [bundled]', says: /there is no setting "alow"; settings are allow, limits/ },
  { text: 'limits: { seconds: 0 }', says: /"limits\.seconds": .*>0/ },
  { text: 'limits: { minutes: 1 }', says: /"limits" has no field "minutes"/ },
  { text: 'allow: command:/bin/a', says: /"allow": .*expected array/ },
  { text: 'recordRuns: perhaps', says: /"recordRuns": .*expected boolean/ },
  { text: 'recordWeight: -1', says: /"recordWeight": .*>=0/ },
  { text: 'privateHosts: ["http://nas.lan"]', says: /"privateHosts\.0": write host, host:port/ },
  { text: 'privateHosts: ["10.0.0.0/8"]', says: /"privateHosts\.0": write host, host:port/ },
  { text: 'children: { memoryBytes: 1000 }', says: /"children\.memoryBytes": programs of Node need 256 MiB/ },
  { text: 'sandbox: { kind: chroot }', says: /"sandbox\.kind": .*"bubblewrap"/ },
  { text: 'sandbox: { writable: [books] }', says: /"sandbox\.writable\.0": write an absolute path/ },
  { text: 'sandbox: { image: "--privileged" }', says: /"sandbox\.image": write the name of an image/ },
  { text: '- a\n- b', says: /must be a map of settings/ },
  { text: 'allow: [a', says: /is not valid YAML: .*line/ },
])('$text is refused with file, field and what to do', async ({ text, says }) => {
  const file = fileWith(text)
  const error: unknown = await readSettings(file).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(SettingsError)
  expect((error as SettingsError).message).toMatch(says)
  expect((error as SettingsError).message).toContain(file)
  expect((error as SettingsError).remedy).toMatch(/\S/)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a file that cannot be read is an error, not a default', async () => {
  const file = join(folder, 'a-folder.yaml')
  mkdirSync(file)
  await expect(readSettings(file)).rejects.toThrow(/cannot be read/)
})

test.each([
  {
    why: 'a file that is not there is made, with what was allowed by default',
    before: null,
    add: ['command:/bin/a "x"'],
    after: 'allow:\n  - "bundled"\n  - "command:/bin/a \\"x\\""\n',
  },
  {
    why: 'comments and all other settings stay, letter for letter',
    before:
      '# mine\nlimits: { seconds: 5 } # short\nallow:\n    # ours\n    - bundled  # always\nrecordRuns: true\n',
    add: ['a2a:https://x.example'],
    after:
      '# mine\nlimits: { seconds: 5 } # short\nallow:\n    # ours\n    - bundled  # always\n    - "a2a:https://x.example"\nrecordRuns: true\n',
  },
  {
    why: 'a list on one line becomes one entry a line',
    before: 'allow: [bundled, "a2a:x"] # two\nrecordRuns: true\n',
    add: ['a2a:y'],
    after: 'allow: # two\n  - "bundled"\n  - "a2a:x"\n  - "a2a:y"\nrecordRuns: true\n',
  },
  { why: 'an empty list is filled', before: 'allow: []\n', add: ['a2a:y'], after: 'allow:\n  - "a2a:y"\n' },
  {
    why: 'entries at the margin stay there',
    before: 'allow:\n- bundled\n\nrecordRuns: true\n',
    add: ['a2a:y'],
    after: 'allow:\n- bundled\n- "a2a:y"\n\nrecordRuns: true\n',
  },
  {
    why: 'an entry is taken off with its line',
    before: 'allow:\n  - bundled # ours\n  - a2a:y\n',
    remove: ['bundled'],
    after: 'allow:\n  - a2a:y\n',
  },
  {
    why: 'the last entry leaves an empty list',
    before: 'allow:\n  - bundled\n',
    remove: ['bundled'],
    after: 'allow: []\n',
  },
  {
    why: 'the default can be taken away',
    before: 'recordRuns: true\n',
    remove: ['bundled'],
    after: 'recordRuns: true\nallow: []\n',
  },
  {
    why: 'what is there already changes nothing',
    before: 'allow: [bundled]',
    add: ['bundled'],
    after: 'allow: [bundled]',
  },
])('$why', async ({ before, add = [], remove = [], after }) => {
  const file = before === null ? join(folder, 'made', `${count++}.yaml`) : fileWith(before)
  await changeAllow(file, { add, remove })
  expect(readFileSync(file, 'utf8')).toBe(after)
})

test.each([
  { text: 'allow: &list [bundled]\nprices: {}\n' },
  { text: '{ allow: [bundled], recordRuns: true }\n' },
  { text: 'allow: [bundled,\n  "a2a:x"]\n' },
])('a list that cannot be edited without loss is left alone: $text', async ({ text }) => {
  const file = fileWith(text)
  const before = await readSettings(file)
  const result: unknown = await changeAllow(file, { add: ['a2a:y'] }).catch((error: unknown) => error)
  if (result instanceof SettingsError) {
    expect(result.remedy).toContain('a2a:y')
    expect(readFileSync(file, 'utf8')).toBe(text)
  } else {
    expect(await readSettings(file)).toEqual({ ...before, allow: [...before.allow, 'a2a:y'] })
  }
})

test('whatever is added can be read back and taken off again', async () => {
  const entry = fc.string({ minLength: 1 }).map((text) => `command:/bin/${text.trim()}`)
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(entry, { maxLength: 5 }),
      fc.constantFrom('', 'allow: [bundled]\n'),
      async (entries, text) => {
        const file = fileWith(text)
        expect(await changeAllow(file, { add: entries })).toEqual(['bundled', ...entries])
        expect((await readSettings(file)).allow).toEqual(['bundled', ...entries])
        expect(await changeAllow(file, { remove: entries })).toEqual(['bundled'])
        expect((await readSettings(file)).allow).toEqual(['bundled'])
      },
    ),
    { numRuns: 40 },
  )
})

test('no draft is left behind', async () => {
  const file = join(folder, 'drafts', 'settings.yaml')
  await changeAllow(file, { add: ['a2a:y'] })
  expect(existsSync(file)).toBe(true)
  expect(readdirSync(join(folder, 'drafts'))).toEqual(['settings.yaml'])
})
