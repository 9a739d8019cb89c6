import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@lancedb/lancedb'
import type { StoreDiagnosis } from '../../store/diagnosis.ts'
import type { CardKind } from '../../domain/card.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { connectTo, mayExist, openAtHead, openMeta } from './connection.ts'
import { readHead } from './commit/head.ts'
import { cardTables, type Head, vectorTables } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'
import { reasonOf, StoreError, isRemote, type StoreLocation } from './store-location.ts'

type Diagnosis = Omit<StoreDiagnosis, 'configuredModel' | 'modelFault'>

/** A commit may take away the version that is looked at; then the next one is. */
const mostAttempts = 3

/** Opens the store as a search would, reads a column of every table, and tells what stands in the way. Never throws. */
export async function diagnoseStore(location: StoreLocation): Promise<Diagnosis> {
  const empty = { location, generation: 0, tools: 0, agents: 0, storedModel: null, ...sizeOf(location) }
  for (let attempt = 1; ; attempt++) {
    try {
      return { ...empty, ...(await examine(location)) }
    } catch (error) {
      if (error instanceof NoIndexError) return { ...empty, state: 'absent' }
      if (attempt < mostAttempts) continue
      const detail = error instanceof StoreError ? error.reason : reasonOf(error)
      return { ...empty, state: 'unreadable', detail }
    }
  }
}

async function examine(location: StoreLocation) {
  if (!mayExist(location)) throw new NoIndexError()
  const connection = await connectTo(location)
  try {
    const meta = await openMeta(location, connection)
    const head = meta && (await readHead(meta))
    if (head === null) throw new NoIndexError()
    const { indexes, generation } = await openSnapshot(location, connection, head)
    for (const kind of ['tool', 'agent'] as const)
      await check(location, connection, head, kind, indexes[kind].size)
    return {
      state: 'ready' as const,
      generation,
      tools: indexes.tool.size,
      agents: indexes.agent.size,
      storedModel: head.embedding?.model ?? null,
    }
  } finally {
    connection.close()
  }
}

/** Reads the ids of every card and vector: this opens each file, and damaged ones say so. */
async function check(
  location: StoreLocation,
  connection: Connection,
  head: Head,
  kind: CardKind,
  cards: number,
): Promise<void> {
  for (const name of [cardTables[kind], ...(head.embedding ? [vectorTables[kind]] : [])]) {
    const table = await openAtHead(location, connection, head, name)
    const { numRows } = await table.query().select(['id']).toArrow()
    table.close()
    if (numRows !== cards)
      throw new Error(`table "${name}" holds ${numRows} rows where ${cards} are searched`)
  }
}

function sizeOf(location: StoreLocation): { readonly bytes?: number } {
  if (isRemote(location)) return {}
  try {
    if (!mayExist(location)) return {}
    const files = readdirSync(location, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    return {
      bytes: files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
    }
  } catch {
    // A writer removes files while we count, or nobody may read them: the size is for people, and left out then.
    return {}
  }
}
