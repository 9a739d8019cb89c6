import type { Connection, Table } from '@lancedb/lancedb'
import { writeHead } from '../commit.ts'
import type { StoreLocation } from '../connection.ts'
import type { Head } from '../schemas.ts'
import { prune } from '../versions.ts'
import { writableTables } from '../writable-tables.ts'

/** Rolls every table back to the last commit and forgets all else. Readers see no change. Only by who holds the store. */
export async function rollBackLeftovers(
  location: StoreLocation,
  connection: Connection,
  meta: Table,
  head: Head,
): Promise<void> {
  const tables = writableTables(location, connection, head)
  try {
    await tables.images()
    for (const kind of ['tool', 'agent'] as const) {
      await tables.cards(kind)
      await tables.vectors(kind)
    }
    await writeHead(meta, { ...head, versions: await tables.settle() }, nothing)
    await tables.prune()
    await prune(meta)
  } finally {
    tables.close()
  }
}

const nothing = { sources: [], removeSources: [] }
