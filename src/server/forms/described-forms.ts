import { exportedNote } from '../../compose/runtimes.ts'
import { type AgentCard, type Card, type Enrichment, type ToolCard, writtenBy } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import { printable } from '../../domain/text/printable.ts'
import { cardUri } from '../answers/uris.ts'
import { compactSchema, inputSchemaOf, type SchemaLevel } from './input-schema.ts'
import type { Forms, Piece } from '../answers/fitted-answer.ts'
import {
  flagFields,
  flagLine,
  howToRun,
  howToRunLine,
  nameFields,
  shareableCard,
} from '../answers/card-fields.ts'
import { clip, oneLine, quoted, quotedList, shownLocation } from '../text.ts'
import { signatureOf } from './signature.ts'

/** The place in {@link describedForms} of the form that has all that a call needs. */
export const callableCard = 6

/** The ways to show a whole card, poorest first; the last one has all of it. */
export async function describedForms(card: Card): Promise<Forms> {
  if (card.kind === 'tool') return toolForms(card)
  const { renderProfileYaml } = await import('../../catalog/formats/capability-profile.ts')
  return agentForms(card, renderProfileYaml(shareableCard(card), exportedNote(card)))
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
    if (published === undefined) return { inputs: signatureOf(card, 'all') }
    const { schema: inputSchema, cuts } = compactSchema(published, level)
    return { inputSchema, ...(cuts.length === 0 ? {} : { trimmed: cuts }) }
  }
  const more = {
    ...(card.annotations === undefined ? {} : { annotations: { ...card.annotations } }),
    ...commonFields(card),
  }
  const output = card.outputSchema === undefined ? {} : { outputSchema: card.outputSchema }
  const documentation = card.documentation === undefined ? {} : { documentation: card.documentation }
  return [
    ...barestForms(card),
    () => toolPiece(card, 60, {}),
    () => toolPiece(card, 200, schema('shallow')),
    () => toolPiece(card, 200, schema('required')),
    () => toolPiece(card, 300, schema('undescribed')),
    () => toolPiece(card, 400, schema('whole')),
    () => toolPiece(card, 10_000, schema('whole')),
    () => toolPiece(card, 10_000, { ...schema('whole'), ...more }),
    () => toolPiece(card, 10_000, { ...schema('whole'), ...more, ...output }),
    () => toolPiece(card, 10_000, { ...schema('whole'), ...more, ...output, ...documentation }),
  ]
}

function toolPiece(card: ToolCard, characters: number, fields: JsonObject): Piece {
  const structured = { kind: 'tool', ...headFields(card, characters), ...fields }
  const missing = (['inputSchema', 'outputSchema', 'annotations', 'documentation'] as const).filter(
    (field) => card[field] !== undefined && !(field in fields),
  )
  const trimmed = 'trimmed' in fields ? ['inputSchema'] : []
  const takes = 'inputSchema' in fields || 'inputs' in fields
  const line = `${quoted(card.id, 400)}${flagLine(card)}: ${quoted(card.description, Math.min(characters, 300))}`
  return {
    structured: {
      ...structured,
      ...leftOut(card, [...shortDescription(card, characters), ...trimmed, ...missing]),
    },
    line: takes ? `${line}\n  Takes ${quoted(signatureOf(card, 'described', card.description), 600)}` : line,
    isCut: trimmed.length > 0 || missing.length > 0,
  }
}

function agentForms(card: AgentCard, yaml: string): Forms {
  const backbone = card.backbone === null ? {} : { backbone: backboneOf(card.backbone) }
  const toolNames = (most: number): JsonObject => {
    const names = card.tools.slice(0, most).map(({ name }) => ({ name: oneLine(name, 64) }))
    return {
      ...(names.length === 0 ? {} : { tools: names }),
      ...(names.length === card.tools.length ? {} : { toolCount: card.tools.length }),
    }
  }
  const tools = {
    tools: card.tools.map(({ name, description, id }) => ({
      name: oneLine(name, 200),
      ...(description === undefined ? {} : { description: oneLine(description, 300) }),
      ...(id === undefined ? {} : { id }),
    })),
  }
  const use = { use: howToRunLine(card) }
  const whole = { ...backbone, ...(card.tools.length === 0 ? {} : tools), ...use, ...commonFields(card) }
  return [
    ...barestForms(card, { agentKind: card.agentKind }),
    () => agentPiece(card, 60, {}),
    () => agentPiece(card, 200, { ...backbone, ...toolNames(8), ...use }),
    () => agentPiece(card, 300, { ...backbone, ...toolNames(8), ...use }),
    () => agentPiece(card, 400, { ...backbone, ...toolNames(8), ...use }),
    () => agentPiece(card, 600, { ...backbone, ...toolNames(16), ...use }),
    () => agentPiece(card, 800, { ...backbone, ...toolNames(32), ...use, ...commonFields(card) }),
    () => agentPiece(card, 10_000, whole),
    () => agentPiece(card, 10_000, { ...whole, run: howToRun(card), yaml: printable(yaml) }),
  ]
}

function agentPiece(card: AgentCard, characters: number, fields: JsonObject): Piece {
  const structured = { kind: 'agent', ...headFields(card, characters), agentKind: card.agentKind, ...fields }
  const missing = 'yaml' in fields ? [] : ['yaml']
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
  return {
    structured: { ...structured, ...leftOut(card, [...shortDescription(card, characters), ...missing]) },
    line: 'use' in fields ? `${head}\n  ${made}` : head,
    isCut: missing.length > 0,
  }
}

const headFields = (card: Card, characters: number) => ({
  id: card.id,
  ...nameFields(card),
  ...flagFields(card),
  description: clip(printable(card.description), characters),
})

const shortDescription = ({ description }: Card, characters: number): readonly string[] =>
  [...printable(description)].length > characters ? ['description'] : []

/** What of the card this form lacks, and where it is. */
const leftOut = (card: Card, fields: readonly string[]): JsonObject =>
  fields.length === 0 ? {} : { leftOut: fields, uri: cardUri(card.kind, card.id) }

function commonFields(card: Card): JsonObject {
  const run = card.kind === 'tool' ? howToRun(card) : null
  const { reader, location, details } = card.provenance
  return {
    ...(card.title === undefined ? {} : { title: oneLine(card.title, 200) }),
    ...(card.publisher === undefined ? {} : { publisher: oneLine(card.publisher, 120) }),
    ...(card.tags.length === 0 ? {} : { tags: card.tags.map((tag) => oneLine(tag, 80)) }),
    ...(card.examples.length === 0 ? {} : { examples: card.examples.map((one) => printable(one)) }),
    ...(card.enrichment === undefined ? {} : { enrichment: enrichmentOf(card.enrichment) }),
    ...(run === null ? {} : { run }),
    provenance: { reader, location: shownLocation(location), ...(details === undefined ? {} : { details }) },
  }
}

const enrichmentOf = (enrichment: Enrichment): JsonObject => ({
  note: oneLine(writtenBy(enrichment), 200),
  whenToUse: oneLine(enrichment.whenToUse, 400),
  example: oneLine(enrichment.example, 300),
  tags: enrichment.tags.map((tag) => oneLine(tag, 80)),
})

const backboneOf = ({ name, id, description }: NonNullable<AgentCard['backbone']>): JsonObject => ({
  name: oneLine(name, 120),
  ...(id === undefined ? {} : { id: oneLine(id, 200) }),
  ...(description === undefined ? {} : { description: oneLine(description, 500) }),
})
