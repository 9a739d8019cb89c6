import type { AgentCard, Card, ToolCard } from '../../domain/card.ts'
import { isJsonObject } from '../../domain/json.ts'

/** The separately weighted fields of a card's own words, in index order. */
export const ownFieldNames = ['name', 'description', 'parameters', 'examples', 'body'] as const

/** The same, and what a model wrote of it. */
export const fieldNames = [...ownFieldNames, 'enrichment'] as const

/** A text per field. `body` is a tool's remaining documentation or an agent's system prompt. */
export type CardTexts = { readonly [field in (typeof fieldNames)[number]]: string }

/** Longest body that is read, in characters: a long prompt must not drown a short card. */
const maxBodyLength = 4000

/** The texts by which a card is found. Policy, runtime and provenance are not among them. */
export const textsOf = (card: Card): CardTexts => ({
  ...(card.kind === 'tool' ? toolTexts(card) : agentTexts(card)),
  enrichment: enrichmentText(card),
})

/** The same, but for what is not the card's own. */
export const ownTextsOf = (card: Card): CardTexts => ({ ...textsOf(card), enrichment: '' })

const enrichmentText = ({ enrichment }: Card): string =>
  enrichment === undefined ? '' : lines(enrichment.whenToUse, enrichment.example, ...enrichment.tags)

type OwnTexts = Omit<CardTexts, 'enrichment'>

function toolTexts(card: ToolCard): OwnTexts {
  return {
    name: lines(card.name, card.title),
    description: card.description,
    parameters: lines(...card.parameters.map(({ name, description }) => `${name} ${description}`)),
    examples: lines(card.server, ...card.tags, ...card.examples),
    body: flatten(documentationBeyondFields(card.documentation)).slice(0, maxBodyLength),
  }
}

function agentTexts(card: AgentCard): OwnTexts {
  return {
    name: lines(card.name, card.title),
    description: card.description,
    parameters: lines(
      ...card.tools.map(({ name, description }) => `${name} ${description ?? ''}`),
      card.backbone?.name,
      card.backbone?.description,
    ),
    examples: lines(...card.tags, ...card.examples),
    body: (card.instructions ?? '').slice(0, maxBodyLength),
  }
}

/** The text a dense model embeds: what a person would read first, then the rest. */
export function embeddingText(card: Card): string {
  const { name, description, parameters, examples, body, enrichment } = textsOf(card)
  return [name, description, examples, parameters, body, enrichment].filter((text) => text !== '').join('\n')
}

const lines = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n')

/** Keys of a published documentation that the card's own fields already hold. */
const heldElsewhere =
  /^(?:(?:api|tool)_)?(?:name|title|desc(?:ription)?)$|param|argument|input_?schema|properties/i

const documentationBeyondFields = (documentation: unknown): unknown =>
  isJsonObject(documentation)
    ? Object.fromEntries(Object.entries(documentation).filter(([key]) => !heldElsewhere.test(key)))
    : undefined

/** Keys whose values are machine words, not documentation. */
const machineKeys: ReadonlySet<string> = new Set(['type', 'required', 'format', 'schema', 'in', 'default'])

function flatten(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(flatten).join(' ')
  if (!isJsonObject(value)) return String(value)
  return Object.entries(value)
    .filter(([key]) => !machineKeys.has(key))
    .map(([key, inner]) => `${key} ${flatten(inner)}`)
    .join(' ')
}
