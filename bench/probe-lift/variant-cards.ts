import { cardsOfHarvest } from '../../src/catalog/harvest-cards.ts'
import { identify } from '../../src/catalog/identity.ts'
import type { McpHarvester, McpServerEntry } from '../../src/catalog/ports.ts'
import { hostConfig } from '../../src/catalog/readers/host-config.ts'
import { openDocument } from '../../src/catalog/source-document.ts'
import type { Card } from '../../src/domain/card.ts'

/**
 * The servers of all publishers.
 *
 * @param file - the host configuration `mcp.json` that names them
 * @param only - bundled servers by name, `calendar`; empty takes all
 */
export const variantServers = (file: string, only: readonly string[]): readonly McpServerEntry[] =>
  hostConfig
    .read(openDocument(file))
    .servers.filter(({ name }) => only.length === 0 || only.some((server) => name.endsWith(`-${server}`)))

/**
 * Starts a server, and makes cards of what it lists, exactly as indexing does.
 *
 * @throws HarvestError when it does not start
 */
export async function variantCards(
  entry: McpServerEntry,
  harvester: McpHarvester,
  signal: AbortSignal,
): Promise<readonly Card[]> {
  const { cards } = cardsOfHarvest(entry, await harvester.harvest(entry, signal))
  const origin = { reader: 'mcp-server', location: `${entry.config}#${entry.name}` }
  return identify(
    entry.name,
    cards.map((draft) => ({ draft, origin })),
  ).cards
}
