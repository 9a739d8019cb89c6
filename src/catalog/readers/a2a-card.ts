import type { ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { detailsOf, field, refused, textOf, textsOf, withoutSecrets } from '../formats/published-fields.ts'

/**
 * Reads agent cards of the A2A protocol. Version 1.0 lists `supportedInterfaces`; 0.2 and 0.3 have `url` and
 * `preferredTransport` at the top. Skills become the agent's tools and examples.
 *
 * @see https://a2a-protocol.org, specification, section on agent cards
 */
export const a2aCard: Reader = {
  name: 'a2a-card',
  describes: 'A2A agent cards, protocol 0.2 to 1.0, also with the extras of registries (JSON)',
  grain: 'card',
  recognises(document) {
    if (!/"(?:name|supportedInterfaces)"/.test(document.text)) return false
    const card = document.json()
    return isJsonObject(card) && isAgentCard(card)
  },
  read(document) {
    const card = document.json()
    if (!isJsonObject(card) || textOf(card.name) === '') return refused(nameless(document))
    const problems: Problem[] = []
    const skills = skillsOf(card, document, problems)
    const runtime = runtimeOf(card)
    if (runtime === undefined) problems.push(unreachable(document))
    const draft: CardDraft = {
      kind: 'agent',
      agentKind: 'a2a',
      name: textOf(card.name),
      description: textOf(card.description),
      examples: textsOf(...skills.map((skill) => skill.examples)),
      tags: textsOf(...skills.map((skill) => skill.tags), card.tags, card.registryTags),
      ...field('publisher', isJsonObject(card.provider) ? textOf(card.provider.organization) : ''),
      backbone: null,
      tools: skills.map(toolOf),
      policy: policyOf(card),
      ...(runtime === undefined ? {} : { runtime }),
      ...detailsOf({
        version: card.version,
        protocolVersion: runtime?.protocolVersion,
        documentation: card.documentationUrl,
        homepage: card.homepage,
        repository: card.repository,
        card: card.wellKnownURI,
        authentication: schemesOf(card),
      }),
    }
    return { cards: [draft], servers: [], problems }
  },
}

/** A name alone says nothing: one field that only agent cards have, or an address with a field that they share. */
function isAgentCard(card: JsonObject): boolean {
  if (typeof card.name !== 'string' && !Array.isArray(card.supportedInterfaces)) return false
  if (Array.isArray(card.supportedInterfaces)) return true
  const hasModes = Array.isArray(card.defaultInputModes) || Array.isArray(card.defaultOutputModes)
  if (hasModes || typeof card.preferredTransport === 'string') return true
  if (typeof card.url !== 'string') return false
  return Array.isArray(card.skills) || isJsonObject(card.capabilities) || 'protocolVersion' in card
}

function skillsOf(card: JsonObject, document: SourceDocument, problems: Problem[]): JsonObject[] {
  if (card.skills === undefined || card.skills === null) return []
  const skills = Array.isArray(card.skills) ? card.skills : [card.skills]
  return skills.filter((skill, index): skill is JsonObject => {
    const named = isJsonObject(skill) && textOf(toolName(skill)) !== ''
    if (!named)
      problems.push(namelessSkill(document, Array.isArray(card.skills) ? `skills[${index}]` : 'skills'))
    return named
  })
}

const toolName = (skill: JsonObject): string => textOf(skill.name) || textOf(skill.id)

const toolOf = (skill: JsonObject): ToolReference => ({
  name: toolName(skill),
  ...field('description', textOf(skill.description)),
})

/** What a caller must know to talk to the agent; kept with it and never ranked. */
function policyOf(card: JsonObject): JsonObject {
  const names = ['capabilities', 'defaultInputModes', 'defaultOutputModes']
  return Object.fromEntries(names.flatMap((name) => (card[name] === undefined ? [] : [[name, card[name]]])))
}

/**
 * Interfaces stand in the publisher's order of preference. One that speaks JSON is taken before gRPC, which needs
 * the publisher's compiled schema.
 */
function runtimeOf(card: JsonObject): Extract<Runtime, { kind: 'a2a' }> | undefined {
  const listed = Array.isArray(card.supportedInterfaces) ? card.supportedInterfaces.filter(isJsonObject) : []
  const usable = listed.filter((entry) => textOf(entry.url) !== '')
  const preferred = usable.find((entry) => !/^grpc$/i.test(textOf(entry.protocolBinding))) ?? usable[0]
  if (preferred !== undefined) {
    return {
      kind: 'a2a',
      url: withoutSecrets(textOf(preferred.url)),
      binding: textOf(preferred.protocolBinding) || textOf(preferred.transport) || 'JSONRPC',
      protocolVersion: textOf(preferred.protocolVersion) || textOf(card.protocolVersion) || '1.0',
    }
  }
  const url = textOf(card.url)
  if (url === '') return undefined
  const transport = textOf(card.preferredTransport)
  return {
    kind: 'a2a',
    url: withoutSecrets(url),
    binding: transport || 'JSONRPC', // the default of 0.2 and 0.3
    protocolVersion: textOf(card.protocolVersion) || (transport === '' ? '0.2' : '0.3'),
  }
}

const schemesOf = (card: JsonObject): string =>
  isJsonObject(card.securitySchemes) ? Object.keys(card.securitySchemes).join(', ') : ''

const nameless = (document: SourceDocument): Omit<Problem, 'severity'> => ({
  file: document.label,
  field: 'name',
  message: 'the agent card has no name',
  remedy: 'Give the card a "name"; A2A requires one.',
})

const namelessSkill = (document: SourceDocument, path: string): Problem => ({
  severity: 'error',
  file: document.label,
  field: path,
  message: 'the skill has neither a name nor an id and was left out',
  remedy: 'Write the skill as an object with "id", "name" and "description".',
})

const unreachable = (document: SourceDocument): Problem => ({
  severity: 'warning',
  file: document.label,
  field: 'url',
  message: 'the card gives no address, so the agent can be found but not called',
  remedy: 'Add "supportedInterfaces" (protocol 1.0) or "url" (0.2, 0.3) to the card.',
})
