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
import { type Head, headKey, metaSchema, type MetaRow, reviewKey, sourceKey, storeLayout } from './schemas.ts'
import { readingStore } from './store-error.ts'
import { putVectors, storedVectors, type VectorRow } from './vectors.ts'
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
    // It is committed: what cannot be pruned now, say for want of space, is pruned by the next run.
    await Promise.allSettled([tables.prune(), prune(meta)])
  } finally {
    tables.close()
  }
  commit.onProgress(1, 'done')
}

/** Whether the store was committed with the vectors of this model, and with search images of this Audition. */
export const isCurrent = (head: Head | null, model: EmbeddingModel | null): boolean =>
  head !== null && modelOf(head) === (model?.id ?? null) && head.image === imageVersion

const modelOf = (head: Head | null): string | null => head?.embedding?.model ?? null

type KindChange = { readonly put: readonly Card[]; readonly removal: Removal }

/** Changes the cards of one kind, then its vectors and its search image. @returns how many cards there are now */
async function changeKind(
  commit: Commit,
  tables: WritableTables,
  kind: CardKind,
  change: KindChange,
): Promise<number> {
  const { location, model, onProgress, signal } = commit
  const { put, removal } = change
  const report = (share: number, what: string): void =>
    onProgress((cardKinds.indexOf(kind) + share) / cardKinds.length, `${what} ${kind}s`)
  const rows = await tables.cards(kind)
  await removeCards(rows, removal, signal)
  await putCards(rows, put, (share) => report(share * 0.3, 'writing'), signal)
  await tables.settleCards(kind)
  const cards = await readingStore(location, () => allCards(rows))
  const progress = (share: number): void => report(0.3 + share * 0.4, 'embedding')
  const table = model && (await embedKind(commit, model, tables, kind, { ...change, cards }, progress))
  signal?.throwIfAborted()
  // Read back whole: those of unchanged cards lie nowhere else.
  const vectors = table && (await readingStore(location, () => storedVectors(table, model.dimensions)))
  const image = packCardIndex(cards, {
    vectors,
    tokensOf: model?.ranker?.tokensOf ?? null,
    onProgress: (share) => report(0.7 + share * 0.3, 'indexing'),
  })
  await writeImage(await tables.images(), kind, image)
  signal?.throwIfAborted()
  return cards.length
}

/** Embeds the cards that are new or changed; with another model than the last commit's, all of them. */
async function embedKind(
  { location, head, signal }: Commit,
  model: EmbeddingModel,
  tables: WritableTables,
  kind: CardKind,
  { put, removal, cards }: KindChange & { readonly cards: readonly Card[] },
  onProgress: (share: number) => void,
): Promise<Table> {
  const known = modelOf(head) === model.id ? await tables.vectors(kind) : null
  const table = known ?? (await tables.makeVectors(kind, model.dimensions))
  if (known) await removeVectors(known, removal, signal)
  // Vectors that are replaced are looked up first: a damaged table shows here.
  const keep = (rows: readonly VectorRow[]): Promise<void> =>
    readingStore(location, () => putVectors(table, model.dimensions, rows))
  await embedCards(keep, model, known ? put : cards, onProgress, signal)
  return table
}

/** The commit: one write to one table holds the head, the sources' states and their reviews. */
export async function writeHead(
  meta: Table,
  head: Head,
  change: Pick<CatalogChange, 'sources' | 'removeSources' | 'reviews' | 'removeReviews'>,
): Promise<void> {
  const { sources, removeSources, reviews = [], removeReviews = [] } = change
  // An empty value is a row of something that is gone: deleting the row would be a second transaction.
  const values = new Map<string, string>([
    ...removeSources.map((id) => [sourceKey(id), ''] as const),
    ...removeReviews.map((key) => [reviewKey(key), ''] as const),
  ])
  for (const state of sources) values.set(sourceKey(state.id), JSON.stringify(state))
  for (const review of reviews) values.set(reviewKey(review.key), JSON.stringify(review))
  const rows: MetaRow[] = [
    { key: headKey, value: JSON.stringify(head) },
    ...[...values].map(([key, value]) => ({ key, value })),
  ]
  await meta
    .mergeInsert('key')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(lancedb.makeArrowTable(rows, { schema: metaSchema }))
}
