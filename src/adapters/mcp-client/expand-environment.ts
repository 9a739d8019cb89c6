import type { Environment } from '../../domain/environment.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { projectFolderOf } from '../../hosts/hosts.ts'
import { type Unfilled, type VariableFiller, variableFiller } from '../processes/expand-variables.ts'
import { existsSync } from 'node:fs'
import { maskSecrets } from '../../domain/text/secrets.ts'
import type { HttpLaunch } from './http-transport.ts'
import type { StdioLaunch } from '../processes/process-group.ts'

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

/** A page may name any command, and any variable of ours in an address: what it says is never acted upon. */
export const fromTheNetwork = ({ name, config }: McpServerEntry): HarvestError =>
  new HarvestError(
    `MCP server "${name}": its configuration comes from the network, and may not start or contact anything`,
    `Download ${maskSecrets(config)}, check it, and index the file.`,
  )

/**
 * A command that can be tried. A missing working folder is found here, since starting would blame the command.
 *
 * @throws HarvestError
 */
export function checkedStdioLaunch(entry: McpServerEntry, launch: StdioLaunch): StdioLaunch {
  const refuse = (what: string, remedy: string) =>
    new HarvestError(
      `MCP server "${entry.name}": ${what}`,
      `${remedy} of the entry "${entry.name}" in ${entry.config}.`,
    )
  if (launch.command.trim() === '') throw refuse('its command is empty', 'Write the "command"')
  const words = [launch.command, ...launch.args, ...Object.entries(launch.env).flat()]
  if (words.some((word) => word.includes('\0')))
    throw refuse('it holds a NUL character', 'Correct the values')
  if (existsSync(launch.cwd)) return launch
  throw refuse(`its working folder ${launch.cwd} does not exist`, 'Create the folder, or correct "cwd"')
}

/**
 * An address that can be tried. Credentials in it become a header, since `fetch` refuses them in a URL.
 *
 * @throws HarvestError
 */
export function checkedHttpLaunch(
  entry: McpServerEntry,
  launch: { readonly url: string; readonly headers: HttpLaunch['headers'] },
): HttpLaunch {
  const refuse = (what: string) =>
    new HarvestError(
      `MCP server "${entry.name}": ${what}`,
      `Correct the entry "${entry.name}" in ${entry.config}, or disable it.`,
    )
  if (launch.url.trim() === '') throw refuse('its URL is empty')
  const url = URL.canParse(launch.url) ? new URL(launch.url) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse('its URL is no http or https address')
  const faulty = Object.entries(launch.headers).find(([name, value]) => !isHeader(name, value))
  if (faulty) throw refuse(`its header "${faulty[0]}" holds characters that no header may have`)
  if (url.username === '' && url.password === '') return { url, headers: launch.headers }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { url, headers: { Authorization: basic, ...launch.headers } }
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** Percent escapes resolved; a stray percent sign stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
