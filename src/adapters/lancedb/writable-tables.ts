import type { Connection, Table } from '@lancedb/lancedb'
import type { CardKind } from '../../domain/card.ts'
import { cardSchema, cardTables, type Head, imageSchema, imagesTable, vectorTables } from './schemas.ts'
import { prune, rollBack, settle } from './versions.ts'
import { freshVectorTable } from './vectors.ts'

/** The tables a commit changes, by name. What they hold counts once the head names their versions. */
export type WritableTables = {
  cards(kind: CardKind): Table
  images(): Table
  /** The vectors the head names, or null when there are none. */
  vectors(kind: CardKind): Table | null
  /** Puts an empty table for vectors of this size in place of the one there was. */
  makeVectors(kind: CardKind, dimensions: number): Promise<Table>
  /** Leaves all vectors out of the next head. */
  leaveOutVectors(): void
  /** Lets all tables come to rest. @returns their versions, for the head */
  settle(): Promise<Head['versions']>
  /** Forgets what the head names no more. Only after the head was written. */
  prune(): Promise<void>
  close(): void
}

/**
 * Opens every table at what the head names, and makes those that are missing. A killed run may have left versions beyond
 * the head in any of them: all are rolled back, since pruning a table that a commit leaves alone would otherwise keep
 * the unfinished version and forget the committed one.
 */
export async function writableTables(connection: Connection, head: Head | null): Promise<WritableTables> {
  const open = new Map<string, Table>()
  const restless = new Set<string>()
  const close = (): void => {
    for (const table of open.values()) table.close()
    open.clear()
  }
  const opened = (name: string): Table => {
    const table = open.get(name)
    if (table === undefined) throw new Error(`Table "${name}" is not open.`)
    return table
  }
  try {
    for (const [name, version] of Object.entries(head?.versions ?? {})) {
      const table = await connection.openTable(name)
      open.set(name, table)
      await rollBack(table, version)
    }
    if (head === null) {
      for (const [name, schema] of freshTables) {
        open.set(name, await connection.createEmptyTable(name, schema, { mode: 'overwrite' }))
      }
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    cards: (kind) => opened(cardTables[kind]),
    images: () => opened(imagesTable),
    vectors: (kind) => open.get(vectorTables[kind]) ?? null,
    async makeVectors(kind, dimensions) {
      const name = vectorTables[kind]
      open.get(name)?.close()
      const table = await freshVectorTable(connection, name, dimensions)
      open.set(name, table)
      return table
    },
    leaveOutVectors() {
      for (const name of Object.values(vectorTables)) {
        open.get(name)?.close()
        open.delete(name)
      }
    },
    async settle() {
      const versions: { [name: string]: number } = {}
      for (const [name, table] of open) {
        const settled = await settle(table)
        if (settled === null) restless.add(name)
        versions[name] = settled ?? (await table.version())
      }
      return versions
    },
    async prune() {
      for (const [name, table] of open) if (!restless.has(name)) await prune(table)
      const present = await connection.tableNames()
      for (const name of Object.values(vectorTables)) {
        if (!open.has(name) && present.includes(name)) await connection.dropTable(name)
      }
    },
    close,
  }
}

const freshTables = [
  [cardTables.tool, cardSchema],
  [cardTables.agent, cardSchema],
  [imagesTable, imageSchema],
] as const
