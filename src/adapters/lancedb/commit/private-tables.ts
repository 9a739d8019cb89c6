import type { Connection, Table } from '@lancedb/lancedb'
import type { CardKind } from '../../../domain/card.ts'
import { indexIds, removeRows } from '../card-rows.ts'
import { type StoreConnection, openAtHead } from '../connection.ts'
import { arrow, lancedb } from '../native.ts'
import {
  cardSchema,
  cardTables,
  conditionsFor,
  type StoreHead,
  imageSchema,
  imagesTable,
} from '../schemas.ts'
import { readInTurn, readingStore } from '../store-location.ts'
import { imageRows, rowsOfKind } from '../vectors.ts'
import { againWherePassing } from './again.ts'
import { type ChangingRows, CommitTables, type RowChange } from './commit-tables.ts'
import { nameInTime, stemOfName } from '../pointed-table.ts'

type Rows = InstanceType<typeof arrow.Table>
type Batch = InstanceType<typeof arrow.RecordBatch>

/** Bytes of rows that are written at once: a large table does not have to fit the memory twice. */
const writtenBytes = 64 * 1024 * 1024
/** Conditions that a copy leaves rows out by; more of them are removed from the copy. */
const mostConditions = 40
/** Rows from which cards are found by an index: fewer ids are read at once. */
const indexedRows = 4000

type PrivateOptions = {
  /** To read what the head names; over the connection of the store nothing is asked twice. */
  readonly reading: Connection
  readonly signal: AbortSignal | undefined
}

/**
 * Tables for a commit to object storage, where nothing keeps other writers away: each is a copy of what the head names, under a name
 * that nobody else has. So whatever others do meanwhile, what the next head names is what this commit wrote; and what it leaves
 * behind when it fails, or is overtaken, is never in anybody's way. A table is written in one piece, and once more under another name
 * where the way to the store fails.
 */
export class PrivateTables extends CommitTables {
  readonly #options: PrivateOptions
  readonly #formers = new Map<string, Table>()
  readonly #made = new Set<string>()

  constructor(store: StoreConnection, head: StoreHead | null, options: PrivateOptions) {
    super(store, head)
    this.#options = options
  }

  async change(name: string, { schema, former, gone, coming }: RowChange): Promise<ChangingRows> {
    const conditions = [...gone, ...conditionsFor('id', coming)]
    const written = this.#written(name, schema)
    if (former === 'kept' && this.head !== null) {
      const isFew = conditions.length <= mostConditions
      const all = (await this.#formerly(name)).query()
      const left = isFew && conditions.length > 0 ? all.where(`NOT (${conditions.join(' OR ')})`) : all
      for await (const batch of readInTurn(this.store.location, left)) await written.put([batch])
      if (!isFew) await written.remove(conditions)
    }
    return {
      // What comes was left out of the copy.
      there: new Set(),
      put: (rows) => written.put(rows.batches),
      replace: (rows) => written.put(rows.batches),
      done: async () => {
        const table = await written.table()
        if (schema === cardSchema && (await table.countRows()) >= indexedRows) await indexIds(table)
        this.versions.set(name, await table.version())
      },
      read: written.read,
    }
  }

  former(kind: CardKind): Promise<Table> {
    return this.#formerly(cardTables[kind])
  }

  /** A table as the head names it. */
  async #formerly(name: string): Promise<Table> {
    const store = { ...this.store, connection: this.#options.reading, head: this.head! }
    const table =
      this.#formers.get(name) ?? (await readingStore(store.location, () => openAtHead(store, name)))
    this.#formers.set(name, table)
    return table
  }

  /** A table that is written some rows at a time. */
  #written(name: string, schema: RowChange['schema']) {
    let waiting: Batch[] = []
    let bytes = 0
    /** What was written in one piece, which is read without asking the store. */
    let whole: Rows | null = null
    const write = async (): Promise<void> => {
      const rows = new arrow.Table(schema, waiting)
      const table = this.open.get(name)
      if (table !== undefined) await addRows(table, rows)
      else await againWherePassing(() => this.#make(name, rows), this.#options.signal)
      whole = table === undefined && bytes <= writtenBytes ? rows : null
      ;[waiting, bytes] = [[], 0]
    }
    const table = async (): Promise<Table> => {
      if (waiting.length > 0 || !this.open.has(name)) await write()
      return this.open.get(name)!
    }
    return {
      async put(batches: readonly Batch[]) {
        waiting.push(...batches.map(({ data }) => new arrow.RecordBatch(schema, data)))
        bytes += batches.reduce((sum, { data }) => sum + data.byteLength, 0)
        if (bytes >= writtenBytes) await write()
      },
      remove: async (conditions: readonly string[]) => {
        await removeRows(await table(), conditions, this.#options.signal)
        whole = null
      },
      table,
      read: async () => {
        const own = this.names.get(name)!
        return whole === null
          ? this.#options.reading.openTable(own)
          : makeTable(await lancedb.connect('memory://'), own, whole)
      },
    }
  }

  async #make(name: string, rows: Rows): Promise<void> {
    const stem = stemOfName(name)
    const own = stem === name || this.#made.has(name) ? nameInTime(stem, new Date()) : name
    this.#made.add(own)
    this.open.set(name, await makeTable(this.store.connection, own, rows))
    this.names.set(name, own)
  }

  protected async writeImages(images: ReadonlyMap<CardKind, Uint8Array>): Promise<void> {
    const gone = [...images.keys()].map(rowsOfKind)
    const changing = await this.change(imagesTable, {
      schema: imageSchema,
      former: 'kept',
      gone,
      coming: [],
    })
    for (const [kind, image] of images) await changing.put(imageRows(kind, image))
    await changing.done()
  }

  /** What the head does not name any more is kept for its readers: see retired.ts. */
  async prune(): Promise<void> {}

  async discard(): Promise<void> {
    for (const name of this.#made) await this.store.connection.dropTable(name).catch(() => undefined)
  }

  protected async restAll(): Promise<void> {}

  override close(): void {
    super.close()
    for (const table of this.#formers.values()) table.close()
    this.#formers.clear()
  }
}

async function makeTable(connection: Connection, name: string, rows: Rows): Promise<Table> {
  if (rows.numRows > 0 && !hasVectors(rows)) return connection.createTable(name, rows, { mode: 'create' })
  const table = await connection.createEmptyTable(name, rows.schema, { mode: 'create' })
  if (rows.numRows > 0) await addRows(table, rows)
  return table
}

const hasVectors = ({ schema }: Rows): boolean => schema.fields.some(({ name }) => name === 'vector')

/** An addition refuses vectors that are none, which a merge takes: a model may have made some. */
const addRows = async (table: Table, rows: Rows): Promise<unknown> =>
  hasVectors(rows) ? table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows) : table.add(rows)
