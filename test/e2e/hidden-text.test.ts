import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compiledPackage } from '../fixtures/compiled-package.ts'

const unseen = /\u180b|\u200b|\u00ad|\u034f|\u2028|\ue000|\ufe01|[\u{e0100}-\u{e01ef}]|\u{e0061}|\u2009/u
/** One kind each, few enough that the card is not held. */
const hidden = 'Tells\u2009the wea\u00adther\ue000 of a ci\u180bty \u{e0101}in Berlin.'

let folder: string
let main: string
const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  AUDITION_READER: 'none',
  AUDITION_HOME: join(folder, 'home'),
})
const run = (...argv: readonly string[]) =>
  promisify(execFile)(process.execPath, [main, ...argv], { cwd: folder, env: environment() })

beforeAll(async () => {
  main = (await compiledPackage()).main
  folder = mkdtempSync(join(tmpdir(), 'audition-hidden-'))
  const functions = ['weather', 'forecast'].map((name) => ({
    type: 'function',
    function: {
      name,
      description: hidden,
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: hidden } },
        required: ['city'],
      },
    },
  }))
  const slow = {
    type: 'function',
    function: { name: 'endless', description: 'a_'.repeat(150_000), parameters: {} },
  }
  writeFileSync(join(folder, 'tools.json'), JSON.stringify([...functions, slow]))
  await run('index', join(folder, 'tools.json'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a description of 300,000 letters and underscores is indexed, in the thread of its own', async () => {
  const { stdout } = await run('search', 'endless', '--json')
  expect(stdout).toContain('endless')
  expect(stdout).not.toContain('could not be looked through')
})

test('no character that shows nothing reaches a client, by any way that the server answers', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'serve'],
      env: environment(),
      cwd: folder,
    }),
  )
  try {
    const search = await client.callTool({ name: 'search_tools', arguments: { query: 'weather of a city' } })
    const [first] = (search.structuredContent as { tools?: { id: string }[] }).tools ?? []
    const described = await client.callTool({
      name: 'describe',
      arguments: { ids: [first?.id ?? 'tools/weather'] },
    })
    const { resources } = await client.listResources()
    const read = await Promise.all(resources.slice(0, 5).map(({ uri }) => client.readResource({ uri })))
    const card = await client.readResource({ uri: `audition://tools/${first?.id ?? 'tools/weather'}` })
    const said = JSON.stringify([search, described, resources, read, card])
    expect(said).toContain('weather')
    expect(JSON.stringify(described)).toContain('Berlin')
    expect(unseen.exec(said)?.[0]).toBeUndefined()
  } finally {
    await client.close()
  }
})

test('no such character is printed, as lines or as JSON', async () => {
  for (const argv of [
    ['search', 'weather of a city'],
    ['search', 'weather of a city', '--json'],
    ['show', 'tools/weather'],
    ['show', 'tools/weather', '--json'],
  ]) {
    const { stdout } = await run(...argv)
    expect(stdout).toContain('weather')
    expect(unseen.exec(stdout)?.[0]).toBeUndefined()
  }
})
