import { keyOfStep } from '../../catalog/formats/json-schema.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Parameter, ToolCard } from '../../domain/card.ts'

/** The schema of a tool's arguments: as published, or made of its parameters, or undefined when it states neither. */
export function inputSchemaOf(card: ToolCard): JsonObject | undefined {
  if (card.inputSchema !== undefined) return card.inputSchema
  return card.parameters.length === 0 ? undefined : schemaOfParameters(card.parameters)
}

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
/** Types as documentation in other languages has them. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
])

/** Parameters of documentation that has no schema. Inner ones (`address.city`) are part of their outer one. */
function schemaOfParameters(parameters: readonly Parameter[]): JsonObject {
  const names = new Set(parameters.map(({ name }) => name))
  const outer = parameters.filter(({ name }) => !hasOuter(name, names))
  const required = outer.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(outer.map((parameter) => [parameter.name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

const hasOuter = (name: string, names: ReadonlySet<string>): boolean => {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    if (names.has(name.slice(0, dot))) return true
  }
  return false
}

function schemaOf({ type: stated = '', description }: Parameter): JsonObject {
  const type = otherTypes.get(stated.toLowerCase()) ?? stated.toLowerCase()
  return {
    ...(jsonTypes.has(type) ? { type } : {}),
    ...(description === '' ? {} : { description }),
  }
}

/** What was left out of a schema to save room. */
type Cut = 'descriptions' | 'optional' | 'nested'

const cutsInOrder: readonly Cut[] = ['descriptions', 'optional', 'nested']

/** A schema that is whole, or says what was cut. */
type CompactSchema = { readonly schema: JsonObject; readonly cuts: readonly Cut[] }

/** How far to cut; each level cuts what the one before cuts, and more. */
export type SchemaLevel = 'whole' | 'undescribed' | 'required' | 'shallow'

/** Keywords that say nothing a caller obeys. */
const annotations = new Set(['$schema', '$comment', '$id', 'title', 'examples', 'example', 'deprecated'])
/** Keywords that only explain. */
const explanations = new Set(['description', 'markdownDescription', 'enumDescriptions', 'default'])
/** Keywords whose value maps names to schemas: the names are the publisher's and never keywords. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords whose value is data, not a schema. */
const plainData = new Set(['enum', 'const', 'default', 'required', 'type'])
/** Schemas nested deeper than this are cut at every level: nobody fills them in, and they could be hostile. */
const deepest = 16

/**
 * A schema of arguments, cut to what a caller needs: first without descriptions, then without optional properties,
 * then one level of properties with nothing but their types.
 *
 * @param published - as published; not changed
 */
export function compactSchema(published: JsonObject, level: SchemaLevel): CompactSchema {
  const cuts = new Set<Cut>()
  const schema = level === 'shallow' ? shallow(published, cuts) : walker(level, cuts)(published, 0)
  return { schema: withoutUnusedDefinitions(schema), cuts: cutsInOrder.filter((cut) => cuts.has(cut)) }
}

/** Copies a schema without what a level cuts, and notes what that was. */
function walker(level: SchemaLevel, cuts: Set<Cut>) {
  const walk = (schema: JsonObject, depth: number): JsonObject => {
    if (depth > deepest) {
      cuts.add('nested')
      return typeof schema.type === 'string' ? { type: schema.type } : {}
    }
    const kept: [string, JsonValue][] = []
    for (const [keyword, value] of Object.entries(schema)) {
      if (annotations.has(keyword) || keyword.startsWith('x-')) continue
      if (level !== 'whole' && explanations.has(keyword)) {
        if (keyword !== 'default') cuts.add('descriptions')
      } else if (plainData.has(keyword)) {
        kept.push([keyword, value])
      } else if (namedSchemas.has(keyword) && isJsonObject(value)) {
        const named =
          keyword === 'properties' && level === 'required' ? onlyRequired(schema, value, cuts) : value
        kept.push([keyword, mapValues(named, (inner) => walkValue(inner, depth + 1))])
      } else {
        kept.push([keyword, walkValue(value, depth + 1)])
      }
    }
    return Object.fromEntries(kept)
  }
  const walkValue = (value: JsonValue, depth: number): JsonValue => {
    if (isJsonObject(value)) return walk(value, depth)
    if (!Array.isArray(value)) return value
    if (depth <= deepest) return value.map((inner) => walkValue(inner, depth + 1))
    cuts.add('nested')
    return []
  }
  return walk
}

function onlyRequired(schema: JsonObject, properties: JsonObject, cuts: Set<Cut>): JsonObject {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const kept = Object.entries(properties).filter(([name]) => required.has(name))
  if (kept.length < Object.keys(properties).length) cuts.add('optional')
  return Object.fromEntries(kept)
}

/** The required properties of the first level with their types, and nothing else. */
function shallow(schema: JsonObject, cuts: Set<Cut>): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const kept = onlyRequired(schema, properties, cuts)
  const required = Object.keys(kept)
  return {
    type: 'object',
    properties: mapValues(kept, (inner) => onlyType(inner, cuts)),
    ...(required.length === 0 ? {} : { required }),
  }
}

function onlyType(schema: JsonValue, cuts: Set<Cut>): JsonObject {
  if (!isJsonObject(schema)) return {}
  for (const keyword of Object.keys(schema)) {
    if (explanations.has(keyword)) cuts.add('descriptions')
    else if (keyword !== 'type' && !annotations.has(keyword)) cuts.add('nested')
  }
  return isType(schema.type) ? { type: schema.type } : {}
}

const isType = (value: JsonValue | undefined): value is JsonValue =>
  typeof value === 'string' || (Array.isArray(value) && value.length <= 7)

/** Drops definitions that nothing refers to any more. References among definitions keep each other. */
function withoutUnusedDefinitions(schema: JsonObject): JsonObject {
  let current = schema
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = current[keyword]
    if (!isJsonObject(definitions)) continue
    const { [keyword]: _, ...rest } = current
    const used = new Set<string>()
    const queue = references(rest, keyword)
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (used.has(name) || !Object.hasOwn(definitions, name)) continue
      used.add(name)
      queue.push(...references(definitions[name]!, keyword))
    }
    const kept = Object.entries(definitions).filter(([name]) => used.has(name))
    current = kept.length === 0 ? rest : { ...rest, [keyword]: Object.fromEntries(kept) }
  }
  return current
}

/** Names of the definitions that a schema refers to, as `#/$defs/Name` or deeper. */
function references(value: JsonValue, keyword: string): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => references(inner, keyword))
  if (!isJsonObject(value)) return []
  const prefix = `#/${keyword}/`
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== '$ref') return plainData.has(key) ? [] : references(inner, keyword)
    if (typeof inner !== 'string' || !inner.startsWith(prefix)) return []
    return [keyOfStep(inner.slice(prefix.length).split('/')[0]!)]
  })
}

const mapValues = (object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
