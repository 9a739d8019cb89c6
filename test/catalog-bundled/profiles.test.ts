import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCatalog, connectTo, root, type ServerName, serverFiles } from './built-catalog.ts'
import { type Profile, profilesIn } from './profile-format.ts'

const files = profilesIn(join(root, 'catalog', 'profiles'))
const profiles = files.map((file) => file.read())
const ours = (profile: Profile): boolean =>
  (profile.tools ?? []).some(({ server }) => server !== undefined && server in serverFiles)

test('there are at least 48 profiles, at least 12 of which can run with our own servers', () => {
  expect(profiles.length).toBeGreaterThanOrEqual(48)
  expect(profiles.filter((profile) => ours(profile) && profile.backbone).length).toBeGreaterThanOrEqual(12)
  expect(profiles.filter(({ backbone }) => backbone === null).length).toBeGreaterThanOrEqual(2)
  expect(new Set(profiles.map(({ backbone }) => backbone?.id)).size).toBeGreaterThanOrEqual(15)
})

test.each(files)('$file follows the format', (file) => {
  const profile = file.read()
  expect(profile.name).toBe(file.file)
  expect(profile.title).toBeTruthy()
  expect(profile.run).toBeUndefined()
  expect(profile.backbone).toBeDefined()
  expect(profile.description.split(/(?<=[.!?])\s+/).length).toBeLessThanOrEqual(3)
  const told = (profile.instructions ?? '').split('\n').filter((text) => text.trim() !== '')
  expect(told.length).toBeGreaterThanOrEqual(7)
  expect(told.length).toBeLessThanOrEqual(25)
  if (profile.backbone === null) expect(profile.tools?.length).toBeGreaterThan(0)
  expect(profile.policy?.max_steps).toBeGreaterThan(0)
})

test.each(files)('$file starts exactly the servers whose tools it names', (file) => {
  const { tools = [], servers = {} } = file.read()
  const named = new Set(tools.flatMap(({ server }) => (server === undefined ? [] : [server])))
  expect(Object.keys(servers).sort()).toEqual([...named].sort())
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  for (const [name, short] of Object.entries(serverFiles)) {
    if (name in servers)
      expect(servers[name]).toEqual({ command: 'node', args: [`\${AUDITION_CATALOG}/servers/${short}.js`] })
  }
})

test('names, titles, descriptions, examples and prompts come once', () => {
  for (const texts of [
    profiles.map(({ name }) => name),
    profiles.map(({ title }) => title),
    profiles.map(({ description }) => description),
    profiles.map(({ instructions }) => instructions),
    profiles.flatMap(({ examples }) => examples.map((example) => example.toLowerCase())),
  ]) {
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  }
})

test('no profile holds anything that looks like a secret', () => {
  for (const { file, text } of files) {
    expect(text, file).not.toMatch(
      /\b(?:sk|ghp|xox[bp]|AKIA)[-_A-Za-z0-9]{8,}|(?:api[_-]?key|token|password)\s*[:=]\s*["']?[A-Za-z0-9]{12,}/i,
    )
  }
})

describe('with the servers running', () => {
  const tools = new Map<ServerName, readonly string[]>()
  const catalog = buildCatalog()

  beforeAll(async () => {
    for (const name of Object.keys(serverFiles) as ServerName[]) {
      const client = await connectTo(catalog.folder, name)
      tools.set(
        name,
        (await client.listTools()).tools.map((tool) => tool.name),
      )
      await client.close()
    }
  })
  afterAll(() => catalog.remove())

  test.each(files)('$file names only tools that our servers list', (file) => {
    for (const { name, server } of file.read().tools ?? []) {
      if (server !== undefined && server in serverFiles)
        expect(tools.get(server as ServerName)).toContain(name)
    }
  })

  test('the host configuration names the three servers, and their files are built', async () => {
    const config = JSON.parse(readFileSync(join(root, 'catalog', 'mcp.json'), 'utf8'))
    expect(Object.keys(config.mcpServers)).toEqual(Object.keys(serverFiles))
    for (const [name, { command, args }] of Object.entries<{ command: string; args: string[] }>(
      config.mcpServers,
    )) {
      expect(command).toBe('node')
      expect(args).toEqual([`\${AUDITION_CATALOG}/servers/${serverFiles[name as ServerName]}.js`])
    }
  })
})
