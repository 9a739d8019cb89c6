import { createHash } from 'node:crypto'
import type { Audition } from '../../compose/audition.ts'
import { publishedForm } from '../../compose/runtimes.ts'
import type { AgentCard, Card, ToolCard } from '../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { deliveredCard } from '../answers/card-fields.ts'
import { clipWords, oneLine, withoutPaths } from '../text.ts'
import { maskedJson, visibleJson } from '../../domain/text/masked-json.ts'
import { withoutLocalAddresses } from '../../domain/text/local-hosts.ts'
import { maskTokens } from '../../domain/text/secrets.ts'
import { inputSchemaOf } from '../forms/input-schema.ts'
import { defined } from '../../domain/defined.ts'

/** What stands in a catalog as one entry: a server with its tools, or an agent. */
export type Artifact = {
  /** Its identifier without `urn:air:<publisher>:`. */
  readonly name: string
  readonly type: string
  /** The entry without identifier and document. */
  readonly said: JsonObject
  readonly document: JsonValue
}

/** All that is shared, by the state of the index. */
export type Shared = {
  readonly artifacts: ReadonlyMap<string, Artifact>
  /** The name of the artifact that a card belongs to. */
  readonly ofCard: ReadonlyMap<string, string>
}

/** Cards of one kind of a source that are listed. */
const mostCards = 20_000
/** Names of tools that an entry lists. */
const mostCapabilities = 100

/** Reads what is shared, anew whenever the index is another. */
export function sharedArtifacts(app: Audition, sources: readonly string[]): () => Promise<Shared> {
  let read: { readonly generation: number; readonly shared: Promise<Shared> } | undefined
  return async () => {
    const { generation } = await app.counts()
    if (read?.generation !== generation) read = { generation, shared: readShared(app, sources) }
    const { shared } = read
    shared.catch(() => {
      if (read?.shared === shared) read = undefined
    })
    return shared
  }
}

async function readShared(app: Audition, sources: readonly string[]): Promise<Shared> {
  const artifacts = new Map<string, Artifact>()
  const ofCard = new Map<string, string>()
  const add = (artifact: Artifact, cards: readonly Card[]): void => {
    artifacts.set(artifact.name, artifact)
    for (const { id } of cards) ofCard.set(id, artifact.name)
  }
  for (const source of new Set(sources)) {
    const cards = (await cardsOf(app, source)).map(deliveredCard)
    const servers = new Map<string, ToolCard[]>()
    for (const card of cards) {
      if (card.kind === 'agent') continue
      const server = card.server ?? source
      servers.set(server, [...(servers.get(server) ?? []), card])
    }
    const agents = cards.filter((card): card is AgentCard => card.kind === 'agent')
    for (const [server, tools] of servers) {
      const toolkit = agents.find((agent) => agent.agentKind === 'toolkit' && agent.name === server)
      add(serverArtifact(server, tools, toolkit), toolkit === undefined ? tools : [...tools, toolkit])
    }
    for (const agent of agents) if (!ofCard.has(agent.id)) add(agentArtifact(agent), [agent])
  }
  return { artifacts, ofCard }
}

async function cardsOf(app: Audition, source: string): Promise<readonly Card[]> {
  const prefix = `${source}/`
  const ids = await Promise.all(
    (['tool', 'agent'] as const).map((kind) => app.completeIds(prefix, mostCards, kind)),
  )
  // Ids that hold the prefix elsewhere come too, and its case does not count there.
  return app.cards(ids.flat().filter((id) => id.startsWith(prefix)))
}

function serverArtifact(
  server: string,
  tools: readonly ToolCard[],
  toolkit: AgentCard | undefined,
): Artifact {
  const { source } = tools[0]!
  const of: readonly Card[] = toolkit === undefined ? tools : [toolkit, ...tools]
  return {
    name: ['mcp', ...(server === source ? [source] : [source, server])].map(segment).join(':'),
    type: mediaTypes.server,
    said: said(toolkit?.title ?? server, of, {
      description: toolkit?.description || `Tools: ${tools.map(({ name }) => name).join(', ')}`,
      capabilities: tools.slice(0, mostCapabilities).map(({ name }) => name),
    }),
    document: shareable(serverDocument(server, tools)),
  }
}

