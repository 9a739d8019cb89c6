import { join } from 'node:path'
import { z } from 'zod'
import { cardsOfHarvest } from '../../catalog/harvest-cards.ts'
import { identify } from '../../catalog/identity.ts'
import type { Harvest, McpServerEntry } from '../../catalog/ports.ts'
import { hostConfig } from '../../catalog/readers/host-config.ts'
import { openDocument } from '../../catalog/source-document.ts'
import type { Card } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import { DatasetError } from './dataset.ts'
import { jsonLinesOf } from './files.ts'

/** What one of the bundled servers answers when it is asked for its tools. */
type RecordedHarvest = { readonly entry: string; readonly harvest: Harvest }

const remedy = 'Record the bundled servers again: npm run bundled-tools.'

/** The servers that the bundled host configuration names. */
export const bundledServers = (catalog: string): readonly McpServerEntry[] =>
  hostConfig.read(openDocument(join(catalog, 'mcp.json'))).servers

/** JSON lines: what each server says of itself, then its tools one by one, as the protocol gave them. */
export const writeHarvests = (recorded: readonly RecordedHarvest[]): string =>
  recorded
    .flatMap(({ entry, harvest }) => [
      { entry, server: harvest.server },
      ...harvest.tools.map((tool) => ({ entry, tool })),
    ])
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

const harvestLine = z.union([
  z.strictObject({
    entry: z.string(),
    server: z.object({
      name: z.string(),
      title: z.string().optional(),
      version: z.string(),
      instructions: z.string().optional(),
    }),
  }),
  z.strictObject({ entry: z.string(), tool: z.record(z.string(), z.json()) }),
])

/**
 * The inverse of {@link writeHarvests}.
 *
 * @throws DatasetError that names file and record
 */
export function readHarvests(file: string): readonly RecordedHarvest[] {
  const recorded = new Map<string, { server: Harvest['server']; tools: JsonObject[] }>()
  for (const [index, record] of jsonLinesOf(file).entries()) {
    const { data: line } = harvestLine.safeParse(record)
    if (line !== undefined && 'server' in line) {
      recorded.set(line.entry, { server: line.server as Harvest['server'], tools: [] })
    } else if (line !== undefined && recorded.has(line.entry)) {
      recorded.get(line.entry)!.tools.push(line.tool)
    } else {
      throw new DatasetError(`${file}, record ${index + 1}: neither a server nor a tool of one.`, remedy)
    }
  }
  return [...recorded].map(([entry, harvest]) => ({ entry, harvest }))
}

/**
 * Cards of the recorded servers, made exactly as indexing makes them: the tools, and one toolkit for each server.
 *
 * @param catalog - folder of the bundled catalog
 * @throws DatasetError when the configuration names other servers than were recorded
 */
export function cardsOfServers(catalog: string, recordFile: string): readonly Card[] {
  const recorded = readHarvests(recordFile)
  const entries = bundledServers(catalog)
  const configured = entries.map(({ name }) => name).join(', ')
  const known = recorded.map(({ entry }) => entry).join(', ')
  if (configured !== known) {
    throw new DatasetError(
      `${recordFile} holds the servers ${known}, but ${join(catalog, 'mcp.json')} names ${configured}.`,
      remedy,
    )
  }
  return entries.flatMap((entry, at) => {
    const { cards } = cardsOfHarvest(entry, recorded[at]!.harvest)
    const origin = { reader: 'mcp-server', location: `${entry.config}#${entry.name}` }
    return identify(
      entry.name,
      cards.map((draft) => ({ draft, origin })),
    ).cards
  })
}
