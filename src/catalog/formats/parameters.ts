import { type JsonObject, isJsonObject } from '../../domain/json.ts'
import type { Parameter } from '../../domain/card.ts'
import { pointedAt } from './json-schema.ts'

/** Dotted names go this deep: `a.b.c.d`. */
const deepestName = 4
/** More inputs than this are not listed; nobody reads them, and a hostile schema could make millions. */
const mostParameters = 256
/** Schema nodes looked at before giving up: references and combinations may multiply. */
const mostNodes = 10_000
/** An enumeration is spelled out in the description up to this length in characters. */
const longestChoices = 160

/** Type words of Python-minded corpora, and what JSON Schema calls them. */
const typeWords: ReadonlyMap<string, string> = new Map([
  ['dict', 'object'],
  ['float', 'number'],
  ['double', 'number'],
  ['str', 'string'],
  ['int', 'integer'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['tuple', 'array'],
])

/** JSON Schema's word for a type, for `dict`, `Float`, `STRING` and the like too; other words stay as they are. */
export const typeWord = (published: string): string => {
  const word = published.trim()
  const lower = word.toLowerCase()
  return (
    typeWords.get(lower) ?? (/^(?:string|number|integer|boolean|object|array)$/.test(lower) ? lower : word)
  )
}

/**
 * Flattens a JSON Schema of arguments into the inputs a person reads and search finds.
 *
 * Outer inputs come before inner ones; the members of objects, and of objects in arrays, get dotted names. Local
 * references are followed once per path, `allOf`, `anyOf` and `oneOf` are united, and what is not a schema gives
 * nothing: it never throws.
 *
 * @param schema - an object schema; `properties` and `required` as published
 * @param root - the document that local references point into, when it is not the schema itself
 * @returns at most 256 parameters, breadth first, each level in the published order
 */
export function parametersOf(schema: unknown, root: unknown = schema): Parameter[] {
  const walk: Walk = { root, nodes: 0 }
  const found: Parameter[] = []
  let level: readonly Named[] = [{ name: '', shape: shapeOf(schema, walk, { references: [], nesting: 0 }) }]
  for (let depth = 1; depth <= deepestName && level.length > 0; depth += 1) {
    const next: Named[] = []
    for (const { name, shape } of level) {
      const holder = shape.properties.size === 0 && shape.items !== null ? innermost(shape.items) : shape
      for (const [key, value] of holder.properties) {
        if (found.length >= mostParameters) return found
        const inner = shapeOf(value, walk, { references: holder.references, nesting: 0 })
        const fullName = name === '' ? key : `${name}.${key}`
        found.push(parameter(fullName, inner, holder.required.has(key) || inner.saysRequired))
        next.push({ name: fullName, shape: inner })
      }
    }
    level = next
  }
  return found
}

type Walk = { readonly root: unknown; nodes: number }
type Place = Pick<Shape, 'references'> & { readonly nesting: number }
type Named = { readonly name: string; readonly shape: Shape }

/** A schema with its references and combinations worked in. */
type Shape = {
  readonly types: ReadonlySet<string>
  readonly description: string
  readonly choices: readonly unknown[]
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** `required: true` at the property itself, as JSON Schema's third draft had it. */
  readonly saysRequired: boolean
  readonly items: Shape | null
  /** References followed to get here: another turn around the same circle adds nothing. */
  readonly references: readonly string[]
}

const nothing: Shape = {
  types: new Set(),
  description: '',
  choices: [],
  properties: new Map(),
  required: new Set(),
  saysRequired: false,
  items: null,
  references: [],
}

function shapeOf(value: unknown, walk: Walk, { references, nesting }: Place): Shape {
  walk.nodes += 1
  if (walk.nodes > mostNodes || nesting > 24) return nothing
  if (typeof value === 'string') return shapeOfText(value, references)
  if (!isJsonObject(value)) return nothing
  const inner = (part: unknown, followed = references) =>
    shapeOf(part, walk, { references: followed, nesting: nesting + 1 })
  const parts: Shape[] = [ownShape(value, references, inner)]
  if (typeof value.$ref === 'string' && !references.includes(value.$ref)) {
    parts.push(inner(pointedAt(walk.root, value.$ref), [...references, value.$ref]))
  }
  if (Array.isArray(value.allOf)) for (const part of value.allOf) parts.push(inner(part))
  for (const choice of [value.anyOf, value.oneOf]) {
    if (Array.isArray(choice)) for (const part of choice) parts.push({ ...inner(part), required: new Set() })
  }
  return parts.length === 1 ? parts[0]! : parts.reduce(unite)
}

/** Some corpora write `"city": "string"` or `"city": "Name of the city"` for a whole schema. */
function shapeOfText(text: string, references: readonly string[]): Shape {
  return /^[A-Za-z]+(?:[<[(].*)?$/.test(text.trim())
    ? { ...nothing, types: new Set([typeWord(text)]), references }
    : { ...nothing, description: text.trim(), references }
}

function ownShape(schema: JsonObject, references: readonly string[], inner: (part: unknown) => Shape): Shape {
  const items = Array.isArray(schema.items) ? schema.items[0] : schema.items
  const itemShape = items === undefined || items === null ? null : inner(items)
  return {
    types: new Set(typesOf(schema)),
    description: typeof schema.description === 'string' ? schema.description.trim() : '',
    choices: Array.isArray(schema.enum)
      ? schema.enum
      : 'const' in schema
        ? [schema.const]
        : (itemShape?.choices ?? []),
    properties: isJsonObject(schema.properties)
      ? new Map(Object.entries(schema.properties))
      : nothing.properties,
    required: new Set(
      Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [],
    ),
    saysRequired: schema.required === true || schema.required === 'true',
    items: itemShape,
    references,
  }
}

function typesOf(schema: JsonObject): string[] {
  if (typeof schema.type === 'string') return [typeWord(schema.type)]
  if (!Array.isArray(schema.type)) return []
  return schema.type.filter((type) => typeof type === 'string').map(typeWord)
}

/** Both shapes as one; what the first one says of itself stands. */
function unite(first: Shape, second: Shape): Shape {
  return {
    types: new Set([...first.types, ...second.types]),
    description: first.description || second.description,
    choices: [...new Set([...first.choices, ...second.choices])],
    properties: new Map([...first.properties, ...second.properties, ...first.properties]),
    required: new Set([...first.required, ...second.required]),
    saysRequired: first.saysRequired || second.saysRequired,
    items: first.items ?? second.items,
    references: [...new Set([...first.references, ...second.references])],
  }
}

const innermost = (shape: Shape): Shape =>
  shape.items !== null && shape.properties.size === 0 ? innermost(shape.items) : shape

function parameter(name: string, shape: Shape, required: boolean): Parameter {
  const type = typeText(shape)
  return { name, description: withChoices(shape), ...(type === '' ? {} : { type }), required }
}

/** For people: `string`, `integer | null` without the null, `object[]`. */
function typeText(shape: Shape): string {
  const types = [...shape.types].filter((type) => type !== 'null')
  if (types.length === 0) return shape.properties.size > 0 ? 'object' : shape.items !== null ? 'array' : ''
  return types
    .map((type) => (type === 'array' && shape.items !== null ? arrayText(shape.items) : type))
    .join(' | ')
}

const arrayText = (items: Shape): string => {
  const inner = typeText(items)
  return inner === '' ? 'array' : inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
}

function withChoices({ description, choices }: Shape): string {
  const listed = choices
    .map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)))
    .join(', ')
  if (listed === '' || listed.length > longestChoices) return description
  if (choices.every((choice) => typeof choice === 'string' && description.includes(choice)))
    return description
  const gap = description === '' ? '' : /[.!?:;]$/.test(description) ? ' ' : '. '
  return `${description}${gap}One of: ${listed}.`
}
