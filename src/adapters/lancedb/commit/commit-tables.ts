import type { Connection, Table } from '@lancedb/lancedb'
import type { CardKind } from '../../../domain/card.ts'
import { isSegmentTable, type OpenStore, openAtHead, versionAt } from '../connection.ts'
import { forgetDamagedVersions, verifyTable } from '../integrity/verify-table.ts'
import { arrow } from '../native.ts'
import {
  cardSchema,
  cardTables,
  type Head,
  imageSchema,
  imagesTable,
  segmentStems,
  type VectorShape,
  vectorSchema,
  vectorTables,
} from '../schemas.ts'
import { isRemote, readInTurn, readingStore, type StoreLocation } from '../store-location.ts'
import { rowsOfKind, writeImage } from '../vectors.ts'
import { nameInTime, stemOfName } from './pointed-table.ts'
import { prune, rollBack, settle } from './retired.ts'

type Schema = typeof cardSchema

/**
 * The tables of a commit, opened when they are asked for; without a head they are made. What they hold counts once the head names their
 * versions.
 */
export abstract class CommitTables {
  protected readonly store: OpenStore
  protected readonly head: Head | null
  /** By their names in the head. */
  protected readonly open = new Map<string, Table>()
  protected readonly versions: Map<string, number>
  protected readonly names: Map<string, string>
  readonly #settled = new Set<string>()

  constructor(store: OpenStore, head: Head | null) {
    this.store = store
    this.head = head
    this.versions = new Map(Object.entries(head?.versions ?? {}))
    this.names = new Map(Object.entries(head?.names ?? {}))
  }

  protected abstract make(name: string, schema: Schema): Promise<Table>
  /** Opens a table of the head to be changed. @param where - which rows are wanted; all when it is not given */
  protected abstract reopen(head: Head, name: string, where?: string): Promise<Table>
  /** Lets a table come to rest, before its version is taken. */
  protected abstract rest(table: Table, name: string): Promise<void>

  cards(kind: CardKind): Promise<Table> {
    return this.opened(cardTables[kind], cardSchema)
  }

  /** The cards of a kind to be looked at, which may be all that becomes of them. */
  seen(kind: CardKind): Promise<Table> {
    return this.cards(kind)
  }

  /** Lets the cards of a kind come to rest, all of them written: from then on each stays in its row. */
  async settleCards(kind: CardKind): Promise<void> {
    await this.#letRest(cardTables[kind], await this.cards(kind))
  }

  /** The search images; those of the kind are about to be written anew. */
  images(kind: CardKind): Promise<Table> {
    return this.opened(imagesTable, imageSchema, `NOT (${rowsOfKind(kind)})`)
  }

  /** Seals a segment of a kind in a table of its own. @returns the table */
  async makeSegment(kind: CardKind, image: Uint8Array): Promise<string> {
    const name = nameInTime(segmentStems[kind], new Date())
    await writeImage(await this.make(name, imageSchema), kind, image)
    return name
  }

  /** Leaves the segments of a kind out of the next head, but for these. */
  keepSegments(kind: CardKind, kept: readonly string[]): void {
    const own = [...this.versions.keys(), ...this.open.keys()].filter(
      (name) => stemOfName(name) === segmentStems[kind],
    )
    for (const name of own) if (!kept.includes(name)) this.#leaveOut(name)
  }

  /** The vectors the head names, or null when it names none. */
  async vectors(kind: CardKind): Promise<Table | null> {
    const name = vectorTables[kind]
    return this.versions.has(name) ? this.opened(name, cardSchema) : null
  }

  /** Puts an empty table for such vectors in place of the one there was. */
  makeVectors(kind: CardKind, shape: VectorShape): Promise<Table> {
    this.#leaveOut(vectorTables[kind])
    return this.make(vectorTables[kind], vectorSchema(shape))
  }

  /** Leaves all vectors out of the next head. */
  leaveOutVectors(): void {
    for (const name of Object.values(vectorTables)) this.#leaveOut(name)
  }

  /** Lets the tables that were opened come to rest. @returns all tables, for the head */
  async settle(): Promise<Pick<Head, 'versions' | 'names'>> {
    for (const [name, table] of this.open) await this.#letRest(name, table)
    return { versions: Object.fromEntries(this.versions), names: Object.fromEntries(this.names) }
  }

  /** Forgets what the head names no more. Only after the head was written. */
  abstract prune(): Promise<void>
  /** Takes back what was written, as far as it would be in the way; when it was not committed. */
  abstract discard(): Promise<void>

  close(): void {
    for (const table of this.open.values()) table.close()
    this.open.clear()
  }

  protected async opened(name: string, schema: Schema, where?: string): Promise<Table> {
    const known = this.open.get(name)
    if (known !== undefined) return known
    return this.head === null ? this.make(name, schema) : this.reopen(this.head, name, where)
  }

  async #letRest(name: string, table: Table): Promise<void> {
    if (this.#settled.has(name)) return
    this.#settled.add(name)
    await this.rest(table, name)
    this.versions.set(name, await table.version())
  }

  #leaveOut(name: string): void {
    this.open.get(name)?.close()
    this.open.delete(name)
    this.versions.delete(name)
    this.names.delete(name)
  }
}

