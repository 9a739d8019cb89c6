import type { Connection, Table } from '@lancedb/lancedb'
import type { CatalogWriter } from '../../catalog/ports.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { allIds, cardsByIds, hashesOf } from './card-rows.ts'
import { commitChange, isCurrent } from './commit.ts'
import {
  connectTo,
  mayExist,
  openAtHead,
  openMeta,
  readHead,
  readReviews,
  readSources,
  type StoreLocation,
} from './connection.ts'
import { cardTables, type Head, metaSchema, metaTable } from './schemas.ts'
import { readingStore, writingStore } from './store-error.ts'
import { type Holder, lockStore } from './writer-lock.ts'

/** How a store is written. */
export type WriterOptions = {
  /** Makes the vectors; null leaves the store without. A store made by another model is embedded anew. */
  readonly model: EmbeddingModel | null
  /**
   * `preview` writes nothing, waits for nobody, and cannot commit: it is for asking what would change.
   * @defaultValue 'commit'
   */
  readonly intent?: 'commit' | 'preview'
  /** Called once when another process holds the store. */
  readonly onWait?: (holder: Holder) => void
  readonly signal?: AbortSignal
}

/**
 * Opens a LanceDB store for writing; one process at a time does. Nothing is made or changed before the first commit.
 * Tables are changed first and the row `head`, which names one version of each, is written last: readers see all of a
 * commit or nothing, and what a failed or killed one left behind is rolled back by the next.
 *
 * @throws StoreError when the store is damaged, written by a newer Audition, or cannot be written
 */
export async function lanceWriter(location: StoreLocation, options: WriterOptions): Promise<CatalogWriter> {
  const { model, intent = 'commit', signal: opening, onWait } = options
  const unlock = intent === 'preview' ? () => undefined : await lockStore(location, opening, onWait)
  try {
    return await openWriter(location, model, intent, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function openWriter(
  location: StoreLocation,
  model: EmbeddingModel | null,
  intent: 'commit' | 'preview',
  unlock: () => void,
): Promise<CatalogWriter> {
  let { connection, meta, head } = await readingStore(location, () => openStore(location))
  let cards: Promise<readonly Table[]> | null = null

  /** The tables of cards as the head names them; what was not committed does not show. */
  const committedCards = (): Promise<readonly Table[]> => {
    const [from, at] = [connection, head]
    cards ??=
      from && at
        ? Promise.all(Object.values(cardTables).map((name) => openAtHead(from, at, name)))
        : Promise.resolve([])
    return cards
  }
  const forgetCards = async (): Promise<void> => {
    const tables = await cards?.catch(() => [])
    cards = null
    for (const table of tables ?? []) table.close()
  }
  /** What the tables of cards hold by the head; asked of each of them. */
  const ofCards = <T>(ask: (table: Table) => Promise<readonly T[]>): Promise<readonly T[]> =>
    readingStore(location, async () => {
      const read = async () => (await Promise.all((await committedCards()).map(ask))).flat()
      try {
        return await read()
      } catch (error) {
        if (intent !== 'preview' || meta === null) throw error
        // A preview holds no lock: somebody's commit may have taken away what was read.
        cards = null
        await meta.checkoutLatest()
        head = await readHead(meta)
        return read()
      }
    })
  const ofMeta = <T>(read: (meta: Table) => Promise<readonly T[]>): Promise<readonly T[]> =>
    readingStore(location, async () => {
      await meta?.checkoutLatest()
      return meta ? read(meta) : []
    })

  return {
    isCurrent: async () => isCurrent(head, model),
    sources: () => ofMeta(readSources),
    reviews: () => ofMeta(readReviews),
    hashes: async (source) => new Map(await ofCards((table) => hashesOf(table, source))),
    ids: () => ofCards(allIds),
    cards: (ids) => ofCards((table) => cardsByIds(table, ids)),
    async commit(change, onProgress = () => undefined, signal) {
      if (intent === 'preview') throw new Error('A store that was opened for a preview takes no commit.')
      await forgetCards()
      await writingStore(location, signal, async () => {
        connection ??= await connectTo(location)
        meta ??= await connection.createEmptyTable(metaTable, metaSchema, { mode: 'overwrite' })
        const onCommitted = (next: Head): void => {
          head = next
        }
        await commitChange({
          location,
          connection,
          meta,
          head,
          model,
          change,
          onCommitted,
          onProgress,
          signal,
        })
      })
    },
    async close() {
      try {
        await forgetCards()
        meta?.close()
        connection?.close()
      } finally {
        unlock()
      }
    },
  }
}

type OpenStore = {
  readonly connection: Connection | null
  readonly meta: Table | null
  readonly head: Head | null
}

async function openStore(location: StoreLocation): Promise<OpenStore> {
  if (!mayExist(location)) return { connection: null, meta: null, head: null }
  const connection = await connectTo(location)
  try {
    const meta = await openMeta(location, connection)
    return { connection, meta, head: meta && (await readHead(meta)) }
  } catch (error) {
    connection.close()
    throw error
  }
}
