import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type McpHarvesterOptions, mcpHarvester } from '../../../src/adapters/mcp-client/mcp-harvester.ts'
import { HarvestError, type McpServerEntry } from '../../../src/catalog/ports.ts'

/** Folder of the server scripts. */
export const serverFolder = fileURLToPath(new URL('../../fixtures/mcp-servers', import.meta.url))

/** The configuration all entries of these tests come from; it need not exist. */
export const config = join(serverFolder, '.mcp.json')

type StdioLaunch = Extract<McpServerEntry['launch'], { transport: 'stdio' }>

/** An entry that starts a command. */
export function stdioEntry(
  launch: Partial<StdioLaunch> & { command: string },
  name = 'subject',
): McpServerEntry {
  return { name, config, disabled: false, launch: { transport: 'stdio', args: [], env: {}, ...launch } }
}

/** An entry for one of the behaviours of `raw.mjs`. */
export const rawEntry = (
  behaviour: string,
  argument = '',
  launch: Partial<StdioLaunch> = {},
): McpServerEntry =>
  stdioEntry({
    command: process.execPath,
    args: [join(serverFolder, 'raw.mjs'), behaviour, argument],
    ...launch,
  })

/** An entry for an address. */
export function urlEntry(
  url: string,
  transport: 'http' | 'sse' = 'http',
  headers: { readonly [name: string]: string } = {},
): McpServerEntry {
  return { name: 'subject', config, disabled: false, launch: { transport, url, headers } }
}

/** A harvester with time to spare, unless the test says otherwise. */
export const harvester = (options: Partial<McpHarvesterOptions> = {}) =>
  mcpHarvester({
    catalogFolder: '/opt/audition/catalog',
    environment: process.env,
    version: '0.0.0',
    timeoutMs: 50_000,
    ...options,
  })

export const never = new AbortController().signal

/** The error a harvest ends in; fails the test when it ends in none, or in one of another kind. */
export async function failureOf(
  entry: McpServerEntry,
  options: Partial<McpHarvesterOptions> = {},
): Promise<HarvestError> {
  const outcome: unknown = await harvester(options)
    .harvest(entry, never)
    .catch((error: unknown) => error)
  if (outcome instanceof HarvestError) return outcome
  throw new Error(`expected a HarvestError, got ${String(outcome)}`)
}

/** Process ids that servers wrote into a file, one per line; none when there is no file. */
export function notedPids(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Resolves when the condition holds; the test's own time limit is the only other end. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}
