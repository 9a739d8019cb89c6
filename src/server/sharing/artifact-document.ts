import type { AgentCard, ToolCard } from '../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { maskedJson, visibleJson } from '../../domain/text/masked-json.ts'
import { isPublicAddress, withoutLocalAddresses } from '../../domain/text/local-hosts.ts'
import { maskTokens } from '../../domain/text/secrets.ts'
import { withoutPaths } from '../answers/text.ts'
import { inputSchemaOf } from '../forms/input-schema.ts'

/** Media types of the documents that are shared. */
export const mediaTypes = {
  server: 'application/mcp-server-card+json',
  a2a: 'application/a2a-agent-card+json',
  agent: 'application/agent-card+json',
} as const

/** What is told to strangers names no folder, no token and no host of a private network, and hides no characters. */
export const shareable = (value: JsonValue): JsonValue =>
  maskedJson(visibleJson(value), (text) => maskTokens(withoutLocalAddresses(withoutPaths(text))), 500)

/** A server with tools of its: what it would answer to `tools/list`. */
export function serverDocument(name: string, cards: readonly ToolCard[]): JsonObject {
  return { name, tools: cards.map(toolDocument) }
}

function toolDocument(card: ToolCard): JsonObject {
  const { name, title, description, outputSchema, annotations } = card
  const hints = annotations && {
    ...hint('readOnlyHint', annotations.readOnly),
    ...hint('destructiveHint', annotations.destructive),
    ...hint('idempotentHint', annotations.idempotent),
    ...hint('openWorldHint', annotations.openWorld),
  }
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: inputSchemaOf(card) ?? { type: 'object' },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(hints === undefined ? {} : { annotations: hints }),
  }
}

const hint = (name: string, value: boolean | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value }

/** An agent by its description: no prompt of it, and an address only where anybody can look its host up. */
export function agentDocument(card: AgentCard): JsonObject {
  const { name, title, description, examples, tags, publisher, backbone, tools, runtime, policy } = card
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
  if (card.agentKind !== 'a2a')
    return {
      ...said,
      kind: card.agentKind,
      ...(title === undefined ? {} : { title }),
      ...(backbone === null ? {} : { model: backbone.name }),
      ...{ examples, tags },
    }
  const reached = runtime?.kind === 'a2a' && isPublicAddress(runtime.url) ? runtime : undefined
  return {
    ...policy,
    ...said,
    ...(reached === undefined
      ? {}
      : {
          supportedInterfaces: [
            { url: reached.url, protocolBinding: reached.binding, protocolVersion: reached.protocolVersion },
          ],
        }),
  }
}
