import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Parameter } from '../../domain/card.ts'
import { parametersOf, typeWord } from './parameters.ts'
import { textOf, splitAtCommas } from './published-fields.ts'

/** Where published documentations keep a tool's inputs; what each says of its members being required. */
const inputFields: readonly (readonly [string, 'required' | 'optional' | 'unsaid'])[] = [
  ['inputSchema', 'unsaid'],
  ['input_schema', 'unsaid'],
  ['parameters', 'unsaid'],
  ['arguments', 'unsaid'],
  ['api_arguments', 'unsaid'],
  ['required_parameters', 'required'],
  ['required_arguments', 'required'],
  ['required_params', 'required'],
  ['path_parameters', 'required'],
  ['query_parameters', 'unsaid'],
  ['optional_parameters', 'optional'],
  ['optional_arguments', 'optional'],
  ['optional_params', 'optional'],
  ['tools', 'optional'],
]

/**
 * The inputs of a tool, from whichever shape its documentation has: a JSON Schema, a map from name to description or
 * to property, a list as in OpenAPI, lists of names, an OpenAPI request body, a Python signature, or a line
 * `Parameters: {…}` at the end of the description. Of a server's documentation its tools are the inputs.
 *
 * @returns each name once
 */
export function documentedParameters(documentation: JsonObject): readonly Parameter[] {
  const found = inputFields.flatMap(([name, stated]) => parametersIn(documentation, name, stated))
  found.push(...parametersOf(bodySchema(documentation.requestBody)))
  if (found.length === 0) found.push(...signatureParameters(textOf(documentation.code)))
  if (found.length === 0) found.push(...trailingParameters(textOf(documentation.description)))
  return [...new Map(found.reverse().map((parameter) => [parameter.name, parameter])).values()].reverse()
}

/** Whether a value is a JSON Schema of an object, rather than a map that has a member called `type`. */
export const isObjectSchema = (value: unknown): value is JsonObject => {
  if (!isJsonObject(value)) return false
  if (typeof value.type === 'string') return /^(?:object|dict)$/i.test(value.type)
  return (
    value.type === undefined && isJsonObject(value.properties) && typeof value.properties.type !== 'string'
  )
}

function parametersIn(
  documentation: JsonObject,
  field: string,
  stated: 'required' | 'optional' | 'unsaid',
): Parameter[] {
  const value = documentation[field]
  if (value === undefined || value === null) return []
  if (isObjectSchema(value)) return parametersOf(value)
  const properties = new Map<string, JsonValue>()
  const required = new Set<string>(
    Array.isArray(documentation.required) ? documentation.required.map(textOf) : [],
  )
  for (const [published, entry] of entriesOf(value)) {
    const { name, type } = typedName(published)
    if (name === '' || name === 'None') continue
    const property = propertyOf(entry, type)
    properties.set(name, property.schema)
    const isRequired = stated === 'unsaid' ? (property.required ?? required.has(name)) : stated === 'required'
    if (isRequired) required.add(name)
    else required.delete(name)
  }
  return parametersOf({ properties: Object.fromEntries(properties), required: [...required] })
}

/** Members by name; of a list that are strings, the strings are the names. */
function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isJsonObject(value)) return Object.entries(value)
  if (typeof value === 'string') return /^[\w.-]+$/.test(value) ? [[value, '']] : []
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: JsonValue): (readonly [string, JsonValue])[] => {
    if (typeof entry === 'string') return [[entry, '']]
    if (!isJsonObject(entry)) return []
    return typeof entry.name === 'string' ? [[entry.name, entry]] : Object.entries(entry)
  })
}

/** `user_name (str)` is a name and its type. */
function typedName(published: string): { readonly name: string; readonly type: string } {
  const [, name = published, type = ''] = /^(.*\S)\s+\(([^()]+)\)$/.exec(published) ?? []
  return { name: name.trim(), type }
}

type Property = { readonly schema: JsonValue; readonly required?: boolean }

/** One input as a JSON Schema property, whatever shape it is published in. */
function propertyOf(entry: JsonValue, typeOfName: string): Property {
  if (typeof entry === 'string') return propertyOfText(entry, typeOfName)
  if (!isJsonObject(entry)) {
    return {
      schema: { type: typeOfName, ...(entry === null ? {} : { description: `Default: ${String(entry)}` }) },
    }
  }
  const { schema, data_type, allowed_values, required, ...own } = entry
  const inner = isJsonObject(schema) ? schema : {}
  const type = textOf(own.type) || textOf(inner.type) || textOf(data_type) || typeOfName
  const isOptional = /,\s*optional$/i.test(type) || 'default' in own || 'default' in inner
  const said =
    required === true || required === 'true'
      ? true
      : required === false || required === 'false'
        ? false
        : null
  return {
    schema: {
      ...inner,
      ...own,
      description: textOf(own.description) || textOf(own.desc) || textOf(inner.description),
      type: Array.isArray(own.type) ? own.type : type.replace(/,\s*optional$/i, ''),
      ...(Array.isArray(allowed_values) && allowed_values.length > 0 ? { enum: allowed_values } : {}),
    },
    ...(said !== null ? { required: said } : isOptional ? { required: false } : {}),
  }
}

/** `[REQUIRED] string: The id`, `Required. string. The id`, or a description alone. */
function propertyOfText(text: string, typeOfName: string): Property {
  const said = text.trimStart()
  const [found = '', mark] = /^(?:\[(required|optional)\]|(?:required|optional)\.)/i.exec(said) ?? []
  const isMarked = mark !== undefined || /^required\./i.test(said)
  const rest = said.slice(found.length).trimStart()
  const [head = '', type = typeOfName] =
    /^(string|integer|number|boolean|array|object|file|date)[.:](?=\s|$)/i.exec(rest) ?? []
  const schema = { type, description: rest.slice(head.length).trim() }
  if (isMarked) return { schema, required: !/^optional$/i.test(mark ?? '') }
  return { schema }
}

/** The JSON Schema of an OpenAPI request body; undefined when there is none. */
function bodySchema(body: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(body) || !isJsonObject(body.content)) return undefined
  const [media] = Object.values(body.content)
  return isJsonObject(media) ? media.schema : undefined
}

/** The arguments of the first Python function of a source text. */
function signatureParameters(code: string): Parameter[] {
  const [, inside] = /\bdef\s+\w+\s*\(([^)]*)\)/.exec(code) ?? []
  if (inside === undefined) return []
  return splitAtCommas(inside, '[]').flatMap((argument) => {
    const [declared = ''] = argument.split('=', 1)
    const [, name, type = ''] = /^\**(\w+)\s*(?::(.*))?$/s.exec(declared.trim()) ?? []
    if (name === undefined || name === 'self') return []
    return [
      {
        name,
        description: '',
        ...(type.trim() === '' ? {} : { type: typeWord(type.trim()) }),
        required: declared === argument,
      },
    ]
  })
}

/** A line `Parameters: {"city": "Required. string. …"}` in a description. */
function trailingParameters(description: string): Parameter[] {
  const [, json] = /^Parameters: (\{.*\})$/m.exec(description) ?? []
  if (json === undefined) return []
  try {
    return parametersIn({ parameters: JSON.parse(json) }, 'parameters', 'unsaid')
  } catch {
    return [] // the description still says it in words
  }
}
