import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { RuntimeError } from '../../probing/ports.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import { findProgram } from '../processes/find-program.ts'
import { checkedHttpLaunch, checkedStdioLaunch } from './checked-launch.ts'
import { expandLaunch } from './expand-environment.ts'

/**
 * The same entry, checked as far as can be without starting anything: its variables are set, its address is one, its
 * command and folder are there.
 *
 * @throws RuntimeError
 */
export function checkedEntry(
  entry: McpServerEntry,
  { environment, catalogFolder }: { readonly environment: Environment; readonly catalogFolder: string },
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
