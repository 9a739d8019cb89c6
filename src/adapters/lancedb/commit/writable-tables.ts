import type { Connection, Table } from '@lancedb/lancedb'
import { leaveOut } from '../open-table.ts'
import type { CardKind } from '../../../domain/card.ts'
import { verifyTable } from '../integrity/verify-table.ts'
import { cardSchema, cardTables, type Head, imageSchema, imagesTable, vectorTables } from '../schemas.ts'
import { readingStore, type StoreLocation } from '../store-location.ts'
import { freshVectorTable } from '../vectors.ts'
import { prune, rollBack, settle } from './retired.ts'

/** The tables of a commit. What they hold counts once the head names their versions. */
export type WritableTables = {
  cards(kind: CardKind): Promise<Table>
  /** The cards of a kind to be looked at, which may be all that becomes of them. */
  seen(kind: CardKind): Promise<Table>
  /** Lets the cards of a kind come to rest, all of them written: from then on each stays in its row. */
  settleCards(kind: CardKind): Promise<void>
  /** The search images; those of the kind are about to be written anew. */
  images(kind: CardKind): Promise<Table>
  /** The vectors the head names, or null when it names none. */
  vectors(kind: CardKind): Promise<Table | null>
  /** Puts an empty table for vectors of this size in place of the one there was. */
  makeVectors(kind: CardKind, dimensions: number): Promise<Table>
  /** Leaves all vectors out of the next head. */
  leaveOutVectors(): void
  /** Lets the tables that were opened come to rest. @returns all tables, for the head */
  settle(): Promise<Pick<Head, 'versions' | 'names'>>
  /** Forgets what the head names no more. Only after the head was written. */
  prune(): Promise<void>
  /** Takes back what was written, as far as it would be in the way; when it was not committed. */
  discard(): Promise<void>
  close(): void
}

/**
 * The tables of a local folder, which are changed in place, since a lock keeps other writers away. Opened when they are asked for, rolled back to the head, since a killed run may have left versions beyond it;
 * without a head they are made. A table that is not asked for is left alone altogether: pruning it would keep such
 * versions and forget the committed one.
 */
export function writableTables(
  location: StoreLocation,
  connection: Connection,
  head: Head | null,
): WritableTables {
  const open = new Map<string, Table>()
  const versions = new Map(Object.entries(head?.versions ?? {}))
  const names = new Map(Object.entries(head?.names ?? {}))
  const [settled, restless] = [new Set<string>(), new Set<string>()]

  const make = async (name: string, schema: typeof cardSchema): Promise<Table> => {
    const table = await connection.createEmptyTable(name, schema, { mode: 'overwrite' })
    open.set(name, table)
    return table
  }

  /** A table that the head does not name, or that is not there, is damage and never made anew in silence. */
  const openCommitted = async (name: string): Promise<Table> => {
    const version = versions.get(name)
    if (version === undefined) throw new Error(`its head names no version of table "${name}"`)
    await verifyTable(location, names.get(name) ?? name, version)
    const table = await connection.openTable(names.get(name) ?? name)
    open.set(name, table)
    await rollBack(table, version)
    return table
  }

  const opened = async (name: string, schema: typeof cardSchema): Promise<Table> =>
    open.get(name) ?? (head === null ? make(name, schema) : readingStore(location, () => openCommitted(name)))

  const letRest = async (name: string, table: Table): Promise<void> => {
    if (settled.has(name)) return
    settled.add(name)
    if (!(await settle(table))) restless.add(name)
    versions.set(name, await table.version())
  }

  return {
    cards: (kind) => opened(cardTables[kind], cardSchema),
    seen: (kind) => opened(cardTables[kind], cardSchema),
    async settleCards(kind) {
      await letRest(cardTables[kind], await opened(cardTables[kind], cardSchema))
    },
    images: (_kind) => opened(imagesTable, imageSchema),
    vectors: async (kind) =>
      versions.has(vectorTables[kind]) ? opened(vectorTables[kind], cardSchema) : null,
    async makeVectors(kind, dimensions) {
      const name = vectorTables[kind]
      leaveOut(name, { open, versions, names })
      const table = await freshVectorTable(connection, name, dimensions)
      open.set(name, table)
      return table
    },
    leaveOutVectors() {
      for (const name of Object.values(vectorTables)) leaveOut(name, { open, versions, names })
    },
    async settle() {
      for (const [name, table] of open) await letRest(name, table)
      return { versions: Object.fromEntries(versions), names: Object.fromEntries(names) }
    },
    async prune() {
      for (const [name, table] of open) if (!restless.has(name)) await prune(table)
      const present = await connection.tableNames()
      for (const name of Object.values(vectorTables)) {
        if (!versions.has(name) && present.includes(name)) await connection.dropTable(name)
      }
    },
    async discard() {
      // The next writer rolls the tables back.
    },
    close() {
      for (const table of open.values()) table.close()
      open.clear()
    },
  }
}
