import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@lancedb/lancedb'
import { openAtHead } from '../connection.ts'
import { type Head, vectorTables } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'

/** What runs that were killed or failed left in a store: harmless, and rolled back by the next one that changes anything. */
export type Leftovers = { readonly files: number; readonly bytes: number }

/** Counts data files that the committed versions do not use, and tables that they do not name. */
export async function leftoversIn(
  location: StoreLocation,
  connection: Connection,
  head: Head,
): Promise<Leftovers> {
  let [files, bytes] = [0, 0]
  for (const name of Object.keys(head.versions)) {
    const table = await openAtHead(location, connection, head, name)
    const { totalBytes, fragmentStats } = await table.stats()
    table.close()
    const there = dataFiles(location, name)
    const extra = there.length - fragmentStats.numFragments
    if (extra <= 0) continue
    files += extra
    bytes += Math.max(0, there.reduce((sum, size) => sum + size, 0) - totalBytes)
  }
  for (const name of Object.values(vectorTables)) {
    if (name in head.versions || !existsSync(join(location, `${name}.lance`))) continue
    const there = dataFiles(location, name)
    files += Math.max(1, there.length)
    bytes += there.reduce((sum, size) => sum + size, 0)
  }
  return { files, bytes }
}

/** Sizes of a table's data files. */
function dataFiles(location: StoreLocation, table: string): readonly number[] {
  const folder = join(location, `${table}.lance`, 'data')
  return existsSync(folder) ? readdirSync(folder).map((name) => statSync(join(folder, name)).size) : []
}
