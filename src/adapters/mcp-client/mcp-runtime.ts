import type { RuntimeKind } from '../../probing/runtime-kind.ts'
import type { McpToolSurroundings } from './mcp-tool-executor.ts'

/** Tools of MCP servers. A toolkit is not run itself: its tools are. */
export const mcpRuntime: RuntimeKind<McpToolSurroundings, 'mcp'> = {
  kind: 'mcp',
  name: 'mcp-tool',
  permit: 'mcp',
  permitNames: '<configuration>#<server>',
  permitWords: {
    one: 'The MCP server',
    all: 'Every MCP server whose configuration and name begin with',
    inFile: 'Every MCP server in',
  },
  agentKinds: [],
  accepts: (card) => card.kind === 'tool' && card.runtime?.kind === 'mcp',
  text: ({ server, display, config }) => `MCP server "${server}" (${display}) of ${config}`,
  use: ({ server, transport }, { quoted }) => `MCP server ${quoted(server, 80)}, ${transport}`,
  call: ({ server, transport, config, display }, { line, location, text }) => ({
    via: 'mcp',
    server: line(server, 80),
    transport,
    config: location(config),
    command: line(text(display), 160),
  }),
  share: (runtime, { location, text }) => ({
    ...runtime,
    config: location(runtime.config),
    display: text(runtime.display),
  }),
  open: async (surroundings) => (await import('./mcp-tool-executor.ts')).mcpToolExecutor(surroundings),
}
