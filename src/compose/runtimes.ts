import type { A2aSurroundings } from '../adapters/a2a/a2a-executor.ts'
import { a2aRuntime } from '../adapters/a2a/a2a-runtime.ts'
import {
  profileRuntime,
  chatRuntime,
  subagentRuntime,
  skillRunner,
} from '../adapters/ai-sdk/agents/runtimes.ts'
import type { SubagentSurroundings } from '../adapters/ai-sdk/agents/subagent-executor.ts'
import { commandRuntime } from '../adapters/command/command-runtime.ts'
import type { McpToolSurroundings } from '../adapters/mcp-client/mcp-tool-executor.ts'
import { mcpRuntime } from '../adapters/mcp-client/mcp-runtime.ts'
import type { Card } from '../domain/card.ts'
import type { RuntimeKind, ShownRuntime } from '../probing/runtime-kind.ts'

/** What they are opened with. */
export type RuntimeSurroundings = A2aSurroundings & McpToolSurroundings & SubagentSurroundings

/** Every way to run a card. A card is of one sort at most. */
export const runtimes: readonly RuntimeKind<RuntimeSurroundings>[] = [
  commandRuntime,
  mcpRuntime,
  a2aRuntime,
  chatRuntime,
  profileRuntime,
  subagentRuntime,
]

/** The same, with what runs cards that name no runtime. */
export const runners: readonly Pick<
  RuntimeKind<RuntimeSurroundings>,
  'name' | 'permit' | 'permitNames' | 'accepts' | 'open'
>[] = [...runtimes, skillRunner]

/** An address that a document of tools names: told of, and for hosts to call. */
const httpAddress: ShownRuntime<'http'> = {
  kind: 'http',
  text: ({ method, url }) => `${method} ${url}`,
  use: ({ method, url }, { quoted }) => `HTTP ${quoted(`${method} ${url}`, 200)}`,
  call: ({ method, url }) => ({ via: 'http', method, url }),
  share: (runtime) => runtime,
}

/** The words with which permits begin. */
export const permitKinds: readonly string[] = [...new Set(runners.map(({ permit }) => permit))]

/** Permits as help shows them, in the order of the table: `a2a:<origin>`. */
export const permitForms: readonly string[] = runners.map(
  ({ permit, permitNames = '<address>' }) => `${permit}:${permitNames}`,
)

/** How the runtime of a card is told of; undefined for a card that has none. */
export function shownRuntime(card: Card): ShownRuntime | undefined {
  const all: readonly ShownRuntime[] = [...runtimes, httpAddress]
  return runtimes.find(({ accepts }) => accepts(card)) ?? all.find(({ kind }) => kind === card.runtime?.kind)
}

/** What an exported profile says of how the card runs; undefined where that stands in the profile itself. */
export const exportedNote = (card: Card): string | undefined =>
  card.runtime && shownRuntime(card)?.exported?.(card.runtime)
