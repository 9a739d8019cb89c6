import type { Connection, Table } from '@lancedb/lancedb'

/** Opens a table, or null when there is none. One that is there and damaged is an error: it must not look like none. */
export async function openTable(connection: Connection, name: string): Promise<Table | null> {
  try {
    return await connection.openTable(name)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(`Table '${name}' was not found`)) return null
    throw error
  }
}
