import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreDiagnosis } from '../../catalog/ports.ts'
import { connectTo, isRemote, mayExist, openTable, readHead, type StoreLocation } from './connection.ts'
import { metaTable } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'

/** Opens the store as a search would, and tells what stands in the way. Never throws. */
export async function diagnoseStore(
  location: StoreLocation,
): Promise<Omit<StoreDiagnosis, 'configuredModel'>> {
  const empty = { location, generation: 0, tools: 0, agents: 0, storedModel: null, ...sizeOf(location) }
  try {
    if (!mayExist(location)) return { ...empty, state: 'absent' }
    const connection = await connectTo(location)
    const meta = await openTable(connection, metaTable)
    const head = meta && (await readHead(meta))
    if (head === null) return { ...empty, state: 'absent' }
    const { indexes, generation } = await openSnapshot(connection, head)
    connection.close()
    return {
      ...empty,
      state: 'ready',
      generation,
      tools: indexes.tool.size,
      agents: indexes.agent.size,
      storedModel: head.embedding?.model ?? null,
    }
  } catch (error) {
    return { ...empty, state: 'unreadable', detail: error instanceof Error ? error.message : String(error) }
  }
}

function sizeOf(location: StoreLocation): { readonly bytes?: number } {
  if (isRemote(location) || !mayExist(location)) return {}
  try {
    const files = readdirSync(location, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    return {
      bytes: files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
    }
  } catch {
    // A writer removes files while we count: the size is for people, and left out then.
    return {}
  }
}
