import { statSync } from 'node:fs'
import pLimit from 'p-limit'
import { discover } from '../../catalog/discover.ts'
import type { HostUser } from '../../catalog/host-paths.ts'
import { readHostServers } from '../../catalog/host-servers.ts'
import { isOwnEntry } from '../../catalog/own-entry.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { hostConfig } from '../../catalog/readers/host-config.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import { type Context, hostUser } from '../context.ts'
import type { Check, Finding } from './check.ts'

/** MCP servers that are started at the same time. */
const serversAtOnce = 4

/** Whether the configurations of AI hosts can be read. */
export const hostConfigs: Check = {
  name: 'hosts',
  async run(context) {
    const configs = configurations(context)
    if (configs.length > 0) return configs.flatMap(({ findings }) => findings)
    return [
      {
        state: 'warn',
        message: 'no configuration of an AI host found here or in your home folder',
        remedy: 'Run `audition init` for the block to put into yours.',
      },
    ]
  },
}

/** Whether some host knows Audition. */
export const auditionBlock: Check = {
  name: 'audition in hosts',
  async run(context) {
    const configs = configurations(context)
    const withBlock = configs.filter(({ servers }) => servers.some(isOwnEntry))
    return withBlock.length > 0
      ? withBlock.map(({ path }) => ({ state: 'ok', message: path }))
      : [
          {
            state: 'warn',
            message: 'no host starts Audition',
            remedy: 'Run `audition init claude-code` (or claude-desktop, vscode, cursor).',
          },
        ]
  },
}

/** Whether every configured MCP server starts and lists its tools. */
export const mcpServers: Check = {
  name: 'mcp servers',
  async run(context, { servers: start, timeoutMs }) {
    const configs = configurations(context)
    const servers = configs.flatMap((one) => one.servers).filter((one) => !one.disabled && !isOwnEntry(one))
    if (servers.length === 0) return []
    const count = servers.length === 1 ? '1 configured' : `${servers.length} configured`
    if (!start) {
      return [
        {
          state: 'ok',
          message: `${count}, not tried`,
          remedy: '--servers starts each to see if it answers.',
        },
      ]
    }
    const audition = await context.audition()
    const limit = pLimit(serversAtOnce)
    return Promise.all(
      servers.map((entry) =>
        limit(() => tried(() => audition.tryServer(entry, timeoutMs, context.signal), entry)),
      ),
    )
  },
}

async function tried(
  attempt: () => Promise<{ readonly tools: number }>,
  { name, config }: McpServerEntry,
): Promise<Finding> {
  try {
    const { tools } = await attempt()
    return { state: 'ok', message: `"${name}" answers with ${tools === 1 ? '1 tool' : `${tools} tools`}` }
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error
    return { state: 'fail', message: `"${name}" of ${config}: ${error.message}`, remedy: error.remedy }
  }
}

type Configuration = {
  readonly path: string
  readonly servers: readonly McpServerEntry[]
  readonly findings: readonly Finding[]
}

/** Every host configuration found, with its servers and what is wrong with it. */
function configurations(context: Context): readonly Configuration[] {
  const user = hostUser(context)
  return discover({ ...user, cwd: context.terminal.cwd })
    .filter(({ path }) => !statSync(path).isDirectory()) // agents and skills; `index` reads them
    .flatMap(({ path }) => configurationAt(path, user))
}

function configurationAt(path: string, user: HostUser): readonly Configuration[] {
  try {
    const document = openDocument(path)
    if (!hostConfig.recognises(document)) {
      const isJson = path.endsWith('.json')
      return isJson && document.json() === undefined
        ? [unreadable(path, 'is not valid JSON', 'Mend its syntax.')]
        : []
    }
    const { servers, problems } = readHostServers(document, user)
    const count = servers.length === 1 ? '1 MCP server' : `${servers.length} MCP servers`
    const findings = problems.map(
      ({ severity, field, message, remedy }): Finding => ({
        state: severity === 'error' ? 'fail' : 'warn',
        message: `${path}${field === undefined ? '' : ` ${field}`}: ${message}`,
        remedy,
      }),
    )
    return [{ path, servers, findings: [{ state: 'ok', message: `${path}: ${count}` }, ...findings] }]
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return [unreadable(path, error.problem.message, error.problem.remedy)]
  }
}

const unreadable = (path: string, message: string, remedy: string): Configuration => ({
  path,
  servers: [],
  findings: [{ state: 'fail', message: `${path} ${message}`, remedy }],
})
