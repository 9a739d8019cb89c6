import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import {
  detailsOf,
  field,
  mcpAnnotations,
  refused,
  textOf,
  textsOf,
  withoutSecrets,
} from '../formats/published-fields.ts'
import { parametersOf } from '../formats/parameters.ts'
import { fileStem, parentFolder } from '../path-names.ts'
import type { CardDraft, Problem, Reader, ReadResult, SourceDocument } from '../ports.ts'

/**
 * Reads the Docker MCP registry: `server.yaml` gives the server as a toolkit, the `tools.json` beside it gives its
 * tools. The server's name is in the first and, for the second, in the name of folder or file.
 */
export const dockerMcp: Reader = {
  name: 'docker-mcp',
  describes: 'Docker MCP registry: server.yaml (YAML) and tools.json (JSON)',
  grain: 'card',
  recognises: (document) => isToolList(document) || isServer(document),
  read: (document) => (isToolList(document) ? readTools(document) : readServer(document)),
}

function isServer(document: SourceDocument): boolean {
  if (!/^about:/m.test(document.text)) return false
  const server = document.yaml()
  if (!isJsonObject(server) || !isJsonObject(server.about)) return false
  return ['image', 'meta', 'source', 'remote'].some((name) => server[name] !== undefined)
}

function isToolList(document: SourceDocument): boolean {
  if (!document.text.includes('"arguments"')) return false
  const tools = document.json()
  return (
    Array.isArray(tools) &&
    tools.some((tool) => isJsonObject(tool) && 'name' in tool && Array.isArray(tool.arguments))
  )
}

function readServer(document: SourceDocument): ReadResult {
  const server = document.yaml()
  if (!isJsonObject(server) || textOf(server.name) === '') {
    return refused({
      file: document.label,
      field: 'name',
      message: 'the server has no name',
      remedy: 'Give server.yaml a "name", as the Docker MCP registry requires.',
    })
  }
  const about = part(server, 'about')
  const meta = part(server, 'meta')
  const project = textOf(part(server, 'source').project)
  const tools = Array.isArray(server.tools) ? server.tools.filter(isJsonObject) : []
  const draft: CardDraft = {
    kind: 'agent',
    agentKind: 'toolkit',
    name: textOf(server.name),
    ...field('title', textOf(about.title)),
    description: textOf(about.description),
    examples: [],
    tags: textsOf(meta.tags, meta.category),
    ...field('publisher', /^https:\/\/(?:github|gitlab)\.com\/([^/]+)\//.exec(project)?.[1] ?? ''),
    backbone: null,
    tools: tools.flatMap((tool) =>
      textOf(tool.name) === ''
        ? []
        : [{ name: textOf(tool.name), ...field('description', textOf(tool.description)) }],
    ),
    policy: {},
    ...detailsOf({
      image: server.image,
      repository: project,
      commit: part(server, 'source').commit,
      remotes: withoutSecrets(textOf(part(server, 'remote').url)),
      settings: secretNames(part(server, 'config')).join(', '),
    }),
  }
  return { cards: [draft], servers: [], problems: [] }
}

const part = (object: JsonObject, name: string): JsonObject => {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

const secretNames = (config: JsonObject): readonly string[] =>
  Array.isArray(config.secrets)
    ? textsOf(
        config.secrets.map((secret) => (isJsonObject(secret) ? (secret.env ?? secret.name) : undefined)),
      )
    : []

function readTools(document: SourceDocument): ReadResult {
  const json = document.json()
  const server = serverNameOf(document.path)
  const cards: CardDraft[] = []
  const problems: Problem[] = []
  for (const [index, tool] of (Array.isArray(json) ? json : []).entries()) {
    if (isJsonObject(tool) && textOf(tool.name) !== '') cards.push(toolCard(tool, server))
    else {
      problems.push({
        severity: 'error',
        file: document.label,
        field: `[${index}].name`,
        message: 'the tool has no name and was left out',
        remedy: 'Write each tool as an object with "name", "description" and "arguments".',
      })
    }
  }
  return { cards, servers: [], problems }
}

/** `servers/brave/tools.json` and `brave.tools.json` are both of the server `brave`. */
function serverNameOf(path: string): string {
  const stem = fileStem(path)
  return stem === 'tools' ? parentFolder(path) : stem.replace(/\.tools$/, '')
}

function toolCard(tool: JsonObject, server: string): CardDraft {
  const inputSchema = schemaOf(tool.arguments)
  const annotations = mcpAnnotations(tool.annotations)
  const title = isJsonObject(tool.annotations) ? textOf(tool.annotations.title) : ''
  return {
    kind: 'tool',
    key: server === '' ? textOf(tool.name) : `${server}/${textOf(tool.name)}`,
    name: textOf(tool.name),
    ...field('title', title),
    description: textOf(tool.description),
    examples: [],
    tags: [],
    ...field('server', server),
    parameters: parametersOf(inputSchema),
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  }
}

/** Docker lists arguments as `{ name, type, desc, items, optional }`; JSON Schema is what callers obey. */
function schemaOf(listed: unknown): JsonObject {
  const named = (Array.isArray(listed) ? listed : []).filter(
    (argument): argument is JsonObject => isJsonObject(argument) && textOf(argument.name) !== '',
  )
  const properties = named.map((argument) => {
    const schema: JsonObject = {
      ...field('type', textOf(argument.type)),
      ...field('description', textOf(argument.desc) || textOf(argument.description)),
      ...(isJsonObject(argument.items) ? { items: argument.items } : {}),
    }
    return [textOf(argument.name), schema] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: named.filter((argument) => argument.optional !== true).map((argument) => textOf(argument.name)),
  }
}
