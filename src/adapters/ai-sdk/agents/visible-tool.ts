import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import { printable, visible } from '../../../domain/text/printable.ts'
import { visibleJson } from '../../../domain/text/masked-json.ts'
import type { ReadableText } from '../../../trust/scan/cut-suspected.ts'

/** A tool as a model gets it: nothing in it that nobody sees. */
type VisibleTool = {
  readonly description: string
  /** An object's. */
  readonly inputSchema: object
  /** Arguments as its server knows them: with the names and choices of its schema as they were published. */
  published(args: JsonObject): JsonObject
}

/**
 * What an MCP server says of a tool, cleaned as every text of others is that leaves us; see `hidden.ts`.
 *
 * @param cuts - what stands for texts out of which sentences are cut
 */
export function visibleTool(
  { description, inputSchema }: JsonObject,
  cuts: ReadonlyMap<string, { readonly text: string }> = new Map(),
): VisibleTool {
  const cut = (text: string): string => cuts.get(text)?.text ?? text
  const cleaned = inputSchema === undefined ? undefined : visibleJson(mapTexts(inputSchema, cut))
  const originals = originalNames(inputSchema, (text) => visible(cut(text)))
  return {
    description: typeof description === 'string' ? printable(cut(description)) : '',
    inputSchema: objectSchema(cleaned),
    published: (args) => (originals.size === 0 ? args : (restored(args, originals) as JsonObject)),
  }
}

/** Providers want an object; some servers leave the schema of tools without parameters out. */
const objectSchema = (schema: JsonValue | undefined): object =>
  isJsonObject(schema) && schema.type === 'object'
    ? schema
    : { ...(isJsonObject(schema) ? schema : {}), type: 'object' }

/** Deeper than any schema that a model could be asked to fill in. */
const deepest = 100

/** Names of properties and choices that are others once they are shown, by what is shown. */
function originalNames(
  schema: JsonValue | undefined,
  shown: (text: string) => string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const collect = (value: JsonValue | undefined, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > deepest) return
    const { properties, enum: choices, const: sole } = isJsonObject(value) ? value : {}
    for (const text of [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...(Array.isArray(choices) ? choices : []),
      sole,
    ]) {
      if (typeof text === 'string' && shown(text) !== text) found.set(shown(text), text)
    }
    for (const inner of Object.values(value)) collect(inner as JsonValue, depth + 1)
  }
  collect(schema, 0)
  return found
}

function restored(value: JsonValue, originals: ReadonlyMap<string, string>, depth = 0): JsonValue {
  if (typeof value === 'string') return originals.get(value) ?? value
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((one: JsonValue) => restored(one, originals, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      originals.get(name) ?? name,
      restored(inner, originals, depth + 1),
    ]),
  )
}

/** What these hold is for programs: a schema without it is another one. */
const structural = new Set([
  'type',
  'required',
  'format',
  'pattern',
  '$ref',
  '$schema',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
])
/** Data rather than documentation. */
const values = new Set(['enum', 'const', 'default', 'example', 'examples'])

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
function mapTexts(
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
