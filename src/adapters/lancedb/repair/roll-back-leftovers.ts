import type { Connection, Table } from '@lancedb/lancedb'
import { readStoredHead, replaceHead } from '../commit/head.ts'
import { forgetUnnamed } from '../commit/retired.ts'
import type { StoreLocation } from '../store-location.ts'
import { writableTables } from '../commit/writable-tables.ts'

/** Rolls every table back to the last commit and forgets all else. Readers see no change. Only by who holds the store. */
export async function rollBackLeftovers(
  location: StoreLocation,
  connection: Connection,
  meta: Table,
): Promise<void> {
  const stored = await readStoredHead(meta)
  const { head } = stored
  if (head === null) return
  const tables = writableTables(location, connection, head)
  try {
    await tables.images('tool')
    for (const kind of ['tool', 'agent'] as const) {
      await tables.cards(kind)
      await tables.vectors(kind)
    }
    const next = { ...head, ...(await tables.settle()) }
    if (!(await replaceHead(meta, stored, next))) return
    await tables.prune()
    await forgetUnnamed(location, connection, meta, next)
  } finally {
    tables.close()
  }
}
