import type { Card } from '../../domain/card.ts'
import { analyze, lightStem } from '../../retrieval/text/analyze.ts'
import { textsOf } from '../../retrieval/text/card-texts.ts'
import { plainWords } from '../host-rankers/host-ranker.ts'
import pLimit from 'p-limit'
import type { QueryWriter } from '../evaluation-settings.ts'

/** Words in a row that nobody hits by chance. */
const phraseLength = 4

const runsOf = (terms: readonly string[]): string[] =>
  Array.from({ length: Math.max(0, terms.length - phraseLength + 1) }, (_, index) =>
    terms.slice(index, index + phraseLength).join(' '),
  )

/** Words in a row as they stand, small ones too, and telling words in a row, whatever small ones stand between. */
const phrases = (text: string): string[] => [
  ...runsOf(plainWords(text).map(lightStem)),
  ...runsOf(analyze(text)),
]

/** Many requests are held against one card. */
const phrasesOf = new WeakMap<Card, ReadonlySet<string>>()

/** Whether a request repeats four words of the card in a row, in whatever form: such a request measures copying, not search. */
export function copiesCard(query: string, card: Card): boolean {
  const own = phrasesOf.get(card) ?? new Set(Object.values(textsOf(card)).flatMap(phrases))
  phrasesOf.set(card, own)
  return phrases(query).some((phrase) => own.has(phrase))
}

/** Whether a request holds the whole name or title of the card; one word names nothing. */
export function namesCard(query: string, { name, title = '' }: Card): boolean {
  const asked = ` ${plainWords(query).join(' ')} `
  return [name, title].some((said) => {
    const words = plainWords(said)
    return words.length > 1 && asked.includes(` ${words.join(' ')} `)
  })
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
        return [
          card.id,
          queries.filter((query) => !copiesCard(query, card) && !namesCard(query, card)),
        ] as const
      }),
    ),
  )
  return new Map(written)
}
