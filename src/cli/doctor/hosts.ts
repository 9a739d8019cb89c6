import pLimit from 'p-limit'
import { isOfOtherProject, isOfUser } from '../../indexing/asking/other-projects.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { isOwnEntry } from '../../hosts/own-entry.ts'
import { hostUser } from '../context.ts'
import type { Check, Finding } from './check.ts'
import { changedLaunches } from '../ask/changed-launches.ts'
import { configurations } from './configurations.ts'

/** MCP servers that are started at the same time. */
export const serversAtOnce = 4

/** Whether the configurations of AI hosts can be read: a line for each. */
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

/** Whether every configured MCP server starts and lists its tools; one of a project's file whose launch changed is not started. */
export const mcpServers: Check = {
  name: 'mcp servers',
  async run(context, { servers: start, timeoutMs }) {
    const place = { cwd: context.terminal.cwd, user: hostUser(context), named: [] }
    const servers = configurations(context)
      .flatMap((one) => one.servers)
      .filter((one) => !one.disabled && !isOwnEntry(one) && !isOfOtherProject(one, place))
    if (servers.length === 0) return []
    if (!start) {
      return [
        {
          state: 'ok',
          message: `${servers.length} configured, not tried`,
          remedy: '--servers starts each to see if it answers.',
        },
      ]
    }
    const audition = await context.audition()
    const user = hostUser(context)
    const changed = new Set((await changedLaunches(context)).map(({ location }) => location))
    const isAnother = ({ name, config }: McpServerEntry): boolean =>
      changed.has(`${config}#${name}`) && !isOfUser(config, user)
    const limit = pLimit(serversAtOnce)
    return Promise.all(
      servers.map((entry) =>
        isAnother(entry)
          ? notTried(entry)
          : limit(() => tried(() => audition.tryServer(entry, timeoutMs, context.signal), entry)),
      ),
    )
  },
}

const notTried = ({ name, config }: McpServerEntry): Finding => ({
  state: 'warn',
  message: `"${name}" of ${config} was not started: it changed since you agreed to start it`,
  remedy: `\`audition index ${config}#${name}\` shows how, and asks again.`,
})

async function tried(
  attempt: () => Promise<{ readonly tools: number }>,
  { name, config }: McpServerEntry,
): Promise<Finding> {
  try {
    const { tools } = await attempt()
    return { state: 'ok', message: `"${name}" answers with ${countOf(tools, 'tool')}` }
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error
    const { message, remedy, output } = error
    const said = output === undefined ? {} : { output }
    return { state: 'fail', message: `"${name}" of ${config}: ${message}`, remedy, ...said }
  }
}
