import type { JsonObject } from '../../domain/json.ts'
import type { ToolAnnotations, ToolCard } from '../../domain/card.ts'
import type { Reached } from '../asking/reached.ts'
import { compactSchema, inputSchemaOf } from './input-schema.ts'
import type { Forms, Piece } from '../answers/fitted-answer.ts'
import {
  addressField,
  deliveredCard,
  flagFields,
  flagLine,
  howToRun,
  listFields,
  nameFields,
  reachLine,
} from '../answers/card-fields.ts'
import { clipWords, oneLine, quoted } from '../text.ts'
import type { Detail } from '../search-input.ts'
import { type DeclarationLevel, declarationOf } from './declaration.ts'
import { type SignatureLevel, signatureOf } from './signature.ts'
import { reasonsOf, rounded, whyField, whyInBrief, whyLine, whyWhole } from '../answers/why.ts'
import { defined } from '../../domain/defined.ts'

/** A found tool. */
export type FoundToolCard = Omit<Reached, 'card'> & { readonly card: ToolCard }

/** Candidates that are told of at more length where room is short. */
const leading = 2

/** The place in {@link toolForms} of the form that has all that a call needs. */
export const callableTool = 2

/** The ways to show a found tool, poorest first, up to the detail asked for. */
export function toolForms(candidate: FoundToolCard, rank: number, detail: Detail): Forms {
  const found = { ...candidate, card: deliveredCard(candidate.card) }
  const bare = () => piece(found, rank, { description: 60 })
  if (detail === 'brief') return [bare, () => piece(found, rank, { description: 160 })]
  if (detail === 'signatures') {
    const declared = (level: DeclarationLevel) => () => declaredPiece(found, rank, level)
    return [bare, declared('required'), declared('all'), declared('documented')]
  }
  // An exact name to call says some of what a description does.
  const [long, brief] = candidate.reach === undefined ? [80, 60] : [52, 36]
  const short = rank <= leading ? long : brief
  const callable = (inputs: SignatureLevel, description: number) => () =>
    piece(found, rank, { description, inputs })
  const standard: Forms = [
    bare,
    callable('shallow', short),
    callable('required', short),
    callable('all', short),
    callable('all', 160),
    callable('explained', 160),
    callable('described', 240),
  ]
  if (detail === 'standard') return standard
  return [...standard, () => piece(found, rank, { description: 1_000, all: true })]
}

type Richness = {
  /** Characters of the description, at most. */
  readonly description: number
  readonly inputs?: SignatureLevel
  /** With everything that `detail: "full"` promises. */
  readonly all?: true
}

function piece(
  { card, score, signals, reach }: FoundToolCard,
  rank: number,
  { inputs, all, ...rest }: Richness,
): Piece {
  const description = clipWords(card.description, rest.description)
  const signature = inputs === undefined ? undefined : signatureOf(card, inputs, description)
  const reasons = all
    ? whyWhole(signals)
    : signature === undefined
      ? whyInBrief(signals)
      : inputs === 'explained' || inputs === 'described'
        ? whyField(signals, `${card.id} ${description} ${signature}`)
        : reasonsOf(signals)
  const structured = {
    id: card.id,
    ...reach,
    ...(reach === undefined ? nameFields(card) : {}),
    ...flagFields(card),
    description,
    ...(signature === undefined ? {} : { inputs: signature, ...effectsField(card.annotations, inputs) }),
    ...(signature === undefined ? {} : addressField(card)),
    ...(all ? moreFields(card) : {}),
    ...(reach === undefined || all ? { score: rounded(score, 2) } : {}),
    ...(Object.keys(reasons).length === 0 ? {} : { why: reasons }),
  }
  const because = whyLine(reasons)
  const form = signature ?? (all ? signatureOf(card, 'described', description) : undefined)
  const takes = form === undefined ? '' : ` takes ${quoted(form, 2_500)}`
  const head = `${rank}. ${quoted(card.id, 400)}${reachLine(reach)}${flagLine(card)}${takes}: ${quoted(description, 100)}`
  return {
    structured,
    line: because === '' ? head : `${head}; ${because}`,
    isCut: signature?.includes('…') === true,
  }
}

/** A tool as code declares it, under the name by which the asker's host calls it. */
function declaredPiece(
  { card, score, signals, reach }: FoundToolCard,
  rank: number,
  level: DeclarationLevel,
): Piece {
  const declaration = declarationOf(
    card,
    reach !== undefined && 'call' in reach ? reach.call : card.name,
    level,
  )
  const reasons = reasonsOf(signals)
  const because = whyLine(reasons)
  const line = `${rank}. ${quoted(card.id, 400)}${reachLine(reach)}${flagLine(card)}: ${quoted(declaration, 2_500)}`
  return {
    structured: {
      id: card.id,
      ...reach,
      ...(reach === undefined ? { ...nameFields(card), score: rounded(score, 2) } : {}),
      ...flagFields(card),
      description: clipWords(card.description, level === 'documented' ? 160 : 80),
      declaration,
      ...(Object.keys(reasons).length === 0 ? {} : { why: reasons }),
    },
    line: because === '' ? line : `${line}; ${because}`,
    isCut: level === 'required',
  }
}

/** What the publisher claims of a call's effects, in a word, what may do harm first of all; nothing of what is not claimed. */
function effectsField(
  claims: ToolAnnotations | undefined,
  level?: SignatureLevel,
): { readonly effects?: string } {
  const isRich = level !== 'shallow' && level !== 'required'
  if (claims?.readOnly === true) return isRich ? { effects: 'reads' } : {}
  if (claims?.destructive === true) return { effects: 'destroys' }
  return claims?.readOnly === false || claims?.destructive === false ? { effects: 'writes' } : {}
}

function moreFields(card: ToolCard): JsonObject {
  const { title, outputSchema, annotations } = card
  return defined({
    title: title && oneLine(title, 200),
    ...schemaFields(card),
    annotations: annotations && { ...annotations },
    outputSchema: outputSchema && compactSchema(outputSchema, 'whole').schema,
    ...listFields(card),
    run: howToRun(card) ?? undefined,
  })
}

function schemaFields(card: ToolCard): JsonObject {
  const published = inputSchemaOf(card)
  if (published === undefined) return {}
  const { schema, cuts } = compactSchema(published, 'whole')
  return { inputSchema: schema, ...(cuts.length === 0 ? {} : { trimmed: cuts }) }
}
