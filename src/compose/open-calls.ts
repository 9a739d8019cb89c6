import { randomUUID } from 'node:crypto'
import { schemaFaults } from '../adapters/mcp-client/argument-faults.ts'
import { liveServers } from '../adapters/mcp-client/live-servers.ts'
import type { Config } from '../config.ts'
import type { JsonValue } from '../domain/json.ts'
import { type Calling, openCalling } from '../probing/calls/calling.ts'
import { useRecorder } from '../probing/calls/use-recorder.ts'
import type { TrackRecord } from '../probing/ports.ts'
import { readSettings } from '../probing/settings/settings-file.ts'
import { bundledFolder, catalogFolder } from './folders.ts'
import { executorsFor, surroundingsFor } from './open-executors.ts'
import { pinnedCatalog } from './open-pinned-catalog.ts'
import type { OpenStore } from './open-store.ts'

/** The part of the composition root that knows how tools are called for a host. */
export function openCalls(
  config: Config,
  { openReader, onSnapshot }: OpenStore,
  openRecord: () => Promise<TrackRecord>,
): Calling {
  const pinned = pinnedCatalog(openReader, onSnapshot)
  const parts = { config, catalogFolder, pinned }
  return openCalling({
    settingsFile: config.settings,
    catalog: bundledFolder,
    executors: (settings) => executorsFor({ ...parts, settings }),
    servers: liveServers({ pinned, surroundings: (settings) => surroundingsFor({ ...parts, settings }) }),
    faultsOf: (schema, value, whole) => schemaFaults(schema, value as JsonValue, whole),
    uses: useRecorder({
      openRecord,
      isWanted: async () => (await readSettings(config.settings)).recordUses,
      now: () => new Date(),
      newId: randomUUID,
    }),
  })
}
