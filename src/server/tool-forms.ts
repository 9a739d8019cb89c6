import type { JsonObject } from '../domain/json.ts'
import type { ToolCard } from '../domain/tool-card.ts'
import type { ScoredCard } from '../retrieval/answer.ts'
import { compactSchema, type SchemaLevel } from './compact-schema.ts'
import type { Detail } from './search-input.ts'
import type { Forms, Piece } from './fit-entries.ts'
import { flagFields, flagLine } from './flag-fields.ts'
import { howToRun } from './how-to-run.ts'
import { inputSchemaOf, signatureOf } from './input-schema.ts'
import { oneLine, quoted } from './quoted-text.ts'
import { rounded, why, whyInBrief, whyLine } from './why.ts'

/** A found tool. */
export type FoundTool = Omit<ScoredCard, 'card'> & { readonly card: ToolCard }

/** The ways to show a found tool, poorest first, up to the detail asked for. */
export function toolForms(found: FoundTool, rank: number, detail: Detail): Forms {
  const bare = () => piece(found, rank, { description: 60, explained: false })
  const brief = () => piece(found, rank, { description: 160, explained: true })
  if (detail === 'brief') return [bare, brief]
  const withSchema = (schema: SchemaLevel, description: number) => () =>
    piece(found, rank, { description, explained: true, schema })
  const standard: Forms = [
    bare,
    withSchema('shallow', 120),
    withSchema('required', 120),
    withSchema('undescribed', 160),
    withSchema('whole', 240),
  ]
  if (detail === 'standard') return standard
  return [
    ...standard,
    () => piece(found, rank, { description: 1_000, explained: true, schema: 'whole', all: true }),
  ]
}

type Richness = {
  /** Characters of the description, at most. */
  readonly description: number
  readonly explained: boolean
  readonly schema?: SchemaLevel
  /** With everything that `detail: "full"` promises. */
  readonly all?: true
}

function piece({ card, score, signals }: FoundTool, rank: number, richness: Richness): Piece {
  const { explained } = richness
  const description = oneLine(card.description, richness.description)
  const structured = {
    id: card.id,
    name: oneLine(card.name, 200),
    ...flagFields(card),
    ...(card.server === undefined ? {} : { server: oneLine(card.server, 80) }),
    description,
    ...(richness.schema === undefined ? {} : schemaFields(card, richness.schema)),
    ...(explained && card.annotations !== undefined ? { annotations: { ...card.annotations } } : {}),
    ...(richness.all === true ? moreFields(card) : {}),
    score: rounded(score, 3),
    why: explained ? why(signals) : whyInBrief(signals),
  }
  const inputs = signatureOf(card)
  const takes = inputs === '' || richness.schema === undefined ? '' : ` takes ${quoted(inputs, 160)}`
  const reasons = explained ? whyLine(signals) : ''
  const because = reasons === '' ? '' : `; ${reasons}`
  return {
    structured,
    line: `${rank}. ${quoted(card.id, 400)}${flagLine(card)}${takes}: ${quoted(description, 100)}${because}`,
  }
}

function schemaFields(card: ToolCard, level: SchemaLevel): JsonObject {
  const published = inputSchemaOf(card)
  if (published === undefined) return {}
  const { schema, cuts } = compactSchema(published, level)
  return { inputSchema: schema, ...(cuts.length === 0 ? {} : { trimmed: cuts }) }
}

function moreFields(card: ToolCard): JsonObject {
  const run = howToRun(card.runtime)
  return {
    ...(card.title === undefined ? {} : { title: oneLine(card.title, 200) }),
    ...(card.outputSchema === undefined
      ? {}
      : { outputSchema: compactSchema(card.outputSchema, 'whole').schema }),
    ...(card.tags.length === 0 ? {} : { tags: card.tags.slice(0, 20).map((tag) => oneLine(tag, 40)) }),
    ...(card.examples.length === 0
      ? {}
      : { examples: card.examples.slice(0, 5).map((one) => oneLine(one, 200)) }),
    ...(run === null ? {} : { run }),
  }
}
