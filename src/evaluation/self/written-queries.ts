import pLimit from 'p-limit'
import type { Card } from '../../domain/card.ts'
import type { QueryWriter } from '../evaluation-settings.ts'
import { analyze } from '../../retrieval/text/analyze.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'

/** Words in a row that nobody hits by chance. */
const phraseLength = 4

const phrases = (text: string): string[] => {
  const terms = analyze(text)
  return Array.from({ length: Math.max(0, terms.length - phraseLength + 1) }, (_, index) =>
    terms.slice(index, index + phraseLength).join(' '),
  )
}

/**
 * Whether a request repeats the card: four telling words in a row, or the whole name when it has more than one word.
 * Such a request measures copying, not search.
 */
export function copiesCard(query: string, card: Card): boolean {
  const own = new Set(Object.values(textsOf(card)).flatMap(phrases))
  const name = analyze(card.name)
  const asked = analyze(query).join(' ')
  return (
    phrases(query).some((phrase) => own.has(phrase)) ||
    (name.length > 1 && ` ${asked} `.includes(` ${name.join(' ')} `))
  )
}

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
        return [card.id, queries.filter((query) => !copiesCard(query, card))] as const
      }),
    ),
  )
  return new Map(written)
}