function agentArtifact(card: AgentCard): Artifact {
  const { id, source, agentKind, title, name, description, tools } = card
  const kind = agentKind === 'toolkit' ? 'server' : 'agent'
  return {
    name: [kind === 'server' ? 'mcp' : 'agent', source, id.slice(source.length + 1)].map(segment).join(':'),
    type: publishedForm(agentKind)?.type ?? mediaTypes[kind],
    said: said(title ?? name, [card], {
      description,
      capabilities: tools.slice(0, mostCapabilities).map((tool) => tool.name),
    }),
    document: shareable(agentDocument(card)),
  }
}

type Texts = { readonly description: string; readonly capabilities: readonly string[] }

function said(displayName: string, cards: readonly Card[], { description, capabilities }: Texts): JsonObject {
  const tags = [...new Set(cards.flatMap((card) => card.tags))].slice(0, 20)
  const queries = [...new Set(cards.flatMap(({ examples }) => examples))].slice(0, 5)
  const version = cards[0]?.provenance.details?.version
  return shareable({
    displayName: oneLine(displayName, 200) || 'Unnamed',
    description: clipWords(description, 1_000),
    ...(tags.length === 0 ? {} : { tags: tags.map((tag) => oneLine(tag, 80)) }),
    ...(capabilities.length === 0 ? {} : { capabilities: capabilities.map((name) => oneLine(name, 200)) }),
    ...(queries.length < 2 ? {} : { representativeQueries: queries.map((query) => clipWords(query, 300)) }),
    ...(version === undefined ? {} : { version: oneLine(version, 40) }),
  }) as JsonObject
}

/** A part of an identifier, which has few characters; what had to be changed stays apart from what looks like it. */
function segment(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 120)
  if (plain === text && plain !== '') return plain
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

/** Media types of the documents that are shared, where a kind of agents has no format of its own. */
const mediaTypes = {
  server: 'application/mcp-server-card+json',
  agent: 'application/agent-card+json',
} as const

/** What is told to strangers names no folder, no token and no host of a private network, and hides no characters. */
const shareable = (value: JsonValue): JsonValue =>
  maskedJson(visibleJson(value), (text) => maskTokens(withoutLocalAddresses(withoutPaths(text))), 500)

/** A server with tools of its: what it would answer to `tools/list`. */
function serverDocument(name: string, cards: readonly ToolCard[]): JsonObject {
  return { name, tools: cards.map(toolDocument) }
}

function toolDocument(card: ToolCard): JsonObject {
  const { name, title, description, outputSchema, annotations } = card
  return defined({
    name,
    title,
    description,
    inputSchema: inputSchemaOf(card) ?? { type: 'object' },
    outputSchema,
    annotations:
      annotations &&
      defined({
        readOnlyHint: annotations.readOnly,
        destructiveHint: annotations.destructive,
        idempotentHint: annotations.idempotent,
        openWorldHint: annotations.openWorld,
      }),
  })
}

/** An agent by its description: no prompt of it. */
function agentDocument(card: AgentCard): JsonObject {
  const { name, title, description, examples, tags, publisher, backbone, tools } = card
  const skills = tools.map((tool) => ({
    id: tool.name,
    name: tool.name,
    description: tool.description ?? '',
    tags: [],
  }))
  const said = {
    name,
    description,
    ...(publisher === undefined ? {} : { provider: { organization: publisher } }),
    skills,
  }
  const form = publishedForm(card.agentKind)
  if (form !== undefined) return form.document(card, said)
  return {
    ...said,
    kind: card.agentKind,
    ...(title === undefined ? {} : { title }),
    ...(backbone === null ? {} : { model: backbone.name }),
    examples,
    tags,
  }
}
