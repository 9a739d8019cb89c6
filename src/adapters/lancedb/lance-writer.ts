import type { Connection, Table } from '@lancedb/lancedb'
import { contentHash } from '../../catalog/identity.ts'
import type { CatalogChange, CatalogWriter } from '../../catalog/ports.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { packCardIndex } from '../../retrieval/card-index.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { lancedb } from './native.ts'
import { batches } from './batches.ts'
import { connectTo, openTable, quoted, readHead, readSources, type StoreLocation } from './connection.ts'
import { writeImage } from './image-table.ts'
import {
  cardSchema,
  cardTables,
  type Head,
  headKey,
  imageSchema,
  imagesTable,
  metaSchema,
  type MetaRow,
  metaTable,
  sourceKey,
  storeLayout,
  vectorTables,
} from './schemas.ts'
import { allCards } from './snapshot.ts'
import { syncVectors } from './sync-vectors.ts'
import { prune, rollBack, settle } from './versions.ts'
import { lockStore } from './writer-lock.ts'

const cardKinds: readonly CardKind[] = ['tool', 'agent']
/** Rows per write, and ids per delete: large enough to be fast, small enough for Ctrl-C. */
const batchRows = 5000
const batchIds = 500

/** How a store is written. */
export type WriterOptions = {
  /** Makes the vectors; null leaves the store without. A store made by another model is embedded anew. */
  readonly model: EmbeddingModel | null
  /** Called when another process holds the store. */
  readonly onWait?: (pid: number) => void
  readonly signal?: AbortSignal
}

/**
 * Opens a LanceDB store for writing; one process at a time does. Tables are changed first and the row `head`, which names
 * one version of each, is written last: readers see all of a commit or nothing, and what a killed run left behind is
 * rolled back by the next one.
 */
