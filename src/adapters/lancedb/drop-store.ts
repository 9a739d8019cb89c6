import { connected } from './connection.ts'
import { cannotBeWritten, type StoreLocation } from './store-location.ts'

/**
 * Deletes all tables of a store in object storage, of any name: nothing else lies there.
 *
 * @returns their names; none when there was no store
 * @throws StoreError when it cannot be read or written
 */
export async function dropStore(location: StoreLocation): Promise<readonly string[]> {
  try {
    return await connected(location, async ({ connection }) => {
      const names = await connection.tableNames({ limit: mostTables })
      for (const name of names) await connection.dropTable(name)
      return names
    })
  } catch (error) {
    throw cannotBeWritten(location, error)
  }
}

const mostTables = 100_000
