import { randomUUID } from 'node:crypto'
import type { Connection, Table } from '@lancedb/lancedb'
import type { CatalogChange } from '../../catalog/ports.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { imageVersion, packCardIndex } from '../../retrieval/card-index.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { allCards, putCards, type Removal, removalOf, removeCards } from './card-rows.ts'
import type { StoreLocation } from './connection.ts'
import { embedCards, removeVectors } from './embed-cards.ts'
import { writeImage } from './image-table.ts'
import { lancedb } from './native.ts'
import { type Head, headKey, metaSchema, type MetaRow, sourceKey, storeLayout } from './schemas.ts'
import { readingStore } from './store-error.ts'
import { prune } from './versions.ts'
import { type WritableTables, writableTables } from './writable-tables.ts'

const cardKinds: readonly CardKind[] = ['tool', 'agent']

/** What a commit works on. */
export type Commit = {
  readonly location: StoreLocation
  readonly connection: Connection
  readonly meta: Table
  /** The last commit, or null when there was none. */
  readonly head: Head | null
  readonly model: EmbeddingModel | null
  readonly change: CatalogChange
  /** Called once the change is committed; pruning follows. */
  readonly onCommitted: (head: Head) => void
  readonly onProgress: (share: number, step: string) => void
  readonly signal: AbortSignal | undefined
}

/** Changes the tables, then writes the head and the states of sources in one transaction: that is the commit. */
export async function commitChange(commit: Commit): Promise<void> {
  const { head, meta, model, change, signal } = commit
  const tables = writableTables(commit.location, commit.connection, head)
  try {
    const counts = { tool: head?.tools ?? 0, agent: head?.agents ?? 0 }
    let isChanged = false
    for (const kind of cardKinds) {
      const removal = await readingStore(commit.location, () => removalOf(tables, kind, change))
      const put = change.put.filter((card) => card.kind === kind)
      const isTouched = put.length + removal.ids.length + removal.sources.length > 0
      if (!isTouched && isCurrent(head, model)) continue
      counts[kind] = await changeKind(commit, tables, kind, { put, removal })
      isChanged = true
    }
    if (model === null) tables.leaveOutVectors()
    const next: Head = {
      layout: storeLayout,
      store: head?.store ?? randomUUID(),
      // Readers load a new generation: states of sources alone do not make one.
      generation: (head?.generation ?? 0) + (isChanged ? 1 : 0),
      image: imageVersion,
      versions: await tables.settle(),
      tools: counts.tool,
      agents: counts.agent,
      embedding: model ? { model: model.id, dimensions: model.dimensions } : null,
    }
    signal?.throwIfAborted()
    await writeHead(meta, next, change)
    commit.onCommitted(next)
    await tables.prune()
    await prune(meta)
  } finally {
    tables.close()
  }
  commit.onProgress(1, 'done')
}

/** Whether the store was committed with the vectors of this model, and with search images of this Audition. */
export const isCurrent = (head: Head | null, model: EmbeddingModel | null): boolean =>
  head !== null && modelOf(head) === (model?.id ?? null) && head.image === imageVersion

const modelOf = (head: Head | null): string | null => head?.embedding?.model ?? null

/** Changes the cards of one kind, then its vectors and its search image. @returns how many cards there are now */
async function changeKind(
  { location, head, model, onProgress, signal }: Commit,
  tables: WritableTables,
  kind: CardKind,
  { put, removal }: { readonly put: readonly Card[]; readonly removal: Removal },
): Promise<number> {
  const report = (share: number, what: string): void =>
    onProgress((cardKinds.indexOf(kind) + share) / cardKinds.length, `${what} ${kind}s`)
  const table = await tables.cards(kind)
  await removeCards(table, removal, signal)
  await putCards(table, put, (share) => report(share * 0.3, 'writing'), signal)
  const cards = await readingStore(location, () => allCards(table))
  if (model) {
    const isSameModel = modelOf(head) === model.id
    const known = isSameModel ? await tables.vectors(kind) : null
    const vectors = known ?? (await tables.makeVectors(kind, model.dimensions))
    if (known) await removeVectors(known, removal, signal)
    const progress = (share: number): void => report(0.3 + share * 0.4, 'embedding')
    await embedCards(vectors, model, known ? put : cards, progress, signal)
  }
  signal?.throwIfAborted()
  const image = packCardIndex(cards, (share) => report(0.7 + share * 0.3, 'indexing'))
  await writeImage(await tables.images(), kind, image)
  signal?.throwIfAborted()
  return cards.length
}

/** The commit: one write to one table holds the head and the sources' states. */
async function writeHead(meta: Table, head: Head, { sources, removeSources }: CatalogChange): Promise<void> {
  const states = new Map(removeSources.map((id) => [id, '']))
  // An empty value is a source that is gone: deleting the row would be a second transaction.
  for (const state of sources) states.set(state.id, JSON.stringify(state))
  const rows: MetaRow[] = [
    { key: headKey, value: JSON.stringify(head) },
    ...[...states].map(([id, value]) => ({ key: sourceKey(id), value })),
  ]
  await meta
    .mergeInsert('key')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(lancedb.makeArrowTable(rows, { schema: metaSchema }))
}
