import { homedir } from 'node:os'
import { basename, dirname, sep } from 'node:path'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'

/** Environment variables by name, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined }

/** A launch whose variables are filled in, and the values that came from variables: to be masked in every text. */
export type ExpandedLaunch = {
  readonly launch: McpServerEntry['launch']
  readonly substituted: readonly string[]
}

/**
 * Fills in the variables of an entry as hosts do: `${NAME}`, `${NAME:-default}` (also when empty), `${env:NAME}`,
 * `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`, `${/}`, and Audition's own
 * `${AUDITION_CATALOG}`. VS Code asks a person for `${input:name}`; here it is read from `AUDITION_INPUT_NAME`.
 * What comes out of a variable is not expanded again. Other uses of `${` stay as they are.
 *
 * @param catalogFolder - absolute folder of the bundled catalog, the value of `${AUDITION_CATALOG}`
 * @throws HarvestError when a variable is not set, naming it
 */
export function expandLaunch(
  entry: McpServerEntry,
  environment: Environment,
  catalogFolder: string,
): ExpandedLaunch {
  const substituted: string[] = []
  const folder = workspaceFolderOf(entry.config)
  const places: Environment = {
    AUDITION_CATALOG: catalogFolder,
    workspaceFolder: folder,
    workspaceFolderBasename: basename(folder),
    userHome: environment.HOME ?? environment.USERPROFILE ?? homedir(),
    pathSeparator: sep,
    '/': sep,
  }
  const lookUp = (name: string): string | undefined => {
    const place = places[name]
    if (place !== undefined) return place
    const value = environment[name]
    if (value !== undefined && value !== '') substituted.push(value)
    return value
  }
  const expand = (text: string): string => expandText(text, lookUp, entry)
  const expandAll = (values: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]))

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

/** The folder a configuration speaks for: its own, or the one above when it lies in a host's folder. */
export function workspaceFolderOf(config: string): string {
  const folder = dirname(config)
  return ['.vscode', '.cursor', '.claude', '.gemini', '.roo', '.kiro'].includes(basename(folder))
    ? dirname(folder)
    : folder
}

type LookUp = (name: string) => string | undefined

function expandText(text: string, lookUp: LookUp, entry: McpServerEntry): string {
  let expanded = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('${', at)
    const end = start < 0 ? -1 : closingBrace(text, start + 2)
    if (end < 0) return expanded + text.slice(at)
    const reference = text.slice(start + 2, end)
    expanded +=
      text.slice(at, start) + (valueOfReference(reference, lookUp, entry) ?? text.slice(start, end + 1))
    at = end + 1
  }
}

/** Index of the brace that closes the one opened just before `from`, or -1. */
function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let index = from; index < text.length; index++) {
    if (text[index] === '{' && text[index - 1] === '$') depth++
    else if (text[index] === '}' && --depth === 0) return index
  }
  return -1
}

/** The value of what stands between `${` and `}`, or undefined when it is no variable at all. */
function valueOfReference(reference: string, lookUp: LookUp, entry: McpServerEntry): string | undefined {
  if (reference === '/') return lookUp('/')
  const withDefault = /^(?:env:)?([A-Za-z_]\w*):-([\s\S]*)$/.exec(reference)
  if (withDefault) return lookUp(withDefault[1]!) || expandText(withDefault[2]!, lookUp, entry)
  const input = /^input:(.+)$/.exec(reference)?.[1]
  const variable =
    input === undefined ? /^(?:env:)?([A-Za-z_]\w*)$/.exec(reference)?.[1] : inputVariable(input)
  if (variable === undefined) {
    if (!/^[A-Za-z]+:/.test(reference)) return undefined
    throw new HarvestError(
      `MCP server "${entry.name}": \${${reference}} can only be filled in by the host that defined it`,
      `Write the value or an environment variable (\${NAME}) in its place in ${entry.config}, or disable the entry "${entry.name}".`,
    )
  }
  const value = lookUp(variable)
  if (value !== undefined) return value
  throw new HarvestError(
    input === undefined
      ? `MCP server "${entry.name}": the environment variable ${variable} is not set`
      : `MCP server "${entry.name}": the host asks a person for \${input:${input}}, and Audition cannot`,
    `Set ${variable} in the environment Audition runs in, or disable the entry "${entry.name}" in ${entry.config}.`,
  )
}

const inputVariable = (input: string): string => `AUDITION_INPUT_${input.toUpperCase().replace(/\W+/g, '_')}`
