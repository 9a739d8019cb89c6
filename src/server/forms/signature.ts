import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { ToolCard } from '../../domain/card.ts'
import { analyze } from '../../retrieval/text/analyze.ts'
import { clipWords, oneLine } from '../text.ts'
import { inputSchemaOf } from './input-schema.ts'

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
  const notation = new Notation(schema)
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

/** How much of a schema is written out. What is cut leaves an ellipsis. */
type Richness = {
  /** Levels of objects and lists inside each other, from 0. */
  readonly depth: number
  /** Values of an enumeration, at most. */
  readonly values: number
  /** Which properties of an object are written. */
  readonly properties: 'required' | 'all'
}

/** What is said of a property behind its type; empty for nothing. */
type NoteOf = (name: string, schema: JsonValue, isRequired: boolean) => string

/** Schemas written out, at most. */
const mostSchemas = 600
/** Properties of an object written out, at most. */
const mostMembers = 80
const longestName = 64
/** What most names, types and values are: they need no cleaning. */
const usualWord = /^[A-Za-z0-9_.-]{1,64}$/
const longestValue = 40

/**
 * Schemas in the manner of TypeScript, which every model reads and which costs a fraction of JSON Schema:
 * `{owner: string; state?: 'open'|'closed'}`. Definitions are looked up in the schema itself; the work that a hostile one can
 * cause is bounded.
 */
class Notation {
  readonly #root: JsonObject
  #left = mostSchemas
  readonly #orders = new Map<JsonObject, Order>()
  constructor(root: JsonObject) {
    this.#root = root
  }

  typeOf(schema: JsonValue | undefined, richness: Richness): string {
    this.#left -= 1
    if (this.#left < 0) return '…'
    if (!isJsonObject(schema)) return 'any'
    if (typeof schema.$ref === 'string') {
      const target = definitionAt(this.#root, schema.$ref)
      return target === undefined ? '…' : this.typeOf(target, richness)
    }
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal), richness.values)
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices))
      return union(
        choices.map((one) => this.typeOf(one, richness)),
        richness.values,
      )
    if (Array.isArray(schema.allOf) && schema.properties === undefined)
      return schema.allOf.map((one) => this.typeOf(one, richness)).join('&') || 'any'
    if (Array.isArray(schema.type))
      return union(
        schema.type.map((type) => this.typeOf({ ...schema, type }, richness)),
        richness.values,
      )
    if (schema.type === 'array' || isJsonObject(schema.items)) return this.#listOf(schema.items, richness)
    if (schema.type === 'object' || isJsonObject(schema.properties)) return this.#objectOf(schema, richness)
    return typeof schema.type === 'string' ? plain(schema.type, schema) : 'any'
  }

  #listOf(items: JsonValue | undefined, richness: Richness): string {
    if (items === undefined) return 'any[]'
    if (richness.depth === 0 && isDeep(items)) return 'object…[]'
    const type = this.typeOf(items, richness)
    return /[|&]/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
  }

  #objectOf(schema: JsonObject, richness: Richness): string {
    const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties).length : 0
    if (properties > 0)
      return richness.depth === 0 ? 'object…' : `{${this.membersOf(schema, inside(richness)).join('; ')}}`
    const values = schema.additionalProperties
    return isJsonObject(values) && Object.keys(values).length > 0 && richness.depth > 0
      ? `{[key]: ${this.typeOf(values, inside(richness))}}`
      : 'object'
  }

  membersOf(schema: JsonObject, richness: Richness, noteOf?: NoteOf): readonly string[] {
    const { properties, required, optional } = this.#orderOf(schema)
    const wanted = richness.properties === 'all' ? [...required, ...optional] : required
    const shown = this.#left < 0 ? [] : wanted.slice(0, mostMembers)
    const isRequired = new Set(required.slice(0, mostMembers))
    const members = shown.map((name) => {
      const mark = isRequired.has(name) ? '' : '?'
      const note = noteOf?.(name, properties[name]!, isRequired.has(name)) ?? ''
      return `${nameOf(name)}${mark}: ${this.typeOf(properties[name], richness)}${note === '' ? '' : ` - ${note}`}`
    })
    const cut = required.length + optional.length - shown.length
    return cut === 0
      ? members
      : [...members, `…${cut} ${shown.length === wanted.length ? 'optional' : 'more'}`]
  }

  /** The same object is met again and again where definitions hold themselves. */
  #orderOf(schema: JsonObject): Order {
    const known = this.#orders.get(schema)
    if (known !== undefined) return known
    const properties = isJsonObject(schema.properties) ? schema.properties : {}
    const isRequired = new Set(Array.isArray(schema.required) ? schema.required : [])
    const names = Object.keys(properties)
    const order = {
      properties,
      required: names.filter((name) => isRequired.has(name)),
      optional: names.filter((name) => !isRequired.has(name)),
    }
    this.#orders.set(schema, order)
    return order
  }
}

/** The properties of an object, and their names as they are written. */
type Order = {
  readonly properties: JsonObject
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

const inside = (richness: Richness): Richness => ({ ...richness, depth: Math.max(0, richness.depth - 1) })

const isDeep = (schema: JsonValue): boolean =>
  isJsonObject(schema) && ('properties' in schema || '$ref' in schema || 'items' in schema)

/** A type by its name, with what its values must be. */
function plain(type: string, { format, minimum, maximum }: JsonObject): string {
  const name = usualWord.test(type) ? type : oneLine(type, longestName)
  if (typeof format === 'string') return `${name}(${oneLine(format, longestName)})`
  if (typeof minimum !== 'number' && typeof maximum !== 'number') return name
  if (Math.abs(Number(maximum ?? 0)) >= 2 ** 31 - 1) return name
  return typeof maximum === 'number' ? `${name}(${minimum ?? ''}..${maximum})` : `${name}(>=${minimum})`
}

function union(types: readonly string[], most: number): string {
  const different = [...new Set(types)]
  const shown = different.slice(0, most)
  const cut = different.length - shown.length
  return [...shown, ...(cut === 0 ? [] : [`…${cut} more`])].join('|') || 'any'
}

/** A value; texts stand between single quotes, which cost less than double ones inside JSON. */
function literal(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return oneLine(JSON.stringify(value) ?? 'any', longestValue)
  if (usualWord.test(value) && value.length <= longestValue) return `'${value}'`
  const text = oneLine(value, longestValue)
  return text.includes("'") || text.includes('\\') ? JSON.stringify(text) : `'${text}'`
}

function nameOf(name: string): string {
  if (usualWord.test(name)) return name
  const text = oneLine(name, longestName)
  return /^[\p{L}\p{N}_$.-]+$/u.test(text) ? text : JSON.stringify(text)
}

/** The definition that a reference inside the schema leads to. */
export function definitionAt(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined
  let at: JsonValue | undefined = root
  for (const step of reference.slice(2).split('/').slice(0, 8)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}
