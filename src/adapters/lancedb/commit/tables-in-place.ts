import type { Table } from '@lancedb/lancedb'
import type { CardKind } from '../../../domain/card.ts'
import { indexIds, removeRows } from '../card-rows.ts'
import { isSegmentTable, type StoreConnection, versionAt } from '../connection.ts'
import { forgetDamagedVersions, verifyTable } from '../integrity/verify-table.ts'
import { idsThere } from '../places-in.ts'
import { cardSchema, cardTables, type StoreHead, imageSchema, imagesTable, vectorTables } from '../schemas.ts'
import { readingStore } from '../store-location.ts'
import { writeImage } from '../vectors.ts'
import { type ChangingRows, CommitTables, type RowChange } from './commit-tables.ts'
import { prune, rollBack, settle } from './retired.ts'

/** Pieces of a table, each of one commit or several, from which it is written anew. */
const mostPieces = 16
/** Share of the rows that lie in one piece, or so many rows. */
const largestPiece = { share: 0.5, rows: 1_000_000 } as const

/**
 * The tables of a local folder, which are changed in place, since a lock keeps other writers away. They are rolled back to the head, since
 * a killed run may have left versions beyond it. A table that is not asked for is left alone altogether: pruning it would keep such
 * versions and forget the committed one.
 */
export class TablesInPlace extends CommitTables {
  readonly #rested = new Set<Table>()
  readonly #restless = new Set<string>()
  readonly #manyRows: number
  readonly #signal: AbortSignal | undefined

  /** @param manyRows - rows from which a table is not written anew for a few of them */
  constructor(
    store: StoreConnection,
    head: StoreHead | null,
    { manyRows, signal }: { readonly manyRows: number; readonly signal?: AbortSignal | undefined },
  ) {
    super(store, head)
    this.#manyRows = manyRows
    this.#signal = signal
  }

  async change(name: string, { schema, former, gone, coming, ...known }: RowChange): Promise<ChangingRows> {
    const isKept = former === 'kept' && this.head !== null
    if (!isKept) this.leaveOut(name)
    const table = isKept ? await this.reopened(name) : await this.#make(name, schema)
    await removeRows(table, gone, this.#signal)
    const there = known.there ?? (await readingStore(this.store.location, () => idsThere(table, coming)))
    return {
      there,
      put: async (rows) => void (await table.add(rows)),
      async replace(rows) {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
      },
      done: async () => {
        if (schema === cardSchema) await indexIds(table)
        await this.#rest(name, table)
      },
      read: async () => table,
    }
  }

  former(kind: CardKind): Promise<Table> {
    return this.reopened(cardTables[kind])
  }

  /** Opens a table of the head. One that it does not name, or that is not there, is damage and never made anew in silence. */
  reopened(name: string): Promise<Table> {
    const { location, connection } = this.store
    const [head, known] = [this.head!, this.open.get(name)]
    if (known !== undefined) return Promise.resolve(known)
    return readingStore(location, async () => {
      const version = versionAt(head, name)
      const stored = head.names[name] ?? name
      await verifyTable(location, stored, { version })
      await forgetDamagedVersions(location, stored, version)
      const table = await connection.openTable(stored)
      this.open.set(name, table)
      await rollBack(table, version)
      return table
    })
  }

  protected async restAll(): Promise<void> {
    for (const [name, table] of this.open) await this.#rest(name, table)
  }

  async #rest(name: string, table: Table): Promise<void> {
    if (this.#rested.has(table)) return
    this.#rested.add(table)
    if ((await this.#isLeft(name, table)) || !(await settle(table))) this.#restless.add(name)
    this.versions.set(name, await table.version())
  }

  /** Whether a table is taken as it is: rows that were added lie beside the others until there are more of them. */
  async #isLeft(name: string, table: Table): Promise<boolean> {
    if (name === imagesTable || isSegmentTable(name)) return false
    const { numRows, fragmentStats } = await table.stats()
    const { share, rows } = largestPiece
    return (
      numRows >= this.#manyRows &&
      fragmentStats.numFragments <= mostPieces &&
      fragmentStats.lengths.max >= Math.min(share * numRows, rows)
    )
  }

  async #make(name: string, schema: RowChange['schema']): Promise<Table> {
    const table = await this.store.connection.createEmptyTable(name, schema, { mode: 'overwrite' })
    this.open.set(name, table)
    return table
  }

  protected async writeImages(images: ReadonlyMap<CardKind, Uint8Array>): Promise<void> {
    const table = await (this.head === null
      ? this.#make(imagesTable, imageSchema)
      : this.reopened(imagesTable))
    for (const [kind, image] of images) await writeImage(table, kind, image)
  }

  async prune(): Promise<void> {
    const { connection } = this.store
    for (const [name, table] of this.open) if (!this.#restless.has(name)) await prune(table)
    const present = await connection.tableNames()
    const passing = [...Object.values(vectorTables), ...present.filter(isSegmentTable)]
    for (const name of passing)
      if (!this.versions.has(name) && present.includes(name)) await connection.dropTable(name)
  }

  /** The next writer rolls the tables back. */
  async discard(): Promise<void> {}
}