/**
 * @param known.manyRows - rows from which a table of a folder is not written anew for a few of them
 * @param known.reading - to read what the head names; `store` is written over another connection, which asks nothing twice
 */
export const commitTables = (
  store: OpenStore,
  head: Head | null,
  { manyRows, reading = store.connection }: { readonly manyRows: number; readonly reading?: Connection },
): CommitTables =>
  isRemote(store.location)
    ? new PrivateTables(store, head, reading)
    : new TablesInPlace(store, head, manyRows)

/** Pieces of a table, each of one commit or several, from which it is written anew. */
const mostPieces = 16
/** Share of the rows that lie in one piece, or so many rows. */
const largestPiece = { share: 0.5, rows: 1_000_000 } as const

/**
 * The tables of a local folder, which are changed in place, since a lock keeps other writers away. They are rolled back to the head, since
 * a killed run may have left versions beyond it. A table that is not asked for is left alone altogether: pruning it would keep such
 * versions and forget the committed one.
 */
class TablesInPlace extends CommitTables {
  readonly #restless = new Set<string>()
  readonly #manyRows: number

  constructor(store: OpenStore, head: Head | null, manyRows: number) {
    super(store, head)
    this.#manyRows = manyRows
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

  protected async make(name: string, schema: Schema): Promise<Table> {
    const table = await this.store.connection.createEmptyTable(name, schema, { mode: 'overwrite' })
    this.open.set(name, table)
    return table
  }

  /** A table that the head does not name, or that is not there, is damage and never made anew in silence. */
  protected reopen(head: Head, name: string): Promise<Table> {
    const { location, connection } = this.store
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

  protected async rest(table: Table, name: string): Promise<void> {
    if ((await this.#isLeft(name, table)) || !(await settle(table))) this.#restless.add(name)
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

/**
 * Tables for a commit to object storage, where nothing keeps other writers away: each is a copy of what the head names, under a name
 * that nobody else has. So whatever others do meanwhile, what the next head names is what this commit wrote; and what it leaves
 * behind when it fails, or is overtaken, is never in anybody's way.
 */
class PrivateTables extends CommitTables {
  readonly #reading: Connection
  readonly #formers = new Map<string, Table>()
  readonly #made = new Set<string>()

  constructor(store: OpenStore, head: Head | null, reading: Connection) {
    super(store, head)
    this.#reading = reading
  }

  protected async make(name: string, schema: Schema): Promise<Table> {
    const own = stemOfName(name) === name ? nameInTime(name, new Date()) : name
    this.#made.add(own)
    const table = await this.store.connection.createEmptyTable(own, schema, { mode: 'create' })
    this.open.set(name, table)
    this.names.set(name, own)
    return table
  }

  protected async reopen(head: Head, name: string, where?: string): Promise<Table> {
    const former = await this.#formerly(head, name)
    const table = await this.make(name, await former.schema())
    await copyRows(this.store.location, { from: former, to: table, where })
    return table
  }

  override async seen(kind: CardKind): Promise<Table> {
    const name = cardTables[kind]
    const known = this.open.get(name)
    return known ?? (this.head === null ? this.cards(kind) : this.#formerly(this.head, name))
  }

  /** A table as the head names it. */
  async #formerly(head: Head, name: string): Promise<Table> {
    const table =
      this.#formers.get(name) ??
      (await readingStore(this.store.location, () =>
        openAtHead({ ...this.store, connection: this.#reading, head }, name),
      ))
    this.#formers.set(name, table)
    return table
  }

  /** The next commit copies it, which compacts it: until then it has a few fragments, all of them indexed. */
  protected async rest(): Promise<void> {}

  /** What the head does not name any more is kept for its readers: see retired.ts. */
  async prune(): Promise<void> {}

  async discard(): Promise<void> {
    for (const name of this.#made) await this.store.connection.dropTable(name).catch(() => undefined)
  }

  override close(): void {
    super.close()
    for (const table of this.#formers.values()) table.close()
    this.#formers.clear()
  }
}

/** Bytes of rows that are copied in one write. */
const copiedBytes = 64 * 1024 * 1024

type Copying = { readonly from: Table; readonly to: Table; readonly where: string | undefined }

/** Copies rows some at a time, so that a large table does not have to fit the memory twice. */
async function copyRows(location: StoreLocation, { from, to, where }: Copying): Promise<void> {
  const query = where === undefined ? from.query() : from.query().where(where)
  let waiting: InstanceType<typeof arrow.RecordBatch>[] = []
  let bytes = 0
  const write = async (): Promise<void> => {
    if (waiting.length > 0) await put(to, new arrow.Table(waiting))
    waiting = []
    bytes = 0
  }
  for await (const batch of readInTurn(location, query)) {
    waiting.push(batch)
    bytes += batch.data.byteLength
    if (bytes >= copiedBytes) await write()
  }
  await write()
}

/** An addition refuses vectors that are none, which a merge takes: a model may have made some. */
const put = async (table: Table, rows: InstanceType<typeof arrow.Table>): Promise<unknown> =>
  rows.schema.fields.some(({ name }) => name === 'vector')
    ? table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows)
    : table.add(rows)
