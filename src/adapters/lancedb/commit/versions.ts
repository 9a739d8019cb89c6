import type { Table } from '@lancedb/lancedb'

/** Older than every version: compacts without forgetting any, since readers and the head may still name them. */
const never = new Date(0)
/** Younger than every version, also than those of a time when the clock ran ahead; LanceDB takes no date much later. */
const always = new Date(Date.UTC(2200, 0))
/** Rounds after which a table that keeps changing is taken as it is. */
const mostRounds = 5

/** Makes an older version the newest again, under a new number: what came after it was never committed. */
export async function rollBack(table: Table, version: number): Promise<void> {
  if ((await table.version()) === version) return
  await table.checkout(version)
  await table.restore()
}

/**
 * Compacts a table and brings its indexes up to date, until nothing is left to compact. Fragments are only merged once
 * both are indexed, so a table is at rest when a round that began with current indexes merged nothing. (An index may
 * be written anew in every round: waiting for a version that stays would never end.)
 *
 * @returns whether it is at rest, and {@link prune} will keep its newest version
 */
export async function settle(table: Table): Promise<boolean> {
  for (let round = 0; round < mostRounds; round++) {
    const before = await table.version()
    const { compaction } = await table.optimize({ cleanupOlderThan: never })
    const isMerged = compaction.fragmentsRemoved + compaction.fragmentsAdded > 0
    if ((await table.version()) === before || (round > 0 && !isMerged)) return true
  }
  return false
}

/**
 * Forgets all but the newest version of a table at rest, and what killed runs left behind. Only after the head was
 * written, and only by the process that holds the store: a reader still on an old version opens the new one. LanceDB
 * compacts, prunes and then indexes, so that a version beyond the one that was kept may appear.
 */
export async function prune(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: always, deleteUnverified: true })
}