export async function lanceWriter(location: StoreLocation, options: WriterOptions): Promise<CatalogWriter> {
  const { model, signal: opening } = options
  const unlock = await lockStore(location, opening, options.onWait)
  try {
    const connection = await connectTo(location)
    const meta =
      (await openTable(connection, metaTable)) ?? (await connection.createEmptyTable(metaTable, metaSchema))
    let head = await readHead(meta)
    const tables = await openTables(connection, head)
    return {
      isCurrent: async () => head !== null && (head.embedding?.model ?? null) === (model?.id ?? null),
      sources: () => readSources(meta),
      async hashes(source) {
        const rows = await Promise.all(
          cardKinds.map((kind) =>
            tables.cards[kind]
              .query()
              .where(`source = ${quoted(source)}`)
              .select(['id', 'hash'])
              .toArray(),
          ),
        )
        return new Map((rows.flat() as { id: string; hash: string }[]).map(({ id, hash }) => [id, hash]))
      },
      async commit(change, onProgress = () => undefined, signal) {
        head = await commit({ connection, meta, tables, head, model, change, onProgress, signal })
      },
      async close() {
        meta.close()
        for (const kind of cardKinds) tables.cards[kind].close()
        tables.images.close()
        connection.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

type Tables = { readonly cards: { readonly [kind in CardKind]: Table }; readonly images: Table }

/** Opens or makes the tables, rolled back to the head: what lies beyond it was never committed. */
async function openTables(connection: Connection, head: Head | null): Promise<Tables> {
  const open = async (name: string, schema: typeof cardSchema): Promise<Table> => {
    const version = head?.versions[name]
    const table = await openTable(connection, name)
    if (table === null || version === undefined)
      return connection.createEmptyTable(name, schema, { mode: 'overwrite' })
    await rollBack(table, version)
    return table
  }
  const [tool, agent, images] = await Promise.all([
    open(cardTables.tool, cardSchema),
    open(cardTables.agent, cardSchema),
    open(imagesTable, imageSchema),
  ])
  return { cards: { tool, agent }, images }
}

type Commit = {
  readonly connection: Connection
  readonly meta: Table
  readonly tables: Tables
  readonly head: Head | null
  readonly model: EmbeddingModel | null
  readonly change: CatalogChange
  readonly onProgress: (share: number, step: string) => void
  readonly signal: AbortSignal | undefined
}

async function commit(context: Commit): Promise<Head> {
  const { connection, tables, head, model, change, onProgress, signal } = context
  const dead = new Set(change.removeSources)
  const versions: { [table: string]: number } = { ...head?.versions }
  const counts = { tool: head?.tools ?? 0, agent: head?.agents ?? 0 }
  let isChanged = false
  const isNewModel = (head?.embedding?.model ?? null) !== (model?.id ?? null)
  for (const [step, kind] of cardKinds.entries()) {
    const put = change.put.filter((card) => card.kind === kind)
    const table = tables.cards[kind]
    const isTouched = head === null || put.length > 0 || change.remove.length > 0 || dead.size > 0
    if (!isTouched && !isNewModel) continue
    isChanged = true
    const report = (share: number, what: string): void =>
      onProgress((step + share) / cardKinds.length, `${what} ${kind}s`)
    if (isTouched) {
      await removeCards(table, change, signal)
      await putCards(table, put, (share) => report(share * 0.3, 'writing'), signal)
      await indexIds(table)
      await settle(table)
    }
    const cards = await allCards(table)
    if (model) {
      const vectors = isNewModel ? { put: cards, remove: null } : { put, remove: change }
      const progress = (share: number): void => report(0.3 + share * 0.4, 'embedding')
      versions[vectorTables[kind]] = await syncVectors(
        connection,
        kind,
        model,
        vectors,
        head?.versions[vectorTables[kind]],
        progress,
        signal,
      )
    }
    signal?.throwIfAborted()
    await writeImage(
      tables.images,
      kind,
      packCardIndex(cards, (share) => report(0.7 + share * 0.3, 'indexing')),
    )
    counts[kind] = cards.length
    versions[cardTables[kind]] = await table.version()
    signal?.throwIfAborted()
  }
  await settle(tables.images)
  versions[imagesTable] = await tables.images.version()
  const next: Head = {
    layout: storeLayout,
    // Readers load a new generation: states of sources alone do not make one.
    generation: (head?.generation ?? 0) + (isChanged ? 1 : 0),
    versions,
    tools: counts.tool,
    agents: counts.agent,
    embedding: model ? { model: model.id, dimensions: model.dimensions } : null,
  }
  await writeHead(context.meta, next, change)
  const vectors = await Promise.all(cardKinds.map((kind) => openTable(connection, vectorTables[kind])))
  await prune([
    ...Object.values(tables.cards),
    tables.images,
    context.meta,
    ...vectors.filter((table) => table !== null),
  ])
  onProgress(1, 'done')
  return next
}

/** Cards are fetched by id. */
async function indexIds(table: Table): Promise<void> {
  if ((await table.listIndices()).length > 0 || (await table.countRows()) === 0) return
  await table.createIndex('id', { config: lancedb.Index.btree() })
}

async function removeCards(
  table: Table,
  { remove, removeSources }: CatalogChange,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const ids of batches(remove, batchIds)) {
    signal?.throwIfAborted()
    await table.delete(`id IN (${ids.map(quoted).join(', ')})`)
  }
  if (removeSources.length > 0) await table.delete(`source IN (${removeSources.map(quoted).join(', ')})`)
}

async function putCards(
  table: Table,
  cards: readonly Card[],
  onProgress: (share: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  let done = 0
  for (const batch of batches(cards, batchRows)) {
    signal?.throwIfAborted()
    const rows = batch.map((card) => ({
      id: card.id,
      source: card.source,
      hash: contentHash(card),
      card: JSON.stringify(card),
    }))
    await table
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(lancedb.makeArrowTable(rows, { schema: cardSchema }))
    done += batch.length
    onProgress(done / cards.length)
  }
}

/** The commit: one write to one table holds the head and the sources' states. */
async function writeHead(meta: Table, head: Head, change: CatalogChange): Promise<void> {
  const rows: MetaRow[] = [
    { key: headKey, value: JSON.stringify(head) },
    ...change.sources.map((state) => ({ key: sourceKey(state.id), value: JSON.stringify(state) })),
    // An empty value is a source that is gone: deleting the row would be a second transaction.
    ...change.removeSources.map((id) => ({ key: sourceKey(id), value: '' })),
  ]
  await meta
    .mergeInsert('key')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(lancedb.makeArrowTable(rows, { schema: metaSchema }))
}
