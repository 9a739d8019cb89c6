import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serveAudition } from '../../bench/served-audition.ts'
import { serverFolder } from '../adapters/mcp-client/servers.ts'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { testClient } from '../server/connect.ts'

let audition: CompiledPackage
let folder: string
let env: { readonly [name: string]: string }

const at = (...path: readonly string[]): string => join(folder, ...path)
const run = (...argv: readonly string[]) =>
  promisify(execFile)(process.execPath, [audition.main, ...argv], { cwd: folder, env })

const agent = (name: string, does: string): string =>
  `---\nname: ${name}\ndescription: ${does}\n---\nYou are ${name}.\n`

beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-watching-'))
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    AUDITION_READER: 'none',
    AUDITION_HOME: at('store'),
    NO_COLOR: '1',
  }
  mkdirSync(at('agents'))
  writeFileSync(at('agents', 'tester.md'), agent('tester', 'Writes unit tests for TypeScript.'))
  const counted = {
    command: process.execPath,
    args: [join(serverFolder, 'counted.mjs'), at('starts'), 'mail'],
  }
  writeFileSync(at('.mcp.json'), JSON.stringify({ mcpServers: { mail: counted } }))
  await run('index', 'agents', '--as', 'mine')
  await run('index', '.mcp.json')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Client = ReturnType<typeof testClient>

const found = async (client: Client, task: string): Promise<readonly string[]> => {
  const { structuredContent } = await client.callTool({ name: 'search_agents', arguments: { task } })
  return (structuredContent as { readonly candidates: readonly { readonly id: string }[] }).candidates.map(
    ({ id }) => id,
  )
}

/** Adds an agent while a client is served, then takes it away again. */
async function comesAndGoes(client: Client, name: string): Promise<void> {
  const task = 'translate the release notes into Welsh'
  expect(await found(client, task)).not.toContain(`mine/${name}`)
  // It is watched a moment after the host first asked for something, be it tools alone; what came before is found then.
  writeFileSync(at('agents', `${name}.md`), agent(name, 'Translates release notes into Welsh.'))
  await vi.waitFor(async () => expect(await found(client, task)).toContain(`mine/${name}`), {
    timeout: 30_000,
    interval: 300,
  })
  rmSync(at('agents', `${name}.md`))
  await vi.waitFor(async () => expect(await found(client, task)).not.toContain(`mine/${name}`), {
    timeout: 30_000,
    interval: 300,
  })
}

test('over stdio a new agent file is found by search without a restart, no server is started, and it ends clean', async () => {
  const client = testClient()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [audition.main, 'serve'],
    env: { ...env },
    cwd: folder,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  await client.connect(transport)
  await comesAndGoes(client, 'cyfieithydd')
  const { pid } = transport
  const closing = Date.now()
  await client.close()
  await vi.waitFor(() => expect(() => process.kill(pid!, 0)).toThrow(/ESRCH/), { timeout: 10_000 })
  expect(Date.now() - closing).toBeLessThan(5_000)
  expect(said).toBe('')
  expect(readFileSync(at('starts'), 'utf8').match(/start /g)).toHaveLength(1)
})

test('over HTTP too', async () => {
  const server = await serveAudition({ env, program: audition.main })
  onTestFinished(() => void server.process.kill('SIGKILL'))
  const client = testClient()
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
  await comesAndGoes(client, 'lladmerydd')
  await client.close()
  expect(await server.stop()).toBe(0)
})
