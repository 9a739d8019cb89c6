import type { Connection, Table } from '@lancedb/lancedb'
import type { CatalogWriter } from '../../../store/catalog-writer.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { allIds, cardsByIds, hashesOf } from '../card-rows.ts'
import { commitChange, isCurrent } from './commit.ts'
import { rememberedRow, requireConditionalPuts } from './conditional-puts.ts'
import { connectTo, mayExist, openAtHead, openMeta } from '../connection.ts'
import {
  ensureHeadRow,
  metaRows,
  noHead,
  readReviews,
  readSources,
  readStoredHead,
  type StoredHead,
} from './head.ts'
import { makePointed } from './pointed-table.ts'
import { cardTables, headKey, metaTable } from '../schemas.ts'
import { readingStore, writingStore, isRemote, type StoreLocation } from '../store-location.ts'
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
 * Opens a LanceDB store for writing. Nothing is made or changed before the first commit. Tables are changed first and the row `head`,
 * which names one version of each, is written last, in the place of the head that was read: readers see all of a commit or nothing,
 * and of writers that began on the same head one commits. In a local folder a lock lets them wait for each other.
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
  let { connection, meta, stored } = await readingStore(location, () => openStore(location))
  let cards: Promise<readonly Table[]> | null = null

  /** The tables of cards as the head names them; what was not committed does not show. */
  const committedCards = (): Promise<readonly Table[]> => {
    const [from, at] = [connection, stored.head]
    cards ??=
      from && at
        ? Promise.all(Object.values(cardTables).map((name) => openAtHead(location, from, at, name)))
        : Promise.resolve([])
    return cards
  }
  const forgetCards = async (): Promise<void> => {
    const tables = await cards?.catch(() => [])
    cards = null
    for (const table of tables ?? []) table.close()
  }
  /** What the head names; a preview holds no lock, so that somebody's commit may take it away: then what that one committed. */
  const ofHead = <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    readingStore(location, async () => {
      try {
        return await read()
      } catch (error) {
        if (intent !== 'preview' || meta === null) throw error
        cards = null
        await meta.checkoutLatest()
        stored = await readStoredHead(meta)
        return read()
      }
    })
  /** Asked of each table of cards. */
  const ofCards = <T>(ask: (table: Table) => Promise<readonly T[]>): Promise<readonly T[]> =>
    ofHead(async () => (await Promise.all((await committedCards()).map(ask))).flat())

  /** Makes the meta table where there is none, and gives it on a connection to commit with; what is read follows. */
  const toCommit = async (use: (connection: Connection, meta: Table) => Promise<void>): Promise<void> => {
    connection ??= await connectTo(location)
    const committing = isRemote(location) ? await connectTo(location, 'commit') : connection
    try {
      const known = isRemote(location) ? await openMeta(location, committing) : meta
      await requireConditionalPuts(location, known)
      const table = known ?? (await makeMeta(location, committing))
      if (stored.head === null) await ensureHeadRow(table)
      if (!isRemote(location)) meta = table
      await use(committing, table)
    } finally {
      if (committing !== connection) committing.close()
    }
    meta ??= await openMeta(location, connection)
    await meta?.checkoutLatest()
  }

  return {
    isCurrent: async () => isCurrent(stored.head, model),
    sources: () => ofHead(async () => (meta === null ? [] : readSources(meta, stored.head))),
    reviews: () => ofHead(async () => (meta === null ? [] : readReviews(meta, stored.head))),
    hashes: async (source) => new Map(await ofCards((table) => hashesOf(table, source))),
    ids: () => ofCards(allIds),
    cards: (ids) => ofCards((table) => cardsByIds(table, ids)),
    async commit(change, onProgress = () => undefined, signal) {
      if (intent === 'preview') throw new Error('A store that was opened for a preview takes no commit.')
      await forgetCards()
      await writingStore(location, signal, async () => {
        await toCommit((committing, table) =>
          commitChange({
            location,
            connection: committing,
            meta: table,
            planned: stored,
            model,
            change,
            onCommitted: (next) => {
              stored = next
            },
            onProgress,
            signal,
          }),
        )
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
  readonly stored: StoredHead
}

async function openStore(location: StoreLocation): Promise<OpenStore> {
  if (!mayExist(location)) return { connection: null, meta: null, stored: noHead }
  const connection = await connectTo(location)
  try {
    const meta = await openMeta(location, connection)
    return { connection, meta, stored: meta === null ? noHead : await readStoredHead(meta) }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Makes the meta table, with an empty head that the first commit takes the place of. In object storage others may do so too. */
function makeMeta(location: StoreLocation, connection: Connection): Promise<Table> {
  const empty = { key: headKey, value: '' }
  if (!isRemote(location)) return connection.createTable(metaTable, metaRows([empty]), { mode: 'overwrite' })
  return makePointed(connection, metaTable, (name) =>
    connection.createTable(name, metaRows([empty, rememberedRow(location)])),
  )
}
