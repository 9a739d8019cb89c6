import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { RuntimeError } from '../../probing/ports.ts'
import { variableFiller, type VariableSources, childEnvironment } from '../processes/expand-variables.ts'
import { findProgram } from '../processes/find-program.ts'
import { expandLaunch, checkedHttpLaunch, checkedStdioLaunch } from './expand-environment.ts'
import type { BoundLaunch } from '../../trust/launches/bound-launch.ts'
import { boundServer } from '../../trust/launches/bound-server.ts'
import { projectFolderOf } from '../../hosts/hosts.ts'
import { resolveLaunch } from '../processes/resolve-launch.ts'

/**
 * The same entry, checked as far as can be without starting anything: its variables are set, its address is one, its
 * command and folder are there.
 *
 * @throws RuntimeError
 */
export function checkedEntry(
  entry: McpServerEntry,
  { environment, catalogFolder }: VariableSources,
): McpServerEntry {
  try {
    const { launch } = expandLaunch(entry, environment, catalogFolder)
    if (launch.transport !== 'stdio') {
      checkedHttpLaunch(entry, launch)
      return entry
    }
    const env = childEnvironment(launch.env, environment, process.platform)
    const { command, cwd } = checkedStdioLaunch(entry, { ...launch, env, cwd: launch.cwd! })
    if (findProgram(command, env, cwd) !== undefined) return entry
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error
    throw new RuntimeError(error.message, error.remedy)
  }
  throw new RuntimeError(
    `MCP server "${entry.name}": its command is not found, or not executable: ${displayOf(entry.launch)}`,
    `Install it, or correct the entry "${entry.name}" in ${entry.config}.`,
  )
}

/**
 * The launch of an entry as it would be made now: its command looked for, links followed. Variables that are not set here change it only
 * where they stand in what is looked for.
 */
export function boundEntry(
  entry: McpServerEntry,
  { environment, catalogFolder }: VariableSources,
): BoundLaunch {
  const { launch, config } = entry
  const folder = projectFolderOf(config)
  const refuse = (): Error => new UnfilledError()
  const { expand } = variableFiller({ environment, folder, catalogFolder, refuse })
  const filled = (text: string): string => {
    try {
      return expand(text)
    } catch (error) {
      if (error instanceof UnfilledError) return text
      throw error
    }
  }
  if (launch.transport !== 'stdio') {
    const url = filled(launch.url)
    return boundServer(entry, URL.canParse(url) ? { origin: new URL(url).origin } : {})
  }
  const own = Object.fromEntries(Object.entries(launch.env).map(([name, value]) => [name, filled(value)]))
  return boundServer(entry, {
    resolved: resolveLaunch(
      {
        command: filled(launch.command),
        args: launch.args.map(filled),
        env: childEnvironment(own, environment, process.platform),
        cwd: launch.cwd === undefined ? folder : filled(launch.cwd),
      },
      config,
    ),
  })
}

class UnfilledError extends Error {}
