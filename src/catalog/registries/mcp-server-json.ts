import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { CardDraft, Problem, Reader } from '../ports.ts'
import { detailsOf, eitherOf, field, refused, textOf, withoutSecrets } from '../formats/published-fields.ts'

/**
 * Reads `server.json` of the MCP registry in its three generations: the seed of May 2025 (`registry_name`),
 * 2025-07-09 (`registry_type`) and 2025-09-16 and later (camelCase). A server becomes a toolkit. The file lists no
 * tools, and starting what a registry names is a person's decision: the card has no runtime.
 */
export const mcpServerJson: Reader = {
  name: 'mcp-server-json',
  describes: 'MCP registry entries, server.json in all published shapes (JSON)',
  grain: 'card',
  recognises(document) {
    if (!document.text.includes('"name"')) return false
    const json = document.json()
    return isJsonObject(json) && isRegistryEntry(json)
  },
  read(document) {
    const server = unwrapped(document.json())
    const name = textOf(server?.name)
    if (server === undefined || name === '') return refused(nameless(document.label, 'name'))
    return { cards: [registryCard(server)], servers: [], problems: [] }
  },
}

/** Whether a value is a registry entry, bare or wrapped as `{ server, _meta }`. */
export function isRegistryEntry(value: unknown): boolean {
  const server = unwrapped(value)
  if (server === undefined) return false
  const schema = textOf(server.$schema)
  if (schema.includes('modelcontextprotocol') && schema.includes('/server.schema.json')) return true
  if (typeof server.name !== 'string') return false
  const installable = [server.packages, server.remotes].some(
    (list) => Array.isArray(list) && list.length > 0 && list.every(isJsonObject),
  )
  const versioned = isJsonObject(server.version_detail) || typeof server.version === 'string'
  return versioned && (installable || /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[a-z0-9._-]+$/i.test(server.name))
}

/** The entry itself; undefined when the value is no object. */
export function unwrapped(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  return isJsonObject(value.server) ? value.server : value
}

/** The toolkit card of one entry that has a name. */
export function registryCard(server: JsonObject): CardDraft {
  const fullName = textOf(server.name)
  const slash = fullName.lastIndexOf('/')
  return {
    kind: 'agent',
    agentKind: 'toolkit',
    key: fullName,
    name: fullName.slice(slash + 1) || fullName,
    ...field('title', textOf(server.title)),
    description: textOf(server.description),
    examples: [],
    tags: [],
    ...field('publisher', slash < 0 ? '' : fullName.slice(0, slash)),
    backbone: null,
    tools: [],
    policy: {},
    ...detailsOf({
      registryName: fullName,
      version: versionOf(server),
      status: textOf(server.status) === 'active' ? '' : server.status,
      packages: list(server.packages).map(packageText).filter(Boolean).join(', '),
      remotes: list(server.remotes).map(remoteText).filter(Boolean).join(', '),
      settings: settingsOf(server).join(', '),
      repository: isJsonObject(server.repository) ? server.repository.url : '',
      website: eitherOf(server, 'websiteUrl', 'website_url'),
    }),
  }
}

/** What is wrong with an entry that has no name. */
export const nameless = (file: string, path: string): Omit<Problem, 'severity'> => ({
  file,
  field: path,
  message: 'the registry entry has no name',
  remedy: 'Give it a "name" of the form "reverse.dns/server", as the MCP registry requires.',
})

const list = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

/** A build's placeholder such as `${VERSION}` is no version. */
function versionOf(server: JsonObject): string {
  const stated =
    textOf(server.version) ||
    (isJsonObject(server.version_detail) ? textOf(server.version_detail.version) : '')
  return stated.includes('${') ? '' : stated
}

/** For example `npm @scope/server 1.0.2`. */
function packageText(entry: JsonObject): string {
  const registry = eitherOf(entry, 'registryType', 'registry_type', 'registry_name')
  const identifier = withoutSecrets(textOf(eitherOf(entry, 'identifier', 'name')))
  if (identifier === '') return ''
  const version = textOf(entry.version)
  return [textOf(registry), identifier, version.includes('${') ? '' : version].filter(Boolean).join(' ')
}

/** For example `streamable-http https://example.com/mcp`. */
function remoteText(entry: JsonObject): string {
  const url = withoutSecrets(textOf(entry.url))
  const transport = textOf(eitherOf(entry, 'type', 'transport_type', 'transport'))
  return url === '' ? '' : [transport, url].filter(Boolean).join(' ')
}

/** Names of the environment variables and headers that must be filled in; never their values. */
function settingsOf(server: JsonObject): string[] {
  const inputs = [
    ...list(server.packages).flatMap((entry) =>
      list(eitherOf(entry, 'environmentVariables', 'environment_variables')),
    ),
    ...list(server.remotes).flatMap((entry) => list(entry.headers)),
  ]
  const named = inputs.flatMap((input) => {
    const name = textOf(input.name)
    const required = eitherOf(input, 'isRequired', 'is_required') === true
    return name === '' ? [] : [required ? `${name} (required)` : name]
  })
  return [...new Set(named)]
}
