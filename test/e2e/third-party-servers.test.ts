import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IndexReport } from '../../src/compose/app.ts'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { testClient } from '../server/connect.ts'

const require = createRequire(import.meta.url)
const scriptOf = (name: string): string =>
  join(require.resolve(`@modelcontextprotocol/${name}/package.json`), '..', 'dist', 'index.js')

const secret = 'not-to-be-found-anywhere-8c1f'

let audition: CompiledPackage
let folder: string
let env: { readonly [name: string]: string }

beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-e2e-'))
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store'),
    NO_COLOR: '1',
  }
  const server = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [scriptOf(name), ...args],
  })
  const mcpServers = {
    everything: server('server-everything', 'stdio'),
    files: server('server-filesystem', folder),
    memory: {
      ...server('server-memory'),
      env: { MEMORY_FILE_PATH: join(folder, 'memory.json'), MEMORY_TOKEN: secret },
    },
    thinking: server('server-sequential-thinking'),
  }
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const run = (...argv: readonly string[]) =>
  promisify(execFile)(process.execPath, [audition.main, ...argv], { cwd: folder, env, maxBuffer: 2 ** 26 })

type Found = { readonly match: string; readonly candidates: readonly { readonly id: string }[] }

const queries = [
  { query: 'read the text of a file on disk', expected: 'files/read_text_file' },
  { query: 'move a file or rename it', expected: 'files/move_file' },
  { query: 'create new entities in the knowledge graph', expected: 'memory/create_entities' },
  { query: 'add two numbers and get the sum', expected: 'everything/get-sum' },
  { query: 'think through a problem step by step', expected: 'thinking/sequentialthinking' },
]

const inOrder = async (search: (query: string) => Promise<Found>): Promise<Found[]> => {
  const found: Found[] = []
  for (const { query } of queries) found.push(await search(query))
  return found
}

describe('servers of others, from configuration to answer', () => {
  let overStdio: readonly Found[] = []

  test('their tools are harvested by the command line, without their secrets', async () => {
    const report: IndexReport = JSON.parse((await run('index', '.mcp.json', '--json')).stdout)
    const counts = Object.fromEntries(report.sources.map(({ source, added }) => [source, added]))
    // Each server gives its tools and one toolkit agent.
    expect(counts).toEqual({ everything: 14, files: 15, memory: 10, thinking: 2 })
    expect(report.problems).toEqual([])
    const files = readdirSync(join(folder, 'store'), { recursive: true, withFileTypes: true })
    const texts = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })

  test('a client over stdio finds each of them', async () => {
    const client = testClient()
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [audition.main, 'serve'],
        env: { ...env },
      }),
    )
    overStdio = await inOrder(async (query) => {
      const { structuredContent } = await client.callTool({ name: 'search_tools', arguments: { query } })
      return structuredContent as Found
    })
    await client.close()
    expect(overStdio.map(({ candidates }) => candidates[0]?.id)).toEqual(
      queries.map(({ expected }) => expected),
    )
  })

  test('a client over HTTP gets the same answers', async () => {
    const { child, url } = await serveHttp()
    const client = testClient()
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const overHttp = await inOrder(async (query) => {
      const { structuredContent } = await client.callTool({ name: 'search_tools', arguments: { query } })
      return structuredContent as Found
    })
    await client.close()
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(overHttp).toEqual(overStdio)
  })

  test('a server is found as an agent by the tools it owns', async () => {
    const { stdout } = await run(
      'search',
      '--json',
      '--agents',
      'create entities and relations in a knowledge graph',
    )
    const { answers } = JSON.parse(stdout) as { answers: [{ candidates: { card: { id: string } }[] }] }
    expect(answers[0].candidates[0]?.card.id).toBe('memory/memory')
  })
})

/** Starts the HTTP server on a free port and reads its address from what it tells people. */
function serveHttp(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [audition.main, 'serve', '--http', '0'], { cwd: folder, env })
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? []
      if (url) resolve({ child, url })
    })
    child.once('close', () => reject(new Error(said)))
  })
}
