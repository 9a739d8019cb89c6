import type { Connection, Table } from '@lancedb/lancedb'
import { leaveOut } from '../open-table.ts'
import { openAtHead } from '../connection.ts'
import { rowsOfKind } from '../vectors.ts'
import { nameInTime } from './pointed-table.ts'
import { arrow } from '../native.ts'
import {
  cardSchema,
  cardTables,
  type Head,
  imageSchema,
  imagesTable,
  vectorSchema,
  vectorTables,
} from '../schemas.ts'
import { readingStore, type StoreLocation } from '../store-location.ts'
import { prune, settle } from './retired.ts'
import type { WritableTables } from './writable-tables.ts'

/** Bytes of rows that are copied in one write. */
const copiedBytes = 64 * 1024 * 1024

/**
 * Tables for a commit to object storage, where nothing keeps other writers away: each is a copy of what the head names, under a name
 * that nobody else has. So whatever others do meanwhile, what the next head names is what this commit wrote; and what it leaves
 * behind when it fails, or is overtaken, is never in anybody's way.
 */
export function privateTables(
  location: StoreLocation,
  connection: Connection,
  head: Head | null,
): WritableTables {
  const open = new Map<string, Table>()
  const formers = new Map<string, Table>()
  const made = new Set<string>()
  const settled = new Set<string>()
  const versions = new Map(Object.entries(head?.versions ?? {}))
  const names = new Map(Object.entries(head?.names ?? {}))

  const make = async (name: string, schema: typeof cardSchema): Promise<Table> => {
    const own = nameInTime(name, new Date())
    made.add(own)
    const table = await connection.createEmptyTable(own, schema, { mode: 'create' })
    open.set(name, table)
    names.set(name, own)
    return table
  }

  /** A table as the head names it. */
  const formerly = async (from: Head, name: string): Promise<Table> => {
    const table =
      formers.get(name) ?? (await readingStore(location, () => openAtHead(location, connection, from, name)))
    formers.set(name, table)
    return table
  }

  /** @param where - which rows; all when it is not given */
  const opened = async (name: string, schema: typeof cardSchema, where?: string): Promise<Table> => {
    const known = open.get(name)
    if (known !== undefined) return known
    if (head === null) return make(name, schema)
    const former = await formerly(head, name)
    const table = await make(name, await former.schema())
    await copyRows(location, former, table, where)
    return table
  }

  const letRest = async (name: string, table: Table): Promise<void> => {
    if (settled.has(name)) return
    settled.add(name)
    const isAtRest = await settle(table)
    versions.set(name, await table.version())
    // Nobody has seen this table yet: what it was on the way is of no use.
    if (isAtRest) await prune(table)
  }

  return {
    cards: (kind) => opened(cardTables[kind], cardSchema),
    async seen(kind) {
      const name = cardTables[kind]
      return open.get(name) ?? (head === null ? make(name, cardSchema) : formerly(head, name))
    },
    async settleCards(kind) {
      await letRest(cardTables[kind], await opened(cardTables[kind], cardSchema))
    },
    images: (kind) => opened(imagesTable, imageSchema, `NOT (${rowsOfKind(kind)})`),
    vectors: async (kind) =>
      versions.has(vectorTables[kind]) ? opened(vectorTables[kind], cardSchema) : null,
    makeVectors(kind, dimensions) {
      leaveOut(vectorTables[kind], { open, versions, names })
      return make(vectorTables[kind], vectorSchema(dimensions))
    },
    leaveOutVectors() {
      for (const name of Object.values(vectorTables)) leaveOut(name, { open, versions, names })
    },
    async settle() {
      for (const [name, table] of open) await letRest(name, table)
      return { versions: Object.fromEntries(versions), names: Object.fromEntries(names) }
    },
    async prune() {
      // What the head does not name any more is kept for its readers: see retired.ts.
    },
    async discard() {
      for (const name of made) await connection.dropTable(name).catch(() => undefined)
    },
    close() {
      for (const table of [...open.values(), ...formers.values()]) table.close()
      open.clear()
      formers.clear()
    },
  }
}

/** An addition refuses vectors that are none, which a merge takes: a model may have made some. */
const put = async (table: Table, rows: InstanceType<typeof arrow.Table>): Promise<unknown> =>
  rows.schema.fields.some(({ name }) => name === 'vector')
    ? table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows)
    : table.add(rows)

/** Copies rows some at a time, so that a large table does not have to fit the memory twice. */
async function copyRows(
  location: StoreLocation,
  from: Table,
  to: Table,
  where: string | undefined,
): Promise<void> {
  const query = where === undefined ? from.query() : from.query().where(where)
  let waiting: InstanceType<typeof arrow.RecordBatch>[] = []
  let bytes = 0
  const write = async (): Promise<void> => {
    if (waiting.length > 0) await put(to, new arrow.Table(waiting))
    waiting = []
    bytes = 0
  }
  const batches = query[Symbol.asyncIterator]()
  for (;;) {
    const { value: batch, done } = await readingStore(location, () => batches.next())
    if (done === true) break
    waiting.push(batch)
    bytes += batch.data.byteLength
    if (bytes >= copiedBytes) await write()
  }
  await write()
}
