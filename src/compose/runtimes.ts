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
import type { AgentKind, Card } from '../domain/card.ts'
import type {
  PermitWords,
  PublishedForm,
  RunnerKind,
  RuntimeKind,
  RuntimeSettings,
  ShownRuntime,
} from '../probing/runtime-kind.ts'

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
export const runners: readonly RunnerKind<RuntimeSurroundings>[] = [...runtimes, skillRunner]

/** An address that a document of tools names: told of, and for hosts to call. */
const httpAddress: ShownRuntime<'http'> = {
  kind: 'http',
  text: ({ method, url }) => `${method} ${url}`,
  use: ({ method, url }, { quoted }) => `HTTP ${quoted(`${method} ${url}`, 200)}`,
  call: ({ method, url }) => ({ via: 'http', method, url }),
  share: (runtime) => runtime,
  address: ({ method, url }) => `${method} ${url}`,
}

/** The words with which permits begin. */
export const permitKinds: readonly string[] = [...new Set(runners.map(({ permit }) => permit))]

/** Permits as help shows them, in the order of the table: `a2a:<origin>`. */
export const permitForms: readonly string[] = runners.map(
  ({ permit, permitNames = '<address>' }) => `${permit}:${permitNames}`,
)

/** Words with which permits begin, and what permits with each stand for. */
export const permitWords: readonly (PermitWords & { readonly permit: string })[] = runners.map(
  ({ permit, permitWords: words }) => ({ permit, ...words }),
)

/** Whether what goes by a permit is held in a sandbox of its own, where one works and the settings choose none for all programs. */
export const takesSandbox = (permit: string): boolean =>
  runners.some((runner) => runner.takesSandbox === true && permit.startsWith(`${runner.permit}:`))

/** Kinds of agents that can be asked. Toolkits and skills have a way to be reached, and none to be asked. */
export const askedKinds: readonly AgentKind[] = [...new Set(runtimes.flatMap(({ agentKinds }) => agentKinds))]

/** How agents of a kind stand in a catalog for others; undefined where no format is theirs. */
export const publishedForm = (kind: AgentKind): PublishedForm | undefined =>
  runtimes.find(({ agentKinds, published }) => published !== undefined && agentKinds.includes(kind))
    ?.published

/** What can be set for runtimes in the environment. */
export const runtimeSettings: readonly RuntimeSettings[] = runtimes.flatMap(({ settings = [] }) => settings)

/** How the runtime of a card is told of; undefined for a card that has none. */
export function shownRuntime(card: Card): ShownRuntime | undefined {
  const all: readonly ShownRuntime[] = [...runtimes, httpAddress]
  return runtimes.find(({ accepts }) => accepts(card)) ?? all.find(({ kind }) => kind === card.runtime?.kind)
}

/** What an exported profile says of how the card runs; undefined where that stands in the profile itself. */
export const exportedNote = (card: Card): string | undefined =>
  card.runtime && shownRuntime(card)?.exported?.(card.runtime)
