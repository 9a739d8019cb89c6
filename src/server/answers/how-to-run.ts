import type { AgentCard } from '../../domain/agent-card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import { shownLocation, withoutPaths } from './machine-paths.ts'
import { oneLine, quoted } from './quoted-text.ts'

/** How a card is started, without paths of this machine; null when it is known by description only. */
export function howToRun(runtime: Runtime | undefined): JsonObject | null {
  switch (runtime?.kind) {
    case undefined:
      return null
    case 'mcp':
      return {
        via: 'mcp',
        server: oneLine(runtime.server, 80),
        transport: runtime.transport,
        config: shownLocation(runtime.config),
        command: oneLine(withoutPaths(runtime.display), 160),
      }
    case 'a2a':
      return { via: 'a2a', url: runtime.url, binding: runtime.binding, version: runtime.protocolVersion }
    case 'http':
      return { via: 'http', method: runtime.method, url: runtime.url }
    case 'profile':
    case 'claude-subagent':
      return { via: runtime.kind, file: shownLocation(runtime.file) }
    case 'openai-chat': // its profile says where
      return { via: 'profile', file: shownLocation(runtime.file) }
  }
}

/** The same for a readable line. */
export function howToRunLine(card: AgentCard): string {
  const { runtime } = card
  switch (runtime?.kind) {
    case undefined:
      return card.backbone === null && card.instructions === undefined
        ? 'known by description only'
        : 'run its YAML'
    case 'mcp':
      return `MCP server ${quoted(runtime.server, 80)}, ${runtime.transport}`
    case 'a2a':
      return `A2A ${quoted(runtime.url, 200)}`
    case 'http':
      return `HTTP ${quoted(`${runtime.method} ${runtime.url}`, 200)}`
    case 'profile': // its command stands in its own file
      return card.backbone === null ? 'run by probe_agent' : 'run its YAML'
    case 'claude-subagent':
      return 'a sub-agent of the host'
    case 'openai-chat':
      return 'a chat address that its profile states'
  }
}
