import type { Connection, Table } from '@lancedb/lancedb'
import { opener } from '../../domain/once.ts'
import type { CardRows } from './card-rows.ts'
import { connectTo, mayExist, openAtHead, openMeta } from './connection.ts'
import { engineCommit } from './engine/engine-commit.ts'
import { tableAt } from './engine/engine-rows.ts'
import { putModels, removeModels } from './models-table.ts'
import { cardTables, type StoreHead, headKey, metaTable } from './schemas.ts'
import { isEngine, isRemote, readingStore, type StoreLocation, writingStore } from './store-location.ts'
import { againWherePassing } from './commit/again.ts'
import { type Commit, commitChange } from './commit/commit.ts'
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
import { makePointed } from './pointed-table.ts'

/** A table at a head; those of an engine stay open. */
type ReadTable = CardRows & { close?(): void }

/** A store that is read at a head and written. */
export class WrittenStore {
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

  async #statesOf(head: StoreHead | null): Promise<States> {
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
          location,
          planned,
          onCommitted,
          segmentsFrom: this.#segmentsFrom,
          opened: this.#opened,
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
