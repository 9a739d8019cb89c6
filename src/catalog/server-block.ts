import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/runtime.ts'
import { settingsAt } from '../hosts/config-text.ts'
import { tomlTable } from '../hosts/block.ts'
import type { Host } from '../hosts/host.ts'
import { serversAt } from '../hosts/servers-at.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import { serversWithoutSecrets } from './server-entries.ts'

/**
 * The block that adds the server of a card to a host, as its configuration names it now: secrets are references to
 * variables. Ends with a line break.
 *
 * @returns undefined for a card of no server that a configuration here names
 */
export function serverBlock({ runtime }: Card, host: Host, user: HostUser): string | undefined {
  if (runtime?.kind !== 'mcp') return undefined
  const entry = serversAt(runtime.config, user).find(({ name }) => name === runtime.server)
  if (entry === undefined) return undefined
  const name = entry.key ?? entry.name
  const path = [...host.writing.key(configOf(host, user)), name]
  const written = writtenFor(host, name, entry)
  if (host.format === 'toml') return tomlTable(path, written)
  return `${JSON.stringify(
    path.reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), written),
    null,
    2,
  )}\n`
}

function writtenFor({ writing }: Host, name: string, { launch }: McpServerEntry): JsonObject {
  if (launch.transport !== 'stdio') {
    const { url, headers } = launch
    const given = Object.keys(headers).length === 0 ? { url } : { url, headers }
    const { url: address, headers: shown } = withoutSecrets(name, given) as {
      url: string
      headers?: JsonObject
    }
    const { addressKey = 'url', remoteType } = writing
    return {
      ...(remoteType === undefined ? {} : { type: remoteType }),
      [addressKey]: address,
      ...(shown === undefined ? {} : { headers: shown }),
    }
  }
  const { command, args, env } = withoutSecrets(name, launch) as unknown as typeof launch
  // What is said of Audition alone stays out of entries of others.
  const { alwaysLoad: _, deferTools: __, ...entry } = writing.entry({ command, args, env })
  return entry
}

const withoutSecrets = (name: string, entry: object): JsonObject =>
  serversWithoutSecrets({ [name]: entry })![name] as JsonObject

function configOf({ files }: Host, user: HostUser): JsonObject {
  const path = files.find(({ scope }) => scope === 'user')?.at({ ...user, cwd: user.home })[0]
  const read = path === undefined ? undefined : settingsAt(path)
  return read?.kind === 'read' ? read.config : {}
}
