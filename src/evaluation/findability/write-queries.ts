import pLimit from 'p-limit'
import type { Card } from '../../domain/card.ts'
import type { QueryWriter } from '../evaluation-settings.ts'
import { copiesCard, namesCard } from './copies-card.ts'

/** Cards asked about at the same time. */
const concurrency = 4

/**
 * Has a model write requests for cards, and keeps those that do not repeat the card.
 *
 * @param perCard - requests wanted of each card
 * @returns requests by card id
 * @throws LanguageModelError when the model cannot be asked
 */
export async function writeQueries(
  writer: QueryWriter,
  cards: readonly Card[],
  { perCard, signal }: { readonly perCard: number; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const limit = pLimit(concurrency)
  const written = await Promise.all(
    cards.map((card) =>
      limit(async () => {
        signal?.throwIfAborted()
        const queries = await writer.write(card, perCard, signal)
        return [
          card.id,
          queries.filter((query) => !copiesCard(query, card) && !namesCard(query, card)),
        ] as const
      }),
    ),
  )
  return new Map(written)
}
