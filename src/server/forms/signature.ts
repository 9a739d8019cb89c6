import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { ToolCard } from '../../domain/tool-card.ts'
import { analyze } from '../../retrieval/text/analyze.ts'
import { inputSchemaOf } from '../tools/input-schema.ts'
import { clipWords } from '../answers/quoted-text.ts'
import { notationOf, type Richness } from './type-notation.ts'

/** How much of a tool's inputs is told, poorest first. The first three tell what a call needs. */
export type SignatureLevel = keyof typeof levels

const levels = {
  shallow: { depth: 0, values: 8, properties: 'required', described: 'none' },
  required: { depth: 2, values: 24, properties: 'required', described: 'none' },
  all: { depth: 2, values: 24, properties: 'all', described: 'none' },
  explained: { depth: 2, values: 24, properties: 'all', described: 'required' },
  described: { depth: 3, values: 40, properties: 'all', described: 'all' },
} as const satisfies Record<string, Richness & { readonly described: 'none' | 'required' | 'all' }>

const longestNote = 60
/** Longest signature in characters: one that is longer is cut between two inputs. */
const longest = { shallow: 400, richer: 2_400 }

/**
 * How a tool is called: `owner: string - account; repo: string; state?: 'open'|'closed'`. Required inputs come first.
 * `…` stands for what was cut. A tool that takes nothing has `none`, one that does not say has `unknown`.
 *
 * @param said - text that stands beside it: an input's description that adds no word to it is left out
 */
export function signatureOf(card: ToolCard, level: SignatureLevel, said = ''): string {
  const schema = inputSchemaOf(card)
  if (schema === undefined) return 'unknown'
  const { described, ...richness } = levels[level]
  const notation = notationOf(schema)
  const known = described === 'none' ? undefined : new Set(analyze(`${said} ${card.name}`))
  const noteOf = (name: string, property: JsonValue, isRequired: boolean): string =>
    known !== undefined && (isRequired || described === 'all') ? note(name, property, known) : ''
  const members = isObject(schema)
    ? notation.membersOf(schema, richness, noteOf)
    : [notation.typeOf(schema, { ...richness, depth: richness.depth + 1 })]
  return members.length === 0
    ? 'none'
    : joined(members, level === 'shallow' ? longest.shallow : longest.richer)
}

/** A schema whose inputs are in `anyOf` or behind a reference is written as a type. */
const isObject = (schema: JsonObject): boolean =>
  isJsonObject(schema.properties) || !['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)

/** What an input's description adds to its name, its type and what is said already. */
function note(name: string, property: JsonValue, known: ReadonlySet<string>): string {
  if (!isJsonObject(property) || typeof property.description !== 'string') return ''
  const { type, format, enum: values } = property
  const own = new Set(analyze(`${name} ${JSON.stringify([type, format, values])}`))
  const adds = analyze(property.description.slice(0, 400)).some(
    (word) => !idle.has(word) && !known.has(word) && !own.has(word),
  )
  return adds ? clipWords(property.description, longestNote).replaceAll(';', ',').replace(/\.$/, '') : ''
}

/** Words that tell nothing of an input. */
const idle = new Set(analyze('use used name value parameter argument input optional required string given'))

function joined(members: readonly string[], most: number): string {
  let length = 0
  const shown = members.filter((member) => {
    length += member.length + 2
    return length <= most
  })
  if (shown.length === members.length) return members.join('; ')
  const cutBefore = Number(/^…(\d+) /.exec(members.at(-1)!)?.[1] ?? 0)
  const cut = members.length - shown.length + Math.max(0, cutBefore - 1)
  return [...shown, `…${cut} more`].join('; ')
}
