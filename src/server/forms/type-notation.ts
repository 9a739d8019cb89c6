import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { oneLine } from '../answers/quoted-text.ts'

/** How much of a schema is written out. What is cut leaves an ellipsis. */
export type Richness = {
  /** Levels of objects and lists inside each other, from 0. */
  readonly depth: number
  /** Values of an enumeration, at most. */
  readonly values: number
  /** Which properties of an object are written. */
  readonly properties: 'required' | 'all'
}

/** Writes types of one schema. Definitions are looked up in it; the work that a hostile one can cause is bounded. */
type Notation = {
  typeOf(schema: JsonValue | undefined, richness: Richness): string
  membersOf(schema: JsonObject, richness: Richness, noteOf?: NoteOf): readonly string[]
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
 * `{owner: string; state?: 'open'|'closed'}`.
 *
 * @param root - where `$ref` points into
 */
export function notationOf(root: JsonObject): Notation {
  let left = mostSchemas
  const orders = new Map<JsonObject, Order>()

  function typeOf(schema: JsonValue | undefined, richness: Richness): string {
    left -= 1
    if (left < 0) return '…'
    if (!isJsonObject(schema)) return 'any'
    if (typeof schema.$ref === 'string') {
      const target = definitionAt(root, schema.$ref)
      return target === undefined ? '…' : typeOf(target, richness)
    }
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal), richness.values)
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices))
      return union(
        choices.map((one) => typeOf(one, richness)),
        richness.values,
      )
    if (Array.isArray(schema.allOf) && schema.properties === undefined)
      return schema.allOf.map((one) => typeOf(one, richness)).join('&') || 'any'
    if (Array.isArray(schema.type))
      return union(
        schema.type.map((type) => typeOf({ ...schema, type }, richness)),
        richness.values,
      )
    if (schema.type === 'array' || isJsonObject(schema.items)) return listOf(schema.items, richness)
    if (schema.type === 'object' || isJsonObject(schema.properties)) return objectOf(schema, richness)
    return typeof schema.type === 'string' ? plain(schema.type, schema) : 'any'
  }

  function listOf(items: JsonValue | undefined, richness: Richness): string {
    if (items === undefined) return 'any[]'
    if (richness.depth === 0 && isDeep(items)) return 'object…[]'
    const type = typeOf(items, richness)
    return /[|&]/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
  }

  function objectOf(schema: JsonObject, richness: Richness): string {
    const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties).length : 0
    if (properties > 0)
      return richness.depth === 0 ? 'object…' : `{${membersOf(schema, inside(richness)).join('; ')}}`
    const values = schema.additionalProperties
    return isJsonObject(values) && Object.keys(values).length > 0 && richness.depth > 0
      ? `{[key]: ${typeOf(values, inside(richness))}}`
      : 'object'
  }

  function membersOf(schema: JsonObject, richness: Richness, noteOf?: NoteOf): readonly string[] {
    const { properties, required, optional } = orderOf(schema)
    const wanted = richness.properties === 'all' ? [...required, ...optional] : required
    const shown = left < 0 ? [] : wanted.slice(0, mostMembers)
    const isRequired = new Set(required.slice(0, mostMembers))
    const members = shown.map((name) => {
      const mark = isRequired.has(name) ? '' : '?'
      const note = noteOf?.(name, properties[name]!, isRequired.has(name)) ?? ''
      return `${nameOf(name)}${mark}: ${typeOf(properties[name], richness)}${note === '' ? '' : ` - ${note}`}`
    })
    const cut = required.length + optional.length - shown.length
    return cut === 0
      ? members
      : [...members, `…${cut} ${shown.length === wanted.length ? 'optional' : 'more'}`]
  }

  /** The same object is met again and again where definitions hold themselves. */
  function orderOf(schema: JsonObject): Order {
    const known = orders.get(schema)
    if (known !== undefined) return known
    const properties = isJsonObject(schema.properties) ? schema.properties : {}
    const isRequired = new Set(Array.isArray(schema.required) ? schema.required : [])
    const names = Object.keys(properties)
    const order = {
      properties,
      required: names.filter((name) => isRequired.has(name)),
      optional: names.filter((name) => !isRequired.has(name)),
    }
    orders.set(schema, order)
    return order
  }

  return { typeOf, membersOf }
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
function definitionAt(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined
  let at: JsonValue | undefined = root
  for (const step of reference.slice(2).split('/').slice(0, 8)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at
}
