import type { RecordTable } from './record-table.ts'

/** Every write makes a fragment of its own; from so many on they are merged. */
const mostFragments = 64
/** Writes from one look at the fragments to the next; the first write looks, since many processes write once and end. */
const writesPerLook = 16
/** Versions younger than this may still be read by somebody. */
const keptMs = 10 * 60_000

/** Merges the small fragments of many writes now and then, beside the writes. */
export type Compaction = {
  /** To be told of each write; returns at once. */
  wrote(): void
  /** Waits for what is under way. */
  settled(): Promise<void>
}

/**
 * LanceDB lets a compaction and writers of several processes go on side by side: whoever commits second is tried again or gives up,
 * and nothing is lost. So a compaction that fails is left to the next one.
 */
export function compaction(table: RecordTable): Compaction {
  let writes = 0
  let running: Promise<void> | null = null

  const compact = async (): Promise<void> => {
    await table.tidy(async (opened) => {
      const { fragmentStats } = await opened.stats()
      if (fragmentStats.numSmallFragments < mostFragments) return
      await opened.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) })
    })
  }

  return {
    wrote() {
      writes += 1
      if ((writes - 1) % writesPerLook !== 0 || running !== null) return
      running = compact()
        .catch(() => undefined)
        .finally(() => {
          running = null
        })
    },
    settled: async () => running ?? undefined,
  }
}
