import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { CardDraft, Problem, Reader } from '../ports.ts'
import { eitherOf, textOf } from '../formats/published-fields.ts'
import { isRegistryEntry, nameless, registryCard, unwrapped } from './mcp-server-json.ts'

/** The `_meta` key under which the registry says which version of a server is the newest. */
const officialMeta = 'io.modelcontextprotocol.registry/official'

/**
 * Reads many registry entries at once: an array of `server.json`, or the registry's list response
 * `{ "servers": [{ "server": … }] }`. Of several versions of a server the newest is taken; deleted ones are left out.
 */
export const mcpRegistryList: Reader = {
  name: 'mcp-registry-list',
  describes: 'Lists of MCP registry entries: arrays of server.json and list responses (JSON)',
  grain: 'catalog',
  recognises(document) {
    if (!document.text.includes('"name"')) return false
    return entriesOf(document.json())?.entries.some(isRegistryEntry) ?? false
  },
  read(document) {
    const { entries, path } = entriesOf(document.json()) ?? { entries: [], path: '' }
    const problems: Problem[] = []
    const newest = new Map<string, { readonly server: JsonObject; readonly standing: number }>()
    for (const [index, entry] of entries.entries()) {
      const server = unwrapped(entry)
      const name = textOf(server?.name)
      if (server === undefined || name === '') {
        problems.push({ severity: 'error', ...nameless(document.label, `${path}[${index}].name`) })
        continue
      }
      const official = officialPart(entry, server)
      if (textOf(server.status) === 'deleted' || textOf(official.status) === 'deleted') continue
      const standing = eitherOf(official, 'isLatest', 'is_latest') === true ? 1 : 0
      if (standing >= (newest.get(name)?.standing ?? 0)) newest.set(name, { server, standing })
    }
    const cards: CardDraft[] = [...newest.values()].map(({ server }) => registryCard(server))
    return { cards, servers: [], problems }
  },
}

function entriesOf(json: unknown): { entries: readonly unknown[]; path: string } | undefined {
  if (Array.isArray(json)) return { entries: json, path: '' }
  if (isJsonObject(json) && Array.isArray(json.servers)) return { entries: json.servers, path: 'servers' }
  return undefined
}

/** The registry's own words about a version: beside the entry, inside it, or in the seed's `version_detail`. */
function officialPart(entry: unknown, server: JsonObject): JsonObject {
  const places = [isJsonObject(entry) ? entry._meta : undefined, server._meta]
  for (const meta of places) {
    if (!isJsonObject(meta)) continue
    const official = meta[officialMeta]
    if (isJsonObject(official)) return official
  }
  return isJsonObject(server.version_detail) ? server.version_detail : {}
}
