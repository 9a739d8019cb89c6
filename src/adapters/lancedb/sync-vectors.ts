import type { Connection, Table } from '@lancedb/lancedb'
import type { CatalogChange } from '../../catalog/ports.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { embeddingText } from '../../retrieval/card-texts.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { batches } from './batches.ts'
import { openTable, quoted } from './connection.ts'
import { vectorTables } from './schemas.ts'
import { freshVectorTable, indexVectors, putVectors } from './vectors.ts'
import { rollBack, settle } from './versions.ts'

const batchEmbed = 64
const batchRows = 5000
const batchIds = 500

/** Cards to embed and ids to forget; `remove: null` starts the table anew. */
export type VectorChange = {
  readonly put: readonly Card[]
  readonly remove: Pick<CatalogChange, 'remove' | 'removeSources'> | null
}

/**
 * Brings the vectors of one kind in line with its cards.
 *
 * @param committed - the version the head names; what a killed run did after it is rolled back
 * @returns the table's new version
 */
export async function syncVectors(
  connection: Connection,
  kind: CardKind,
  model: EmbeddingModel,
  { put, remove }: VectorChange,
  committed: number | undefined,
  onProgress: (share: number) => void,
  signal: AbortSignal | undefined,
): Promise<number> {
  const name = vectorTables[kind]
  const known = remove === null ? null : await openAt(connection, name, committed)
  const table = known ?? (await freshVectorTable(connection, name, model.dimensions))
  if (known !== null && remove !== null) await removeVectors(table, remove)
  let done = 0
  for (const rows of batches(put, batchRows)) {
    const embedded: { id: string; vector: Float32Array }[] = []
    for (const batch of batches(rows, batchEmbed)) {
      signal?.throwIfAborted()
      const vectors = await model.embed(batch.map(embeddingText), 'document', signal)
      batch.forEach(({ id }, index) => {
        embedded.push({ id, vector: vectors[index]! })
      })
      done += batch.length
      onProgress(done / put.length)
    }
    await putVectors(table, model.dimensions, embedded)
  }
  await indexVectors(table)
  await settle(table)
  const version = await table.version()
  table.close()
  return version
}

async function openAt(
  connection: Connection,
  name: string,
  version: number | undefined,
): Promise<Table | null> {
  const table = version === undefined ? null : await openTable(connection, name)
  if (table !== null && version !== undefined) await rollBack(table, version)
  return table
}

async function removeVectors(
  table: Table,
  { remove, removeSources }: Pick<CatalogChange, 'remove' | 'removeSources'>,
): Promise<void> {
  for (const ids of batches(remove, batchIds)) await table.delete(`id IN (${ids.map(quoted).join(', ')})`)
  for (const source of removeSources) await table.delete(`starts_with(id, ${quoted(`${source}/`)})`)
}
