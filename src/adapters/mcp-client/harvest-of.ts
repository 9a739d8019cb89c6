import type { Harvest, McpServerEntry } from '../../catalog/ports.ts'
import type { JsonObject } from '../../domain/json.ts'
import { maskedWhole } from '../../domain/text/masked-json.ts'
import { valueMasker } from '../../domain/text/secrets.ts'
import type { Connection } from './connect-server.ts'

/** What a server says of itself and its tools, as cards quote it: it may repeat the secrets it was given, which are masked. */
export function harvestOf(entry: McpServerEntry, { client, known, tools }: Connection): Harvest {
  const server = client.getServerVersion()
  const instructions = client.getInstructions()
  const secrets = known.inCards
  const mask = valueMasker(secrets)
  return {
    server: {
      name: mask(server?.name ?? entry.name),
      ...(server?.title === undefined ? {} : { title: mask(server.title) }),
      version: mask(server?.version ?? ''),
      ...(instructions === undefined ? {} : { instructions: mask(instructions) }),
    },
    tools: secrets.length === 0 ? tools : tools.map((tool) => maskedWhole(tool, mask) as JsonObject),
  }
}
