import type { Connection, Table } from '@lancedb/lancedb'
import type { Card } from '../../../domain/card.ts'
import { opener } from '../../../domain/once.ts'
import { sendingOf } from '../../../retrieval/index/vectors-of-cards.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { type CatalogChange, type CatalogWriter, NotAgreedError } from '../../../store/catalog-writer.ts'
import { allIds, type CardRows, cardsByIds, hashesOf } from '../card-rows.ts'
import { connectTo, mayExist, openAtHead, openMeta } from '../connection.ts'
import { engineCommit } from '../engine/engine-commit.ts'
import { tableAt } from '../engine/engine-rows.ts'
import { putModels, readAgainWithoutList, removeModels } from '../models-table.ts'
import { cardTables, type Head, headKey, metaTable } from '../schemas.ts'
import { isEngine, isRemote, readingStore, type StoreLocation, writingStore } from '../store-location.ts'
import { againWherePassing } from './again.ts'
import { type Commit, commitChange } from './commit.ts'
import { rememberedRow, requireConditionalPuts } from './conditional-puts.ts'
import {
  ensureHeadRow,
  metaRows,
  noHead,
  readStoredHead,
  type States,
  type StoredHead,
  statesReader,
} from './head.ts'
import { isCurrent } from './next-head.ts'
import { makePointed } from './pointed-table.ts'
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
  /** Cards of a kind from which its search image is kept in segments, so that a commit writes what changed. @defaultValue 4000 */
  readonly segmentsFrom?: number
}

/** Fewer are packed anew in less time than a person notices. */
const usualSegmentsFrom = 4000

/**
 * Opens a LanceDB store for writing. Nothing is made or changed before the first commit. Tables are changed first and the row `head`,
 * which names one version of each, is written last, in the place of the head that was read: readers see all of a commit or nothing,
 * and of writers that began on the same head one commits. In a local folder a lock lets them wait for each other.
 *
 * @throws StoreError when the store is damaged, written by a newer Audition, or cannot be written
 */
export async function lanceWriter(location: StoreLocation, options: WriterOptions): Promise<CatalogWriter> {
  const { model, intent = 'commit', signal: opening, onWait, segmentsFrom = usualSegmentsFrom } = options
  const unlock = intent === 'preview' ? () => undefined : await lockStore(location, opening, onWait)
  try {
    const store = new WrittenStore(location, intent, segmentsFrom)
    await readingStore(location, () => store.open())
    return writerOf(store, { model, unlock })
  } catch (error) {
    unlock()
    throw error
  }
}

const writerOf = (
  store: WrittenStore,
  { model, unlock }: { readonly model: EmbeddingModel | null; readonly unlock: () => void },
): CatalogWriter => ({
  isCurrent: async () => isCurrent(store.stored.head, model),
  sources: async () => readAgainWithoutList(store.location, (await store.states()).sources),
  reviews: async () => (await store.states()).reviews,
  hashes: async (source) => new Map(await store.ofCards((table) => hashesOf(table, source))),
  ids: () => store.ofCards(allIds),
  cards: (ids) => store.ofCards((table) => cardsByIds(table, ids)),
  async sending(change) {
    if (model?.service === undefined) return null
    return sendingOf(model, await embeddedBy(change, store, model))
  },
  agree: (sending) => model?.service?.agree(sending),
  async commit(change, onProgress = () => undefined, signal) {
    const made = await readyFor(change, store, { model, signal })
    await store.commit({ model: made, change, onProgress, signal })
  },
  async close() {
    try {
      await store.close()
    } finally {
      unlock()
    }
  },
})

/** The model, asked how long its vectors are; none where there is nothing to embed and nobody agreed to ask a service. */
async function readyFor(
  change: CatalogChange,
  store: WrittenStore,
  { model, signal }: { readonly model: EmbeddingModel | null; readonly signal: AbortSignal | undefined },
): Promise<EmbeddingModel | null> {
  const { head } = store.stored
  const stored = head?.embedding?.model === model?.id ? head?.embedding?.dimensions : undefined
  try {
    await model?.service?.ready({ stored, signal, forIndex: true })
    return model
  } catch (error) {
    if (!(error instanceof NotAgreedError) || (await embeddedBy(change, store, model!)).length > 0)
      throw error
    return null
  }
}

/** The cards that a commit embeds: those that it puts; all of them where the vectors are not this model's. */
async function embeddedBy(
  { put, remove, removeSources }: CatalogChange,
  store: WrittenStore,
  model: EmbeddingModel,
): Promise<readonly Card[]> {
  if (isCurrent(store.stored.head, model)) return put
  const gone = new Set([...put.map(({ id }) => id), ...remove])
  const stays = ({ id, source }: { readonly id: string; readonly source: string }) =>
    !gone.has(id) && !removeSources.includes(source)
  const ids = (await store.ofCards(allIds)).filter(stays).map(({ id }) => id)
  return [...put, ...(await store.ofCards((table) => cardsByIds(table, ids)))]
}

/** A table at a head; those of an engine stay open. */
type ReadTable = CardRows & { close?(): void }

/** A store that is read at a head and written. */
class WrittenStore {
  readonly location: StoreLocation
  readonly #intent: 'commit' | 'preview'
  readonly #segmentsFrom: number
  #connection: Connection | null = null
  #meta: Table | null = null
  readonly #readStates = statesReader()
  #cards: Promise<readonly ReadTable[]> | null = null
  readonly #opened: Commit['opened'] = new Map()
  /** The head that it is read at. */
  stored: StoredHead = noHead

