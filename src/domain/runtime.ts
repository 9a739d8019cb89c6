/**
 * How a tool or agent is started. Secrets never stand here: what a host's configuration holds literally (tokens,
 * headers, environment) stays in that file, and the runtime names the file and the entry to read it from again.
 */
export type Runtime =
  | McpRuntime
  | { readonly kind: 'a2a'; readonly url: string; readonly binding: string; readonly protocolVersion: string }
  | { readonly kind: 'profile'; readonly file: string }
  | { readonly kind: 'claude-subagent'; readonly file: string }
  /** A capability profile that names a chat address; its headers may name variables. */
  | { readonly kind: 'openai-chat'; readonly file: string }
  | { readonly kind: 'http'; readonly method: string; readonly url: string }

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
