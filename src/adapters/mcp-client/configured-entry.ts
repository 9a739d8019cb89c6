import { isAbsolute } from 'node:path'
import type { HostUser } from '../../hosts/surroundings.ts'
import { readHostServers } from '../../catalog/readers/host-config.ts'
import { isOwnEntry } from '../../hosts/own-entry.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import type { McpRuntime } from '../../domain/runtime.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { RuntimeError } from '../../probing/ports.ts'

/**
 * The entry that a card was harvested from, read from its configuration as that stands now: secrets are nowhere else.
 *
 * @param user - whose choices in hosts count
 * @throws RuntimeError when the configuration or the entry is gone, switched off, Audition itself, or came from the network
 */
export function configuredEntry({ config, server }: McpRuntime, user: HostUser | undefined): McpServerEntry {
  if (/^[a-z][a-z\d+.-]+:/i.test(config)) {
    throw new RuntimeError(
      `MCP server "${server}": its configuration comes from ${maskSecrets(config)}, and nothing from the network is started or contacted`,
      'Download the configuration, check it, and index the file.',
    )
  }
  const read = isAbsolute(config) ? readHostServers(documentAt(config), user) : undefined
  const entry = read?.servers.find(({ name }) => name === server)
  if (entry === undefined || /[\r\n]/.test(`${config}${server}`)) {
    throw new RuntimeError(
      `${config} has no MCP server "${server}" that can be used`,
      'Restore the entry, or run `audition index` on the configuration again.',
    )
  }
  if (entry.disabled)
    throw new RuntimeError(
      `MCP server "${server}" is switched off`,
      `Enable it in ${entry.disabledIn ?? config}.`,
    )
  if (isOwnEntry(entry)) {
    throw new RuntimeError(
      `MCP server "${server}" in ${config} is Audition itself`,
      'Choose a tool of another server.',
    )
  }
  return entry
}

function documentAt(config: string) {
  try {
    return openDocument(config)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { message } = error.problem
    throw new RuntimeError(`${config} ${message}`, 'Restore the file, or run `audition index` again.', {
      cause: error,
    })
  }
}
