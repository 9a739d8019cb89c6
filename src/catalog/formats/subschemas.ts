import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

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
