import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

/** Parts that one schema may bring along; a description of thousands of types would otherwise stand in every card. */
const mostParts = 64
/** Characters of JSON that they may have together; parts nearer to the schema come first. */
const mostCharacters = 20_000
/** Nesting that is copied; what lies deeper is left open. */
const deepest = 48

/** Follows the references inside one document. Nothing is ever fetched. */
export type LocalReferences = {
  /** The object itself, or what its chain of `$ref` ends at; undefined when that is no object or the chain is broken. */
  resolve(value: unknown): JsonObject | undefined
  /** The schema as one that stands alone: what it refers to is brought along in `$defs`, circles included. */
  standalone(schema: JsonObject): JsonObject
  /** References that could not be followed so far: to other files, or to nothing. */
  readonly missing: ReadonlySet<string>
}

/** References of the document `root`. */
export function localReferences(root: unknown): LocalReferences {
  const missing = new Set<string>()

  function resolve(value: unknown): JsonObject | undefined {
    const followed = new Set<string>()
    let current = value
    while (isJsonObject(current) && typeof current.$ref === 'string') {
      const reference = current.$ref
      const target = followed.has(reference) ? undefined : pointedAt(root, reference)
      if (target === undefined) missing.add(reference)
      followed.add(reference)
      current = target
    }
    return isJsonObject(current) ? current : undefined
  }

  function standalone(schema: JsonObject): JsonObject {
    const parts = partsOf(resolve)
    const top = resolve(schema)
    if (top === undefined) return unread(schema)
    const { $ref: _, ...beside } = schema
    const copy = parts.copy(top === schema ? schema : { ...top, ...beside })
    const definitions = parts.definitions()
    return definitions === undefined
      ? copy
      : { ...copy, $defs: { ...objectIn(copy, '$defs'), ...definitions } }
  }

  return { resolve, standalone, missing }
}

/** Collects what copied schemas refer to: each part gets a name, once, so that circles end. */
function partsOf(resolve: LocalReferences['resolve']) {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const waiting: { readonly name: string; readonly schema: JsonObject }[] = []

  function nameFor(reference: string, schema: JsonObject): string | undefined {
    const known = names.get(reference)
    if (known !== undefined || names.size >= mostParts) return known
    const last = reference.slice(reference.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '_') || 'part'
    let name = last
    for (let number = 2; taken.has(name); number += 1) name = `${last}_${number}`
    names.set(reference, name)
    taken.add(name)
    waiting.push({ name, schema })
    return name
  }

  function copy(schema: JsonObject): JsonObject {
    return copyObject(schema, 0)
  }

  function copyObject(schema: JsonObject, depth: number): JsonObject {
    if (depth > deepest) return {}
    if (typeof schema.$ref === 'string') return copyReference(schema, schema.$ref, depth)
    return mapSubschemas(schema, (subschema) => copyObject(subschema, depth + 1))
  }

  function copyReference(schema: JsonObject, reference: string, depth: number): JsonObject {
    const { $ref: _, ...beside } = schema
    const target = resolve(schema)
    if (target === undefined) return unread(schema)
    const name = nameFor(reference, target)
    const kept = copyObject(beside, depth + 1)
    return name === undefined
      ? { ...leftOut(lastStep(reference), target), ...kept }
      : { $ref: `#/$defs/${name}`, ...kept }
  }

  /** Parts in the order they were met, so that what is left out is what lies farthest away. */
  function definitions(): JsonObject | undefined {
    const found: [string, JsonObject][] = []
    let characters = 0
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const part = characters < mostCharacters ? copy(next.schema) : leftOut(next.name, next.schema)
      characters += JSON.stringify(part).length
      found.push([next.name, part])
    }
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }

  return { copy, definitions }
}

/** Stands for a part that was not read: any value is allowed, and the text says why. */
const unread = ({ $ref, ...beside }: JsonObject): JsonObject => ({
  description: `Described in ${String($ref)}, which was not read`,
  ...beside,
})

/** Stands for a part for which there is no room. */
const leftOut = (name: string, schema: JsonObject): JsonObject => ({
  ...(typeof schema.type === 'string' ? { type: schema.type } : {}),
  description: `${name}, left out here because the whole is too large`,
})

const lastStep = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

/**
 * What a local reference such as `#/components/schemas/Pet` points at.
 *
 * @returns undefined when it points nowhere or is not local
 * @see RFC 6901
 */
export function pointedAt(root: unknown, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const key = keyOfStep(step)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined
    target = (target as JsonObject)[key]
  }
  return target
}

/** A step of a JSON pointer in a URI fragment (RFC 6901, section 6) as the key that it means. */
export function keyOfStep(step: string): string {
  const unescaped = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return unescaped(decodeURIComponent(step))
  } catch {
    return unescaped(step) // a stray percent sign is part of the name
  }
}

/** Keywords whose values are data: nothing in them is a schema. */
const dataKeywords: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'example', 'examples'])
/** Keywords whose values map names to schemas; a name may read like a keyword. */
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** A copy of the schema in which each schema directly inside it is changed; the rest stays as published. */
export function mapSubschemas(schema: JsonObject, change: (subschema: JsonObject) => JsonObject): JsonObject {
  const changed = (value: JsonValue): JsonValue => (isJsonObject(value) ? change(value) : value)
  return mapValues(schema, (value, keyword) => {
    if (dataKeywords.has(keyword)) return value
    if (mapKeywords.has(keyword) && isJsonObject(value)) return mapValues(value, changed)
    return Array.isArray(value) ? value.map(changed) : changed(value)
  })
}

const mapValues = (object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
