import { printableLine } from '../domain/text/printable.ts'
import { shellWord } from '../domain/text/shell-word.ts'
import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/runtime.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { mask } from '../domain/text/secrets.ts'
import { reference, withTexts } from '../hosts/entry.ts'
import type { Host } from '../hosts/host.ts'
import { serversAt } from '../hosts/servers-at.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import { dependsOnFolder, displayOf, serversWithoutSecrets } from './server-entries.ts'

/** A server in the words of a host. */
export type ServerForHost = {
  readonly name: string
  readonly entry: JsonObject
  /** Environment variables that it names. */
  readonly variables: readonly string[]
}

/**
 * The server of a card for a host, as its configuration names it now: secrets are references to variables.
 *
 * @returns undefined for a card of no server that a configuration here names
 */
export function serverFor(card: Card, host: Host, user: HostUser): ServerForHost | undefined {
  const found = foundFor(card, user)
  if (found === undefined) return undefined
  const name = found.key ?? found.name
  const written = writtenFor(host, name, found)
  const variables = [...JSON.stringify(written).matchAll(named)].map(([, variable]) => variable!)
  const { variable = reference } = host.writing
  const entry =
    variable === reference
      ? written
      : withTexts(written, (text) => text.replace(named, (_, one: string) => variable(one)))
  return { name, entry, variables: [...new Set(variables)] }
}

/** `${NAME}`, `${env:NAME}`, `${NAME:-default}` */
const named = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^}$]*)?\}/g

function foundFor({ runtime }: Card, user: HostUser): McpServerEntry | undefined {
  if (runtime?.kind !== 'mcp') return undefined
  return serversAt(runtime.config, user).find(({ name }) => name === runtime.server)
}

/**
 * The same, fit to be written for good.
 *
 * @throws RemedyError for a server that would not start elsewhere, or changed since it was indexed
 */
export function serverToHire(card: Card, host: Host, user: HostUser): ServerForHost {
  const [found, server] = [foundFor(card, user), serverFor(card, host, user)]
  if (found === undefined || server === undefined || card.runtime?.kind !== 'mcp')
    throw new RemedyError(
      `no configuration of this machine names the server of "${card.id}".`,
      'Run `audition index`.',
    )
  const { name, entry, variables } = server
  const refuse = (what: string, remedy: string): never => {
    throw new RemedyError(`${found.config}: the entry "${found.name}" ${what}.`, remedy)
  }
  if (displayOf(found.launch) !== card.runtime.display)
    refuse('is not what was indexed', `Run \`audition index ${found.config}\`, and look at it again.`)
  if (needsItsFolder(found))
    refuse('starts in a folder of its own', 'Write whole paths in it, without "cwd", and index it again.')
  const text = JSON.stringify(entry)
  if (text.includes(mask))
    refuse('keeps a secret among its arguments or in its address', 'Name an environment variable there.')
  if (/\$\{\{|\$\{(?!env:)[^}$:]{0,200}:(?!-)/.test(text))
    refuse('asks its host for values that no other host fills in', 'Name environment variables there.')
  if (variables.length > 0 && host.writing.variable === undefined)
    throw new RemedyError(
      `${host.title} is not known to fill in environment variables, and "${name}" needs ${variables.join(', ')}.`,
      `Fill in what \`audition init ${host.name} --add ${shellWord(printableLine(card.id), user.platform)}\` prints, and paste it.`,
    )
  return server
}

/** A project's server starts in the project without saying so. */
function needsItsFolder(found: McpServerEntry): boolean {
  const { launch } = found
  if (launch.transport !== 'stdio') return false
  const { cwd, ...bare } = launch
  return (cwd !== undefined && found.projects === undefined) || dependsOnFolder({ ...found, launch: bare })
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
    const isSse = launch.transport === 'sse'
    const type = isSse && remoteType !== undefined && remoteType !== 'remote' ? 'sse' : remoteType
    return {
      ...(type === undefined ? {} : { type }),
      [isSse && addressKey === 'httpUrl' ? 'url' : addressKey]: address,
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
