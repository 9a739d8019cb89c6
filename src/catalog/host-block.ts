import { claudeDesktopConfig, joinOf, type Surroundings } from './host-paths.ts'

/** Hosts that Audition can write itself into. */
export type Host = 'claude-code' | 'claude-desktop' | 'vscode' | 'cursor'

/** How a host starts Audition. */
export type HostLaunch = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}

/** What a host's configuration must say to have Audition. */
export type HostBlock = {
  /** Absolute path of the configuration: the project's, or the user's where the host knows no other. */
  readonly path: string
  /** The object that holds servers: `servers` in VS Code, `mcpServers` elsewhere. */
  readonly servers: string
  /** The key of Audition's entry in it. */
  readonly name: string
  readonly entry: HostEntry
  /** A whole configuration with nothing but the entry, to paste. Ends with a line break. */
  readonly text: string
}

/** Audition's entry; VS Code wants the transport stated. */
export type HostEntry = {
  readonly type?: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env?: HostLaunch['env']
}

type HostShape = {
  readonly servers: string
  readonly statesType: boolean
  readonly path: (surroundings: Surroundings) => string
}

const inProject =
  (...parts: readonly string[]) =>
  (surroundings: Surroundings): string =>
    joinOf(surroundings)(surroundings.cwd, ...parts)

const hosts: { readonly [host in Host]: HostShape } = {
  'claude-code': { servers: 'mcpServers', statesType: false, path: inProject('.mcp.json') },
  'claude-desktop': { servers: 'mcpServers', statesType: false, path: claudeDesktopConfig },
  vscode: { servers: 'servers', statesType: true, path: inProject('.vscode', 'mcp.json') },
  cursor: { servers: 'mcpServers', statesType: false, path: inProject('.cursor', 'mcp.json') },
}

/** The hosts by name, in the order to list them. */
export const hostNames = Object.keys(hosts) as readonly Host[]

/** The block that makes a host start Audition, and the file it belongs to. */
export function hostBlock(host: Host, launch: HostLaunch, surroundings: Surroundings): HostBlock {
  const { servers, statesType, path } = hosts[host]
  const entry: HostEntry = {
    ...(statesType ? { type: 'stdio' } : {}),
    command: launch.command,
    args: launch.args,
    ...(Object.keys(launch.env).length === 0 ? {} : { env: launch.env }),
  }
  const name = 'audition'
  const text = `${JSON.stringify({ [servers]: { [name]: entry } }, null, 2)}\n`
  return { path: path(surroundings), servers, name, entry, text }
}
