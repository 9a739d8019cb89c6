import type { AgentCard } from '../domain/agent-card.ts'
import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import { printable } from '../domain/printable.ts'
import type { ToolCard } from '../domain/tool-card.ts'
import { cardUri } from './card-uri.ts'
import { compactSchema, type SchemaLevel } from './compact-schema.ts'
import type { Forms, Piece } from './fit-entries.ts'
import { flagFields, flagLine } from './flag-fields.ts'
import { howToRun, howToRunLine } from './how-to-run.ts'
import { inputSchemaOf, signatureOf } from './input-schema.ts'
import { shownLocation } from './machine-paths.ts'
import { clip, oneLine, quoted, quotedList } from './quoted-text.ts'
import { shareableCard } from './shareable-card.ts'

/** The ways to show a whole card, poorest first; the last one has all of it. */
export async function describedForms(card: Card): Promise<Forms> {
  if (card.kind === 'tool') return toolForms(card)
  const { renderProfileYaml } = await import('../catalog/profile-yaml-export.ts')
  return agentForms(card, renderProfileYaml(shareableCard(card)))
}

/**
 * What is told in the smallest budget: which card it is, and how its description begins. The caller named the id, so that
 * the line may cut it.
 */
const barestForms = (card: Card, own: JsonObject = {}): Forms =>
  [
    { description: 20, id: 40 },
    { description: 60, id: 400 },
  ].map((characters) => () => {
    const description = oneLine(card.description, characters.description)
    return {
      structured: { kind: card.kind, id: card.id, ...own, ...flagFields(card), description },
      line: `${quoted(card.id, characters.id)}${flagLine(card)}: ${quoted(description)}`,
    }
  })

function toolForms(card: ToolCard): Forms {
  const published = inputSchemaOf(card)
  const schema = (level: SchemaLevel): JsonObject => {
    if (published === undefined) return {}
    const { schema: inputSchema, cuts } = compactSchema(published, level)
    return { inputSchema, ...(cuts.length === 0 ? {} : { trimmed: cuts }) }
  }
  const whole = published === undefined ? {} : { inputSchema: published }
  const rest = {
    ...(card.annotations === undefined ? {} : { annotations: { ...card.annotations } }),
    ...commonFields(card),
    ...(card.outputSchema === undefined ? {} : { outputSchema: card.outputSchema }),
  }
  const documentation = card.documentation === undefined ? {} : { documentation: card.documentation }
  return [
    ...barestForms(card),
    () => toolPiece(card, 60, {}),
    () => toolPiece(card, 200, schema('shallow')),
    () => toolPiece(card, 200, schema('required')),
    () => toolPiece(card, 300, schema('undescribed')),
    () => toolPiece(card, 1_000, whole),
    () => toolPiece(card, 10_000, { ...whole, ...rest }),
    () => toolPiece(card, 10_000, { ...whole, ...rest, ...documentation }),
  ]
}

function toolPiece(card: ToolCard, characters: number, fields: JsonObject): Piece {
  const server = card.server === undefined ? {} : { server: oneLine(card.server, 80) }
  const structured = { kind: 'tool', ...headFields(card, characters), ...server, ...fields }
  const left = leftOut(card, structured, ['inputSchema', 'outputSchema', 'annotations', 'documentation'])
  const takes = 'inputSchema' in fields ? `\n  Takes ${quoted(signatureOf(card), 300)}` : ''
  const inputs = 'provenance' in fields || !('trimmed' in fields) ? inputLines(card, fields) : ''
  return {
    structured: { ...structured, ...left },
    line: `${quoted(card.id, 400)}${flagLine(card)}: ${quoted(card.description, Math.min(characters, 300))}${takes}${inputs}`,
  }
}

/** One line for each described input, for hosts that show their model the text alone. */
function inputLines(card: ToolCard, fields: JsonObject): string {
  if (!('inputSchema' in fields)) return ''
  const described = card.parameters.filter(({ description }) => description !== '').slice(0, 20)
  return described
    .map(({ name, description }) => `\n  ${quoted(name, 64)}: ${quoted(description, 120)}`)
    .join('')
}

