import type { Table } from '@lancedb/lancedb'
import type { Card } from '../../../domain/card.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { vectorsOfCards } from '../../../retrieval/index/vectors-of-cards.ts'
import { batches } from '../batches.ts'
import { type Removal, removeIds } from '../card-rows.ts'
import { quoted } from '../connection.ts'
import type { VectorRow } from '../vectors.ts'

const batchEmbed = 64
const batchRows = 5000
/**
 * Embeds cards, and hands the vectors over some thousand at a time.
 *
 * @param put - adds or replaces vectors by card id
 */
export async function embedCards(
  put: (rows: readonly VectorRow[]) => Promise<void>,
  model: EmbeddingModel,
  cards: readonly Card[],
  onProgress: (share: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  let done = 0
  for (const rows of batches(cards, batchRows)) {
    const embedded: VectorRow[] = []
    for (const batch of batches(rows, batchEmbed)) {
      signal?.throwIfAborted()
      const vectors = await vectorsOfCards(model, batch, signal)
      batch.forEach(({ id }, index) => {
        embedded.push({ id, vector: vectors[index]! })
      })
      done += batch.length
      onProgress(done / cards.length)
    }
    await put(embedded)
  }
}

/** Removes the vectors of cards that must go. */
export async function removeVectors(
  table: Table,
  { ids, sources }: Removal,
  signal: AbortSignal | undefined,
): Promise<void> {
  await removeIds(table, ids, signal)
  for (const source of sources) await table.delete(`starts_with(id, ${quoted(`${source}/`)})`)
}
