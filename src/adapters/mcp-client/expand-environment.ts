import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { projectFolderOf } from '../../hosts/hosts.ts'
import {
  type Environment,
  type Unfilled,
  type VariableFiller,
  variableFiller,
} from '../processes/expand-variables.ts'

/** A launch whose variables are filled in, and what came out of variables: to be masked in every text. */
export type ExpandedLaunch = Pick<VariableFiller, 'substituted'> & {
  readonly launch: McpServerEntry['launch']
}

/**
 * Fills in the variables of an entry; see {@link variableFiller} for which there are.
 *
 * @param catalogFolder - absolute folder of the bundled catalog, the value of `${AUDITION_CATALOG}`
 * @throws HarvestError when a variable is not set, naming it
 */
export function expandLaunch(
  entry: McpServerEntry,
  environment: Environment,
  catalogFolder: string,
): ExpandedLaunch {
  const folder = projectFolderOf(entry.config)
  const refuse = (unfilled: Unfilled) => unfilledVariable(unfilled, entry)
  const { expand, expandAll, substituted } = variableFiller({ environment, folder, catalogFolder, refuse })
  const { launch } = entry
  if (launch.transport !== 'stdio') {
    const expanded = { ...launch, url: expand(launch.url), headers: expandAll(launch.headers) }
    return { launch: expanded, substituted }
  }
  const expanded = {
    transport: launch.transport,
    command: expand(launch.command),
    args: launch.args.map(expand),
    env: expandAll(launch.env),
    cwd: launch.cwd === undefined ? folder : expand(launch.cwd),
  }
  return { launch: expanded, substituted }
}

function unfilledVariable(unfilled: Unfilled, { name, config }: McpServerEntry): HarvestError {
  if (unfilled.kind === 'foreign') {
    return new HarvestError(
      `MCP server "${name}": \${${unfilled.reference}} can only be filled in by the host that defined it`,
      `Write the value or an environment variable (\${NAME}) in its place in ${config}, or disable the entry "${name}".`,
    )
  }
  return new HarvestError(
    unfilled.kind === 'unset'
      ? `MCP server "${name}": the environment variable ${unfilled.variable} is not set`
      : `MCP server "${name}": the host asks a person for \${input:${unfilled.input}}, and Audition cannot`,
    `Set ${unfilled.variable} in the environment Audition runs in, or disable the entry "${name}" in ${config}.`,
  )
}
