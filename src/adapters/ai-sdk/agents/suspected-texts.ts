import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import type { ReadableText } from '../../../trust/scan/cut-suspected.ts'

/** What these hold is for programs: a schema without it is another one. */
const structural = new Set([
  ...['type', 'required', 'format', 'pattern', '$ref', '$schema', '$id', '$anchor', '$dynamicRef'],
  ...['$dynamicAnchor', 'dependentRequired', 'contentEncoding', 'contentMediaType'],
])
/** Data rather than documentation. */
const values = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** Deeper than any schema that a model could be asked to fill in. */
const deepest = 100

/** The texts by which a tool speaks to the model that gets it. Names of properties are none: a call needs them. */
export function textsOfTool({ description, inputSchema }: JsonObject): readonly ReadableText[] {
  const found: ReadableText[] = []
  if (typeof description === 'string') found.push({ register: 'reference', text: description })
  if (inputSchema !== undefined)
    mapTexts(inputSchema, (text, register) => {
      found.push({ register, text })
      return text
    })
  return found
}

/** The schema with others in the place of its texts. */
export function mapTexts(
  schema: JsonValue,
  other: (text: string, register: ReadableText['register']) => string,
): JsonValue {
  const mapped = (value: JsonValue, register: ReadableText['register'], depth: number): JsonValue => {
    if (typeof value === 'string') return other(value, register)
    if (typeof value !== 'object' || value === null || depth > deepest) return value
    if (Array.isArray(value)) return value.map((inner: JsonValue) => mapped(inner, register, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const isStructural = structural.has(name) && !isJsonObject(inner)
        const inside = values.has(name) ? 'value' : register
        return [name, isStructural ? inner : mapped(inner, inside, depth + 1)]
      }),
    )
  }
  return mapped(schema, 'reference', 0)
}
