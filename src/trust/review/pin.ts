import { createHash } from 'node:crypto'
import type { AgentCard, Card, ToolCard } from '../../domain/card.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import { describedByTools } from '../../catalog/harvest-cards.ts'
import type { ServerIdentity } from '../../store/source-review.ts'

/**
 * SHA-256 (hex, 32 characters) of all that a publisher says in a card and of the server that says it: name, texts, input
 * and output schema, annotations. What does not count is ours or the user's (ids, files, the name of the entry in a
 * configuration), the version of the server, the order of keys and of required inputs, and runs of ASCII white space in
 * prose. A toolkit's tools are pinned each by itself.
 *
 * @param server - what answers; absent for cards of files, whose own address counts instead
 */
export function pinOf(card: Card, server: ServerIdentity | undefined): string {
  return hashOf([
    card.kind === 'tool' ? saidByTool(card) : saidByAgent(card, server),
    server === undefined ? addressOf(card.runtime) : [server.launch, server.name ?? ''],
  ])
}

/** Hash of what a card says but for its name: equal for one that was renamed and otherwise left alone. */
export function textPinOf(card: Card): string {
  const said = card.kind === 'tool' ? saidByTool(card) : saidByAgent(card, undefined)
  return hashOf({ ...said, name: '', title: '' })
}

/** Hash of a tool's inputs; null when it takes none. */
export function inputsPinOf(card: Card): string | null {
  return card.kind === 'agent' || card.parameters.length === 0 ? null : hashOf(inputsOf(card))
}

const inputsOf = ({ inputSchema, parameters }: ToolCard) => inputSchema ?? parameters

const saidByTool = (card: ToolCard) => ({
  ...saidByAny(card),
  name: card.name,
  title: card.title,
  inputs: inputsOf(card),
  outputSchema: card.outputSchema,
  annotations: card.annotations,
  documentation: card.documentation,
})

/** A toolkit of a live server has the name of the user's entry, and a description of ours when the server gives none. */
function saidByAgent(card: AgentCard, server: ServerIdentity | undefined) {
  const isServer = card.agentKind === 'toolkit' && card.runtime?.kind === 'mcp'
  const isOurs = isServer && card.description === describedByTools(card.name, card.tools)
  return {
    ...saidByAny(card),
    name: isServer ? '' : card.name,
    title: isServer && card.title === server?.name ? undefined : card.title,
    description: isOurs ? '' : card.description,
    agentKind: card.agentKind,
    backbone: card.backbone,
    tools: card.tools.filter(({ id }) => id === undefined),
    policy: card.policy,
    servers: card.servers,
    instructions: card.instructions,
  }
}

const saidByAny = ({ kind, description, examples, tags, publisher }: Card) => ({
  kind,
  description,
  examples,
  tags,
  publisher,
})

/** Where a card that no live server gave is called. Files of the user's may move. */
function addressOf(runtime: Runtime | undefined): unknown {
  if (runtime === undefined) return null
  if (runtime.kind === 'mcp') return [runtime.kind, runtime.transport, runtime.display]
  return 'file' in runtime ? runtime.kind : { ...runtime }
}

/** Texts that are prose: there, and nowhere else, a line break is as good as a space. */
const prose = new Set(['description', 'title', 'examples', 'instructions'])

const hashOf = (said: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(said, '')), 'utf8')
    .digest('hex')
    .slice(0, 32)

/** The same value in one way of writing it: keys in order, `required` in order, prose with single spaces. */
function canonical(value: unknown, key: string): JsonValue {
  if (typeof value === 'string') return prose.has(key) ? value.replace(/[ \t\r\n]+/g, ' ').trim() : value
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, key))
    return key === 'required' && items.every((item) => typeof item === 'string') ? [...items].sort() : items
  }
  if (!isJsonObject(value)) return (value ?? null) as JsonValue
  const entries = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => [name, canonical(value[name], name)] as const)
  return Object.fromEntries(entries)
}
