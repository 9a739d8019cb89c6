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

/** The tables of a commit in the making, by their names. */
export type OpenTables = {
  readonly open: Map<string, Table>
  readonly versions: Map<string, number>
  readonly names: Map<string, string>
}

/** The commit does without a table. */
export function leaveOut(name: string, { open, versions, names }: OpenTables): void {
  open.get(name)?.close()
  open.delete(name)
  versions.delete(name)
  names.delete(name)
}
