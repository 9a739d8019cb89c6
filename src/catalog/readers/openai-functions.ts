import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { firstJsonLine, RefusedRecord, readJsonLines } from '../formats/json-lines.ts'
import { parametersOf, typeWord } from '../formats/parameters.ts'
import type { CardDraft, Problem, Reader, ReadResult, SourceDocument } from '../ports.ts'
import { textOf } from '../formats/published-fields.ts'
import { mapSubschemas } from '../formats/json-schema.ts'

/** What lies deeper in a schema than anybody nests is left open. */
const deepest = 48

/**
 * Reads functions in OpenAI's forms: wrapped as chat completions take them, flat as the Responses interface does, or
 * bare function objects; one, an array, or one a line. Type words such as `dict` and `float`, which some corpora
 * write, become those of JSON Schema.
 */
export const openaiFunctions: Reader = {
  name: 'openai-functions',
  describes: 'Function definitions as OpenAI takes them: wrapped, flat or bare (JSON, JSON Lines)',
  grain: 'catalog',
  recognises(document) {
    if (!/"(?:parameters|function)"/.test(document.text)) return false
    const first = firstJsonLine(document)
    if (first !== undefined) return isFunction(first)
    const json = document.json()
    return Array.isArray(json) ? json.some(isFunction) : isFunction(json)
  },
  read(document) {
    const json = document.json()
    if (Array.isArray(json)) return readArray(document, json)
    return isJsonObject(json) ? readArray(document, [json]) : readJsonLines(document, cardOf)
  },
}

/** Beside its name a function has parameters that are a JSON Schema, or says that it is a function. */
function isFunction(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (value.type === 'function') return isJsonObject(value.function) || typeof value.name === 'string'
  const { parameters } = value
  if (typeof value.name !== 'string' || !isJsonObject(parameters)) return false
  return typeof parameters.type === 'string' || isJsonObject(parameters.properties)
}

function readArray(document: SourceDocument, elements: readonly unknown[]): ReadResult {
  const cards: CardDraft[] = []
  const problems: Problem[] = []
  const names = new Set<string>()
  for (const [index, element] of elements.entries()) {
    const card = isJsonObject(element) ? cardOf(element) : notAnObject
    const read = card instanceof RefusedRecord || !names.has(card.key) ? card : definedTwice(card.key)
    if (read instanceof RefusedRecord) {
      const { field, message, remedy } = read
      const path = [`[${index}]`, ...(field === undefined ? [] : [field])].join('.')
      problems.push({ severity: 'error', file: document.label, field: path, message, remedy })
    } else {
      names.add(read.key)
      cards.push(read)
    }
  }
  return { cards, servers: [], problems }
}

function cardOf(element: JsonObject): (CardDraft & { readonly key: string }) | RefusedRecord {
  const definition = isJsonObject(element.function) ? element.function : element
  const name = textOf(definition.name)
  if (name === '') return nameless
  const inputSchema = isJsonObject(definition.parameters)
    ? inWordsOfJsonSchema(definition.parameters)
    : undefined
  return {
    kind: 'tool',
    key: name,
    name,
    description: textOf(definition.description),
    examples: [],
    tags: [],
    parameters: parametersOf(inputSchema),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(isJsonObject(definition.response) ? { outputSchema: inWordsOfJsonSchema(definition.response) } : {}),
  }
}

/** `any` allows every type, which JSON Schema says by naming none. */
function inWordsOfJsonSchema(schema: JsonObject, depth = 0): JsonObject {
  if (depth > deepest) return {}
  const inner = mapSubschemas(schema, (subschema) => inWordsOfJsonSchema(subschema, depth + 1))
  const { type, ...others } = inner
  if (typeof type !== 'string') return inner
  return typeWord(type).toLowerCase() === 'any' ? others : { ...inner, type: typeWord(type) }
}

const notAnObject = new RefusedRecord({
  message: 'the function is not an object and was left out',
  remedy: 'Write each function as an object with "name", "description" and "parameters".',
})

const nameless = new RefusedRecord({
  field: 'name',
  message: 'the function has no name and was left out',
  remedy: 'Give the function a "name".',
})

const definedTwice = (name: string): RefusedRecord =>
  new RefusedRecord({
    field: 'name',
    message: `a function before this one is called "${name}"; this one was left out`,
    remedy: 'Give every function a name of its own.',
  })