function agentForms(card: AgentCard, yaml: string): Forms {
  const backbone = { backbone: card.backbone === null ? null : backboneOf(card.backbone) }
  const toolNames = (most: number) => ({
    tools: card.tools.slice(0, most).map(({ name }) => ({ name: oneLine(name, 64) })),
    toolCount: card.tools.length,
  })
  const tools = {
    tools: card.tools.map(({ name, description, id }) => ({
      name: oneLine(name, 200),
      ...(description === undefined ? {} : { description: oneLine(description, 300) }),
      ...(id === undefined ? {} : { id }),
    })),
    toolCount: card.tools.length,
  }
  const run = { run: howToRun(card.runtime) }
  return [
    ...barestForms(card, { agentKind: card.agentKind }),
    () => agentPiece(card, 60, {}),
    () => agentPiece(card, 200, { ...backbone, ...toolNames(8), ...run }),
    () => agentPiece(card, 500, { ...backbone, ...toolNames(32), ...run, ...commonFields(card) }),
    () => agentPiece(card, 10_000, { ...backbone, ...tools, ...run, ...commonFields(card) }),
    () =>
      agentPiece(card, 10_000, {
        ...backbone,
        ...tools,
        ...run,
        ...commonFields(card),
        yaml: printable(yaml),
      }),
  ]
}

function agentPiece(card: AgentCard, characters: number, fields: JsonObject): Piece {
  const structured = { kind: 'agent', ...headFields(card, characters), agentKind: card.agentKind, ...fields }
  const yaml = 'yaml' in fields ? {} : { leftOut: ['yaml'] }
  const made = [
    ...(card.backbone === null ? [] : [`on ${quoted(card.backbone.name, 60)}`]),
    ...(card.tools.length === 0
      ? []
      : [
          `tools ${quotedList(
            card.tools.map(({ name }) => name),
            16,
          )}`,
        ]),
    howToRunLine(card),
    `YAML in ${quoted(cardUri('agent', card.id), 500)}`,
  ].join('; ')
  const head = `${quoted(card.id, 400)} (${card.agentKind})${flagLine(card)}: ${quoted(card.description, Math.min(characters, 300))}`
  return { structured: { ...structured, ...yaml }, line: 'run' in fields ? `${head}\n  ${made}` : head }
}

const headFields = (card: Card, characters: number) => ({
  id: card.id,
  name: oneLine(card.name, 200),
  ...flagFields(card),
  description: clip(printable(card.description), characters),
  uri: cardUri(card.kind, card.id),
})

function commonFields(card: Card): JsonObject {
  const run = card.kind === 'tool' ? howToRun(card.runtime) : null
  const { reader, location, details } = card.provenance
  return {
    ...(card.title === undefined ? {} : { title: oneLine(card.title, 200) }),
    ...(card.publisher === undefined ? {} : { publisher: oneLine(card.publisher, 120) }),
    ...(card.tags.length === 0 ? {} : { tags: card.tags.map((tag) => oneLine(tag, 80)) }),
    ...(card.examples.length === 0 ? {} : { examples: card.examples.map((one) => printable(one)) }),
    ...(run === null ? {} : { run }),
    provenance: { reader, location: shownLocation(location), ...(details === undefined ? {} : { details }) },
  }
}

const backboneOf = ({ name, id, description }: NonNullable<AgentCard['backbone']>): JsonObject => ({
  name: oneLine(name, 120),
  ...(id === undefined ? {} : { id: oneLine(id, 200) }),
  ...(description === undefined ? {} : { description: oneLine(description, 500) }),
})

/** The fields that the card has and this form lacks. */
function leftOut(card: ToolCard, form: JsonObject, fields: readonly (keyof ToolCard)[]): JsonObject {
  const missing = fields.filter((field) => card[field] !== undefined && !(field in form))
  return missing.length === 0 ? {} : { leftOut: missing }
}
