import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { listTools } from '../../src/adapters/mcp-client/list-tools.ts'
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts'
import type { NpmServer } from './npm-servers.ts'

/** A tool as its server lists it. */
export type ListedTool = JsonObject & { readonly name: string; readonly inputSchema: JsonObject }

/** What a server said when it was asked for its tools, or why it did not. */
export type Recorded =
  | { readonly server: NpmServer; readonly tools: readonly ListedTool[] }
  | { readonly server: NpmServer; readonly silent: string }

const installMs = 300_000
const answerMs = 60_000

const keptList = (server: NpmServer, cache: string): string =>
  join(cache, `${server.package.replaceAll('/', '+')}@${server.version}.json`)

/** Whether an earlier run recorded a server. */
export const isRecorded = (server: NpmServer, cache: string): boolean => existsSync(keptList(server, cache))

/**
 * The tools of a server: installed with npm without any script of it, started over stdio in an empty home, asked, and removed.
 * What it listed is kept in the cache, so that the next run neither downloads nor starts it.
 *
 * @param cache - folder of the lists that earlier runs recorded
 */
export async function recordServer(server: NpmServer, cache: string): Promise<Recorded> {
  const kept = keptList(server, cache)
  if (existsSync(kept)) return { server, tools: JSON.parse(readFileSync(kept, 'utf8')) as ListedTool[] }
  const folder = mkdtempSync(join(tmpdir(), 'audition-npm-'))
  try {
    const tools = await listed(server, folder)
    mkdirSync(cache, { recursive: true })
    writeFileSync(kept, JSON.stringify(tools))
    return { server, tools }
  } catch (error) {
    return { server, silent: (error instanceof Error ? error.message : String(error)).split('\n')[0]! }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function listed(server: NpmServer, folder: string): Promise<readonly ListedTool[]> {
  const spec = `${server.package}@${server.version}`
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, spec], {
    timeout: installMs,
    cwd: folder,
  })
  const home = join(folder, 'home')
  mkdirSync(home)
  const filled = (text: string): string => text.replaceAll('{folder}', home)
  const env = Object.fromEntries(
    Object.entries(server.env ?? {}).map(([name, value]) => [name, filled(value)]),
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      programOf(server, join(folder, 'node_modules', server.package)),
      ...(server.args ?? []).map(filled),
    ],
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    cwd: home,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'audition-bench', version: '1.0.0' })
  try {
    await client.connect(transport, { timeout: answerMs })
    const options = { signal: AbortSignal.timeout(answerMs), timeout: answerMs }
    const tools = await listTools(client, { pages: 50, tools: 5_000 }, options)
    const whole = tools.filter(isListed)
    if (whole.length === 0) throw new Error('It lists no tools.')
    return whole
  } finally {
    await client.close()
  }
}

const isListed = (tool: JsonObject): tool is ListedTool =>
  typeof tool.name === 'string' && isJsonObject(tool.inputSchema)

/** @throws Error when the package names no such program */
function programOf(server: NpmServer, folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin?: string | { readonly [name: string]: string }
  }
  const programs = typeof bin === 'string' ? { '': bin } : (bin ?? {})
  const own = server.program ?? server.package.replace(/^@[^/]+\//, '')
  const path = programs[own] ?? Object.values(programs)[0]
  if (path === undefined) throw new Error(`${server.package} has no program.`)
  return join(folder, path)
}
