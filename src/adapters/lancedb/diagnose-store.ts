import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CardKind } from '../../domain/card.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import type { EngineIndexes, StoreDiagnosis } from '../../store/diagnosis.ts'
import { noHead, readStoredHead } from './head.ts'
import { connected, idsIn, mayExist, openAtHead, openMeta, type StoreAtHead } from './connection.ts'
import { diagnoseIndexes } from './engine/engine-indexes.ts'
import { countingAt } from './engine/engine-rows.ts'
import { openEngineSnapshot } from './engine/engine-snapshot.ts'
import { cardKinds, cardTables, type EngineState, vectorTables } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'
import { isEngine, isRemote, reasonOf, StoreError, type StoreLocation } from './store-location.ts'

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
  return connected(location, async (store) => {
    const meta = await openMeta(store)
    const { head, engine } = meta === null ? noHead : await readStoredHead(meta)
    if (meta === null || head === null) throw new NoIndexError()
    const { indexes, generation } = isEngine(location)
      ? await openEngineSnapshot({ ...store, head }, meta)
      : await openSnapshot({ location, head, connect: async () => store.connection })
    const ofEngine: EngineIndexes[] = []
    for (const kind of cardKinds)
      if (isEngine(location))
        ofEngine.push(await checkEngine({ ...store, head }, { kind, engine, cards: indexes[kind].total }))
      else await check({ ...store, head }, kind, indexes[kind].size)
    return {
      state: 'ready' as const,
      generation,
      tools: indexes.tool.total,
      agents: indexes.agent.total,
      ...(isEngine(location) ? { indexes: ofEngine } : {}),
      storedModel: head.embedding?.model ?? null,
    }
  })
}

/** An engine is asked how many rows count, and which indexes it has. */
async function checkEngine(
  { connection, head }: StoreAtHead,
  { kind, engine, cards }: { readonly kind: CardKind; readonly engine: EngineState; readonly cards: number },
): Promise<EngineIndexes> {
  const name = cardTables[kind]
  const table = await connection.openTable(head.names[name]!)
  const rows = await table.countRows(countingAt(engine))
  if (rows !== cards) throw new Error(`table "${name}" holds ${rows} rows where ${cards} are searched`)
  return { kind, ...(await diagnoseIndexes(table, { hasVectors: head.embedding !== null, rows })) }
}

/** Reads the ids of every card and vector: this opens each file, and damaged ones say so. */
async function check(store: StoreAtHead, kind: CardKind, cards: number): Promise<void> {
  for (const name of [cardTables[kind], ...(store.head.embedding ? [vectorTables[kind]] : [])]) {
    const { length } = await idsIn(await openAtHead(store, name))
    if (length !== cards) throw new Error(`table "${name}" holds ${length} rows where ${cards} are searched`)
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
