import { setTimeout as wait } from 'node:timers/promises'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../../../src/retrieval/ports.ts'
import { type Editions, editionsIn } from './race-catalog.ts'

const nothing: Editions = { post: 0, bank: 0, farm: 0, port: 0 }
const pauseMs = 50
/** A local store forgets what a commit replaced, and a reader in its midst begins anew, as a search does. */
const mostAttempts = 4

/**
 * Reads all that a store holds, as one who opens it and one who searches it.
 *
 * @returns the edition of each source, or what is wrong
 */
export async function readStore(home: string): Promise<Editions | string> {
  const reader = lanceReader(home, { recheckMs: 0 })
  try {
    return await readWith(reader)
  } finally {
    await reader.close()
  }
}

async function readWith(reader: CatalogReader): Promise<Editions | string> {
  try {
    for (let attempt = 1; ; attempt += 1) {
      const snapshot = await reader.snapshot('now')
      try {
        return await wholeOf(snapshot)
      } catch (error) {
        if (attempt === mostAttempts) throw error
      }
    }
  } catch (error) {
    if (error instanceof NoIndexError) return nothing
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The cards are those of the search image, and of one commit. */
async function wholeOf({ indexes, cards }: CatalogSnapshot): Promise<Editions | string> {
  const { ids } = indexes.tool
  const known = Array.from({ length: ids.size }, (_, at) => ids.at(at))
  const found = await cards(known)
  return found.length === known.length
    ? editionsIn(found)
    : `${known.length} cards are searched, and ${found.length} are stored`
}

/** Reads a store over and over while others write it. @returns how often it was read, and all that was wrong */
export function watchStore(
  home: string,
): () => Promise<{ readonly reads: number; readonly wrong: readonly string[] }> {
  let isWatching = true
  let reads = 0
  const wrong = new Set<string>()
  const watching = (async () => {
    const reader = lanceReader(home, { recheckMs: 0 })
    while (isWatching) {
      const found = await readWith(reader)
      reads += 1
      if (typeof found === 'string') wrong.add(found)
      await wait(pauseMs)
    }
    await reader.close()
  })()
  return async () => {
    isWatching = false
    await watching
    return { reads, wrong: [...wrong] }
  }
}
