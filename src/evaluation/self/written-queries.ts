import pLimit from 'p-limit'
import type { Card } from '../../domain/card.ts'
import type { QueryWriter } from '../ports.ts'
import { copiesCard } from './copies-card.ts'

/** Cards asked about at the same time. */
const concurrency = 4

/**
 * Has a model write requests for cards, and keeps those that do not repeat the card.
 *
 * @param perCard - requests wanted of each card
 * @param onProgress - called with the number of cards done
 * @returns requests by card id
 * @throws LanguageModelError when the model cannot be asked
 */
export async function writeQueries(
  writer: QueryWriter,
  cards: readonly Card[],
  perCard: number,
  {
    signal,
    onProgress,
  }: { readonly signal?: AbortSignal; readonly onProgress?: (done: number) => void } = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const limit = pLimit(concurrency)
  let done = 0
  const written = await Promise.all(
    cards.map((card) =>
      limit(async () => {
        signal?.throwIfAborted()
        const queries = await writer.write(card, perCard, signal)
        done += 1
        onProgress?.(done)
        return [card.id, queries.filter((query) => !copiesCard(query, card))] as const
      }),
    ),
  )
  return new Map(written)
}
