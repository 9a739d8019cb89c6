import type { Table } from '@lancedb/lancedb'

/** Older than every version: compacts without forgetting any, since readers and the head may still name them. */
const never = new Date(0)
/** Rounds after which a table that keeps changing is taken as it is. */
const mostRounds = 5

/** Makes an older version the newest again, under a new number: what came after it was never committed. */
export async function rollBack(table: Table, version: number): Promise<void> {
  if ((await table.version()) === version) return
  await table.checkout(version)
  await table.restore()
}

/**
 * Compacts a table and brings its indexes up to date, until nothing is left to do and its version stays.
 *
 * @returns the version that stays; null when it does not, and pruning could take away what the head names
 */
export async function settle(table: Table): Promise<number | null> {
  for (let round = 0, before = -1; round < mostRounds; round++) {
    const version = await table.version()
    if (version === before) return version
    before = version
    await table.optimize({ cleanupOlderThan: never })
  }
  return null
}

/**
 * Forgets all but the newest version of a settled table, and what killed runs left behind. Only after the head was
 * written, and only by the process that holds the store: a reader still on an old version opens the new one.
 */
export async function prune(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true })
}
