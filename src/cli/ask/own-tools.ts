import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { catalogName } from '../../catalog/path-names.ts'
import { openDocument } from '../../catalog/source-document.ts'
import { toolsOfSource } from '../../compose/search-among.ts'
import { isFolder } from '../../domain/paths.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { ownTools, toolsOfFile } from '../../evaluation/findability/own-tools.ts'
import type { SearchedTool } from '../../evaluation/host-rankers/host-ranker.ts'
import { discover } from '../../hosts/discover.ts'
import { serversAt } from '../../hosts/servers-at.ts'
import { type Context, hostUser } from '../context.ts'
import { explainError, noneWithoutIndex, UsageError } from '../errors.ts'
import { agreedServers } from './reading-plan.ts'

/** How servers are started, and the name under which hosts have the server. */
type Starting = {
  readonly yes: boolean
  readonly timeout: number | undefined
  readonly as: string | undefined
}

/**
 * The tools of what was named: a file with a `tools/list` result, a configuration with servers, a folder that holds `mcp.json` or `.mcp.json`,
 * a server that a host has here, or a source of the index. Servers are started as an index run starts them.
 *
 * @throws RemedyError where nothing of that name is there, or it has no tools
 */
export async function toolsNamed(
  word: string,
  starting: Starting,
  context: Context,
): Promise<readonly SearchedTool[]> {
  const path = resolve(context.terminal.cwd, word)
  if (isFolder(path)) return ofConfigs(configsIn(path), 'found', { starting, context })
  if (existsSync(path)) {
    const server = starting.as ?? catalogName(path)
    const listed = toolsOfFile(openDocument(path, printableLine(word)), server)
    return listed ?? ofConfigs([path], 'named', { starting, context })
  }
  const entry = configured(context).find(({ name, key }) => name === word || key === word)
  if (entry !== undefined) return ofConfigs([`${entry.config}#${entry.name}`], 'found', { starting, context })
  return ofSource(word, starting, context)
}

function configsIn(folder: string): readonly string[] {
  const found = ['mcp.json', '.mcp.json']
    .map((name) => resolve(folder, name))
    .filter((path) => existsSync(path))
  if (found.length > 0) return found
  throw new RemedyError(
    `${printableLine(folder)}: neither mcp.json nor .mcp.json is in it.`,
    'Write one that starts your server, or name the server, its configuration, or a file with its tools/list result.',
  )
}

type Asking = { readonly starting: Starting; readonly context: Context }

async function ofConfigs(
  locations: readonly string[],
  how: 'named' | 'found',
  { starting, context }: Asking,
): Promise<readonly SearchedTool[]> {
  const entries = await agreedServers(locations, { ...starting, how }, context)
  if (entries.length === 0)
    throw new RemedyError(
      `${locations.map(printableLine).join(', ')}: no server was started, and no tools are listed there.`,
      'Name a configuration with MCP servers and agree to start them (--yes), or a file with a tools/list result that has tools.',
    )
  if (starting.as !== undefined && entries.length > 1)
    throw new UsageError('--as names one server, and several were found. Name one of them.')
  const audition = await context.audition()
  const timeoutMs = Math.round((starting.timeout ?? 30) * 1000)
  const lists = []
  const failures: unknown[] = []
  for (const entry of entries) {
    const place = printableLine(`${entry.config}#${entry.name}`)
    try {
      const { tools } = await audition.tryServer(entry, timeoutMs, context.signal)
      const listed = tools.map((tool, index) => ({ where: `tools[${index}]`, tool }))
      lists.push(ownTools(listed, { place, server: starting.as ?? entry.key ?? entry.name }))
    } catch (error) {
      if (context.signal.aborted) throw error
      failures.push(error)
      if (entries.length > 1) context.log(`Left out: ${place}.`, ...explainError(error, false))
    }
  }
  if (lists.length === 0) throw failures[0]
  return lists.flat()
}

/** The servers of the hosts' configurations here, nearest first. */
const configured = (context: Context): readonly McpServerEntry[] =>
  discover({ ...hostUser(context), cwd: context.terminal.cwd })
    .filter(({ kind }) => kind === 'config')
    .flatMap(({ path }) => serversAt(path, hostUser(context)))

async function ofSource(word: string, { as }: Starting, context: Context): Promise<readonly SearchedTool[]> {
  const audition = await context.audition()
  const sources = await audition.sources().catch(noneWithoutIndex)
  if (!sources.some(({ id }) => id === word)) throw unknown(word, [...sources.map(({ id }) => id)], context)
  return toolsOfSource(audition, word, as)
}

function unknown(word: string, sources: readonly string[], context: Context): RemedyError {
  const names = [...new Set([...configured(context).map(({ name }) => name), ...sources])]
  const closest = closestIds(names, word, 3)
  return new RemedyError(
    `No file, folder, configured server or source "${printableLine(word)}".`,
    closest.length > 0
      ? `Closest names: ${closest.map(printableLine).join(', ')}.`
      : 'Name a folder with mcp.json, a configuration, a file with a tools/list result, or a server that `audition index` finds.',
  )
}
