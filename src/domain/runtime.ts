/**
 * Runtimes by kind. Whoever adds a kind that no reader of ours gives declares it here from its own file (`declare module`).
 * Secrets never stand here: what a host's configuration holds literally (tokens, headers, environment) stays in that file, and the
 * runtime names the file and the entry to read it from again.
 */
export interface Runtimes {
  readonly mcp: McpRuntime
  readonly a2a: { readonly url: string; readonly binding: string; readonly protocolVersion: string }
  readonly profile: FileRuntime
  readonly 'claude-subagent': FileRuntime
  /** A capability profile that names a chat address; its headers may name variables. */
  readonly 'openai-chat': FileRuntime
  readonly http: { readonly method: string; readonly url: string }
}

/** How a tool or agent is started. */
export type Runtime = { [Kind in keyof Runtimes]: RuntimeOf<Kind> }[keyof Runtimes]

/** The runtime of one kind. */
export type RuntimeOf<Kind extends keyof Runtimes> = { readonly kind: Kind } & Runtimes[Kind]

/** What is run is decided by a file: its absolute path. */
export type FileRuntime = { readonly file: string }

/** An MCP server as some configuration file describes it. */
export type McpRuntime = {
  readonly kind: 'mcp'
  readonly transport: 'stdio' | 'http' | 'sse'
  /** Absolute path of the configuration that holds the entry. */
  readonly config: string
  /** The entry's key in that configuration. */
  readonly server: string
  /** The command line or URL with every secret-looking part masked: for people to read, never to execute. */
  readonly display: string
}

/** The file that decides what is started; undefined where an address does. */
export function fileOfRuntime(runtime: Runtime | undefined): string | undefined {
  if (runtime === undefined) return undefined
  return runtime.kind === 'mcp' ? runtime.config : 'file' in runtime ? runtime.file : undefined
}

/** An MCP server that some configuration names and that can be asked for its tools. Values are not yet expanded. */
export type McpServerEntry = {
  /** The entry's key, for example `github`. */
  readonly name: string
  /** The entry's own key, where another entry of that key came first. */
  readonly key?: string
  /** Absolute path of the configuration. */
  readonly config: string
  /** Folders of the projects that it belongs to, where a user's configuration keeps servers by project. */
  readonly projects?: readonly string[]
  /** Switched off in the configuration: reported, not started. */
  readonly disabled: boolean
  /** The file that switches it off, where that is not the configuration. */
  readonly disabledIn?: string
  readonly launch:
    | {
        readonly transport: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        readonly env: { readonly [name: string]: string }
        readonly cwd?: string
      }
    | {
        readonly transport: 'http' | 'sse'
        readonly url: string
        readonly headers: { readonly [name: string]: string }
      }
}
