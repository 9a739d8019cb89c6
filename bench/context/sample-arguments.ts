import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts'
import { definitionAt } from '../../src/server/forms/signature.ts'

const texts: { readonly [format: string]: string } = {
  uri: 'https://example.org',
  url: 'https://example.org',
  email: 'a@example.org',
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

/** The least that a schema of an object admits, to show that a call and its result arrive. Patterns are not looked at. */
export const sampleArguments = (schema: JsonObject): JsonObject => {
  const value = sampleOf(schema, schema)
  return isJsonObject(value) ? value : {}
}

function sampleOf(schema: JsonValue | undefined, root: JsonObject): JsonValue {
  if (!isJsonObject(schema)) return 'x'
  if (typeof schema.$ref === 'string') return sampleOf(definitionAt(root, schema.$ref), root)
  if ('const' in schema) return schema.const!
  if (Array.isArray(schema.enum)) return schema.enum[0]!
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && schema.properties === undefined) return sampleOf(choices[0], root)
  if (Array.isArray(schema.allOf) && schema.properties === undefined)
    return Object.assign({}, ...schema.allOf.map((one) => sampleOf(one, root))) as JsonObject
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type ?? 'object') {
    case 'string':
      return texts[String(schema.format)] ?? 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)))
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array': {
      const tuple = schema.prefixItems ?? schema.items
      if (Array.isArray(tuple)) return tuple.map((item) => sampleOf(item, root))
      return Array.from({ length: Number(schema.minItems ?? 1) }, () => sampleOf(schema.items, root))
    }
    default:
      return objectOf(schema, root)
  }
}

function objectOf({ properties, required }: JsonObject, root: JsonObject): JsonObject {
  const known = isJsonObject(properties) ? properties : {}
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(names.map((name) => [name, sampleOf(known[name], root)]))
}
