import { type JsonObject, isJsonObject } from '../../domain/json.ts'
import type { Runtime } from '../../domain/runtime.ts'
import type { ToolAnnotations } from '../../domain/card.ts'
import type { LocalReferences } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import type { CardDraft } from '../ports.ts'
import { detailsOf, field, textOf, textsOf, withoutSecrets } from './published-fields.ts'

/** One operation with what surrounds it in the description. */
type Operation = {
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
  /** The path item: its parameters, servers and texts hold for each of its operations. */
  readonly pathItem: JsonObject
  readonly api: JsonObject
  readonly references: LocalReferences
  /** Where the description came from: relative server addresses count from there when it is a URL. */
  readonly location: string
}

/** The tool card of one operation of an OpenAPI 3 description. */
export function operationCard(of: Operation): CardDraft {
  const { operation, pathItem, api } = of
  const info = isJsonObject(api.info) ? api.info : {}
  const inputSchema = inputSchemaOf(of)
  const output = outputSchemaOf(of)
  const runtime = runtimeOf(of)
  const annotations = annotationsOf(of.method)
  const contact = isJsonObject(info.contact) ? textOf(info.contact.name) : ''
  return {
    kind: 'tool',
    name: operationName(of),
    description: descriptionOf(operation) || descriptionOf(pathItem),
    examples: [],
    tags: textsOf(operation.tags, operation.deprecated === true ? 'deprecated' : ''),
    ...field('publisher', textOf(info['x-providerName']) || contact),
    ...field('server', textOf(info.title)),
    parameters: parametersOf(inputSchema),
    inputSchema,
    ...(output === undefined ? {} : { outputSchema: output }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(runtime === undefined ? {} : { runtime }),
    ...detailsOf({
      version: info.version,
      authentication: textsOf(securityOf(of).flatMap(Object.keys)).join(', '),
      bodyType: bodyOf(of)?.mediaType,
    }),
  }
}

/** The `operationId`, or a name of method and path: `get_pets_by_id` for `GET /pets/{id}`. */
export function operationName({ operation, method, path }: Pick<Operation, 'operation' | 'method' | 'path'>) {
  const stated = textOf(operation.operationId)
  if (stated !== '') return stated
  const words = path.replace(/\{([^{}]*)\}/g, ' by $1 ').split(/[^\p{L}\p{N}]+/u)
  return [method, ...words.filter((word) => word !== '')].join('_')
}

function descriptionOf({ summary, description }: JsonObject): string {
  const short = textOf(summary)
  const long = textOf(description)
  if (long.startsWith(short)) return long
  return long === '' ? short : `${short}\n\n${long}`
}

const securityOf = ({ operation, api }: Operation): readonly JsonObject[] => {
  const required = operation.security ?? api.security
  return Array.isArray(required) ? required.filter(isJsonObject) : []
}

/** Parameters by name, and the body under `body`: a caller sees what goes where. */
function inputSchemaOf(of: Operation): JsonObject {
  const properties = new Map<string, JsonObject>()
  const required: string[] = []
  for (const parameter of parametersIn(of)) {
    const place = textOf(parameter.in)
    const name = properties.has(textOf(parameter.name))
      ? `${place}_${textOf(parameter.name)}`
      : textOf(parameter.name)
    properties.set(name, parameterSchema(parameter))
    if (parameter.required === true || place === 'path') required.push(name)
  }
  const body = bodyOf(of)
  if (body !== undefined) {
    const name = properties.has('body') ? 'request_body' : 'body'
    properties.set(name, body.schema)
    if (body.required) required.push(name)
  }
  return of.references.standalone({ type: 'object', properties: Object.fromEntries(properties), required })
}

/** Headers that OpenAPI says to ignore here: the body, the responses and the security state them. */
const impliedHeaders = /^(?:accept|content-type|authorization)$/i

/** Parameters of the path, replaced or followed by those of the operation. */
function parametersIn({ operation, pathItem, references }: Operation): readonly JsonObject[] {
  const byNameAndPlace = new Map<string, JsonObject>()
  for (const list of [pathItem.parameters, operation.parameters]) {
    for (const listed of Array.isArray(list) ? list : []) {
      const parameter = references.resolve(listed)
      if (parameter === undefined || textOf(parameter.name) === '') continue
      if (parameter.in === 'header' && impliedHeaders.test(textOf(parameter.name))) continue
      byNameAndPlace.set(JSON.stringify([parameter.in, textOf(parameter.name)]), parameter)
    }
  }
  return [...byNameAndPlace.values()]
}

function parameterSchema(parameter: JsonObject): JsonObject {
  const content = isJsonObject(parameter.content) ? Object.values(parameter.content)[0] : undefined
  const schema = isJsonObject(parameter.schema)
    ? parameter.schema
    : isJsonObject(content)
      ? content.schema
      : {}
  return {
    ...(isJsonObject(schema) ? schema : {}),
    ...field('description', textOf(parameter.description)),
    ...field('x-in', textOf(parameter.in)),
  }
}

type Body = { readonly schema: JsonObject; readonly mediaType: string; readonly required: boolean }

function bodyOf({ operation, references }: Operation): Body | undefined {
  const body = operation.requestBody === undefined ? undefined : references.resolve(operation.requestBody)
  if (body === undefined) return undefined
  const { schema, mediaType } = contentOf(body)
  const described = {
    ...schema,
    ...('description' in schema ? {} : field('description', textOf(body.description))),
  }
  return { schema: described, mediaType, required: body.required === true }
}

/** JSON first, then forms, then whatever comes first. */
const mediaTypes = [
  /^application\/json\b/i,
  /\+json\b/i,
  /^application\/x-www-form-urlencoded/i,
  /^multipart\//i,
]

function contentOf(holder: JsonObject): { readonly schema: JsonObject; readonly mediaType: string } {
  const content = isJsonObject(holder.content) ? holder.content : {}
  const offered = Object.keys(content)
  const wanted = mediaTypes.flatMap((pattern) => offered.filter((type) => pattern.test(type)))
  const mediaType = wanted[0] ?? offered[0] ?? ''
  const media = content[mediaType]
  return { schema: isJsonObject(media) && isJsonObject(media.schema) ? media.schema : {}, mediaType }
}

/** The schema of the first success that has one. */
function outputSchemaOf({ operation, references }: Operation): JsonObject | undefined {
  const responses = isJsonObject(operation.responses) ? operation.responses : {}
  for (const [status, listed] of Object.entries(responses)) {
    if (!/^2/.test(status)) continue
    const response = references.resolve(listed)
    const schema = response === undefined ? {} : contentOf(response).schema
    if (Object.keys(schema).length > 0) return references.standalone(schema)
  }
  return undefined
}

/** What the method itself promises. */
function annotationsOf(method: string): ToolAnnotations | undefined {
  if (method === 'get' || method === 'head') return { readOnly: true }
  return method === 'delete' ? { destructive: true } : undefined
}

/** Undefined when no absolute address is known. */
function runtimeOf(of: Operation): Runtime | undefined {
  const servers = [of.operation.servers, of.pathItem.servers, of.api.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  )
  const server: unknown = Array.isArray(servers) ? servers[0] : undefined
  const base = absolute(isJsonObject(server) ? filledIn(server) : '/', of.location)
  if (base === undefined) return undefined
  return {
    kind: 'http',
    method: of.method.toUpperCase(),
    url: withoutSecrets(base).replace(/(?<!\/)\/+$/, '') + of.path,
  }
}

/** The server's address with the defaults of its variables; a variable without one stays in braces. */
function filledIn(server: JsonObject): string {
  const variables = isJsonObject(server.variables) ? server.variables : {}
  return textOf(server.url).replace(/\{([^{}]*)\}/g, (braced: string, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = isJsonObject(variable) ? variable.default : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : braced
  })
}

function absolute(url: string, location: string): string | undefined {
  if (/^(?:https?|\{[^}]*\}):\/\//i.test(url) || /^\{[^}]*\}/.test(url)) return url
  if (url.startsWith('//')) return `https:${url}`
  return /^https?:\/\//i.test(location) && URL.canParse(url, location)
    ? new URL(url, location).href
    : undefined
}
