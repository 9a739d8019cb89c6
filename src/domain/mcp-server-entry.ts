/** An MCP server that some configuration names and that can be asked for its tools. Values are not yet expanded. */
export type McpServerEntry = {
  /** The entry's key, for example `github`. */
  readonly name: string
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
