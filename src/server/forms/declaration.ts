import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { ToolCard } from '../../domain/card.ts'
import { clipWords } from '../text.ts'
import { inputSchemaOf } from './input-schema.ts'
import { definitionAt } from './signature.ts'

/** How much a declaration tells, poorest first. */
export type DeclarationLevel = 'required' | 'all' | 'documented'

/** Schemas, properties of one object and values of one union that are written out, at most. */
const most = { schemas: 600, properties: 80, values: 40, depth: 4, literal: 200 }
const longestNote = 80

/**
 * A tool as TypeScript declares a function, for hosts whose model writes code: it compiles as it stands. What is left out for room is
 * `unknown`, or an index signature.
 */
export function declarationOf(card: ToolCard, name: string, level: DeclarationLevel): string {
  const input = inputSchemaOf(card) ?? { type: 'object' }
  const output = card.outputSchema
  const result = output === undefined || level === 'required' ? 'unknown' : typeIn(output, 'all')
  const takes = typeIn({ type: 'object', ...input }, level)
  const isNeeded = Array.isArray(input.required) && input.required.length > 0
  return `declare function ${identifier(name)}(input${isNeeded ? '' : '?'}: ${takes}): Promise<${result}>`
}

/** The type of a schema, whose definitions are looked up in itself. The work that a hostile one can cause is bounded. */
function typeIn(root: JsonObject, level: DeclarationLevel): string {
  let left = most.schemas

  function typeOf(schema: JsonValue | undefined, depth: number): string {
    left -= 1
    if (!isJsonObject(schema) || left < 0 || depth > most.depth) return 'unknown'
    if (typeof schema.$ref === 'string') return typeOf(definitionAt(root, schema.$ref), depth + 1)
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices) && !isJsonObject(schema.properties))
      return union(choices.map((one) => typeOf(one, depth + 1)))
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => typeOf({ ...schema, type }, depth + 1)))
    if (schema.type === 'array') return `Array<${typeOf(schema.items, depth + 1)}>`
    if (schema.type === 'object' || isJsonObject(schema.properties)) return objectOf(schema, depth)
    return typeof schema.type === 'string' ? (plain.get(schema.type) ?? 'unknown') : 'unknown'
  }

  function objectOf({ properties, required, additionalProperties }: JsonObject, depth: number): string {
    const all = isJsonObject(properties) ? Object.entries(properties) : []
    const isRequired = new Set(Array.isArray(required) ? required : [])
    const wanted = all
      .filter(([name]) => level !== 'required' || isRequired.has(name))
      .slice(0, most.properties)
    const members = wanted.map(([name, schema]) => {
      const note = level === 'documented' && isJsonObject(schema) ? comment(schema.description) : ''
      return `${note}${nameOf(name)}${isRequired.has(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`
    })
    if (all.length === 0)
      return isJsonObject(additionalProperties)
        ? `Record<string, ${typeOf(additionalProperties, depth + 1)}>`
        : 'Record<string, unknown>'
    return `{ ${[...members, ...(wanted.length < all.length ? ['[more: string]: unknown'] : [])].join('; ')} }`
  }

  return typeOf(root, 0)
}

const plain: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  return different.length === 0 || different.length > most.values || different.includes('unknown')
    ? 'unknown'
    : different.join(' | ')
}

/** A value as a type; texts keep their letters, so that they can be passed on. */
function literal(value: JsonValue | undefined): string {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
  const text = isPlain ? JSON.stringify(value) : undefined
  return text === undefined || text.length > most.literal ? 'unknown' : text
}

const isWord = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

const nameOf = (name: string): string => (isWord(name) ? name : JSON.stringify(name))

/** Names that no function may have. */
const reserved = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw ' +
    'true try typeof var void while with yield'
  ).split(' '),
)

/** A tool's name as hosts that run code write it: what is no letter, figure or underscore becomes one. */
function identifier(name: string): string {
  const word = name.replace(/[^\w$]/g, '_').slice(0, 120)
  return isWord(word) && !reserved.has(word) ? word : `_${word}`
}

/** A publisher's words, which cannot end the comment that they stand in. */
function comment(said: JsonValue | undefined): string {
  const text = typeof said === 'string' ? clipWords(said, longestNote).replaceAll('*/', '* /') : ''
  return text === '' ? '' : `/** ${text} */ `
}