  constructor(location: StoreLocation, intent: 'commit' | 'preview', segmentsFrom: number) {
    this.location = location
    this.#intent = intent
    this.#segmentsFrom = segmentsFrom
  }

  async open(): Promise<void> {
    if (!mayExist(this.location)) return
    const connection = await connectTo(this.location)
    try {
      this.#meta = await openMeta({ location: this.location, connection })
      this.stored = this.#meta === null ? noHead : await readStoredHead(this.#meta)
      this.#connection = connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** What the head says of sources; a preview holds no lock, so that somebody's commit may take it away: then what that one committed. */
  states(): Promise<States> {
    return this.#reading(() => this.#statesOf(this.stored.head))
  }

  async #statesOf(head: Head | null): Promise<States> {
    return this.#meta === null ? { sources: [], reviews: [] } : this.#readStates(this.#meta, head)
  }

  /** Asked of each table of cards, as the head names it; what was not committed does not show. */
  ofCards<T>(ask: (table: CardRows) => Promise<readonly T[]>): Promise<readonly T[]> {
    return this.#reading(async () => (await Promise.all((await this.#committedCards()).map(ask))).flat())
  }

  #reading<T>(read: () => Promise<T>): Promise<T> {
    return readingStore(this.location, async () => {
      try {
        return await read()
      } catch (error) {
        if (this.#intent !== 'preview' || this.#meta === null) throw error
        this.#cards = null
        await this.#meta.checkoutLatest()
        this.stored = await readStoredHead(this.#meta)
        return read()
      }
    })
  }

  #committedCards(): Promise<readonly ReadTable[]> {
    const [location, connection, { head, engine }] = [this.location, this.#connection, this.stored]
    this.#cards ??=
      connection && head
        ? Promise.all(
            Object.values(cardTables).map(async (name) =>
              isEngine(location)
                ? tableAt(await connection.openTable(head.names[name]!), engine)
                : openAtHead({ location, connection, head }, name),
            ),
          )
        : Promise.resolve([])
    return this.#cards
  }

  async #forgetCards(): Promise<void> {
    const tables = await this.#cards?.catch(() => [])
    this.#cards = null
    for (const table of tables ?? []) table.close?.()
  }

  async commit(what: Pick<Commit, 'model' | 'change' | 'onProgress' | 'signal'>): Promise<void> {
    if (this.#intent === 'preview') throw new Error('A store that was opened for a preview takes no commit.')
    await this.#forgetCards()
    await putModels(this.location, what.change.models ?? [], what.model)
    const [location, planned] = [this.location, this.stored]
    const onCommitted = (next: StoredHead): void => {
      this.stored = next
    }
    await writingStore(location, what.signal, () =>
      this.#committing((connections) =>
        (isEngine(location) ? engineCommit : commitChange)({
          ...what,
          ...connections,
          ...{ location, planned, onCommitted, segmentsFrom: this.#segmentsFrom, opened: this.#opened },
          statesOf: (head) => this.#statesOf(head),
        }),
      ),
    )
    await removeModels(location, what.change.removeSources)
  }

  /** Makes the meta table where there is none, and opens it on a connection to commit with too. */
  async #committing(
    use: (opened: Pick<Commit, 'connection' | 'reading' | 'meta' | 'landing'>) => Promise<void>,
  ): Promise<void> {
    const location = this.location
    this.#connection ??= await connectTo(location)
    const reading = this.#connection
    const connection = isRemote(location)
      ? await againWherePassing(() => connectTo(location, 'commit'))
      : reading
    try {
      const known = this.#meta
      // What points to it is not read again.
      const open = opener(async () =>
        known === null
          ? makeMeta(location, connection)
          : isRemote(location)
            ? connection.openTable(known.name)
            : known,
      )
      const landing = async (): Promise<Table> => {
        const isNew = open.opened() === null
        const table = await open()
        if (!isNew) await table.checkoutLatest()
        return table
      }
      await againWherePassing(() => requireConditionalPuts(location, known, landing))
      if (this.stored.head === null) await againWherePassing(async () => ensureHeadRow(await landing()))
      this.#meta ??= isRemote(location) ? await openMeta({ location, connection: reading }) : await landing()
      const meta = isEngine(location) ? await landing() : this.#meta!
      await use({ connection, reading, meta, landing })
    } finally {
      if (connection !== reading) connection.close()
    }
    if (isEngine(location)) await this.#meta?.checkoutLatest()
  }

  async close(): Promise<void> {
    await this.#forgetCards()
    this.#meta?.close()
    this.#connection?.close()
  }
}

/** Makes the meta table, with an empty head that the first commit takes the place of. In object storage others may do so too. */
function makeMeta(location: StoreLocation, connection: Connection): Promise<Table> {
  const empty = { key: headKey, value: '' }
  if (isEngine(location))
    return connection.createTable(metaTable, metaRows([empty, rememberedRow(location)]), { existOk: true })
  if (!isRemote(location)) return connection.createTable(metaTable, metaRows([empty]), { mode: 'overwrite' })
  return makePointed(connection, metaTable, (name) =>
    connection.createTable(name, metaRows([empty, rememberedRow(location)])),
  )
}
