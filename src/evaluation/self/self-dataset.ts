import type { Card, CardKind } from '../../domain/card.ts'
import { analyzeQuery } from '../../retrieval/text/analyze.ts'
import type { Dataset, DatasetPart, JudgedQuery } from '../datasets/dataset.ts'
import { alikeCards } from './alike-cards.ts'
import { holdOutSentence } from './held-out-sentence.ts'
import { selfQueryId } from './query-id.ts'

/** Most examples asked for per card: a card with many must not decide the mean. */
const examplesPerCard = 3
const leastTerms = 2

/**
 * Makes known-item queries of the user's own cards: each card's examples, asked of an index without any examples, and a
 * sentence of each description, asked of an index without these sentences. The card itself, and what is the same thing
 * listed again, is what should be found.
 *
 * @param written - further requests by card id, asked of the cards as they are
 *
 * Known-item search flatters a catalog: its queries share the publisher's words. Compare such figures with each other
 * only, before and after a change.
 *
 * @see Azzopardi, de Rijke & Balog, SIGIR 2007, on simulated known-item queries
 */
export function selfDataset(
  cards: readonly Card[],
  origin: string,
  written: ReadonlyMap<string, readonly string[]> = new Map(),
): Dataset {
  const alike = new Map(alikeCards(cards).flatMap((group) => group.map((id) => [id, group] as const)))
  const gradesOf = (card: Card) => new Map((alike.get(card.id) ?? [card.id]).map((id) => [id, 1]))
  const kinds: readonly CardKind[] = ['tool', 'agent']
  const parts = kinds.flatMap((kind) => {
    const own = cards.filter((card) => card.kind === kind)
    return [
      examplesPart(kind, own, gradesOf),
      sentencesPart(kind, own, gradesOf),
      writtenPart(kind, own, gradesOf, written),
    ]
  })
  const untested =
    cards.length - new Set(parts.flatMap(({ queries }) => queries.map(({ card }) => card))).size
  return {
    name: 'self',
    origin,
    parts: parts
      .filter(({ queries }) => queries.length > 0)
      .map(({ queries, ...part }) => ({ ...part, queries: queries.map(({ query }) => query) })),
    headline: ['mrr@10', 'hit@1', 'hit@10'],
    notes:
      untested === 0
        ? []
        : [`${untested} of ${cards.length} cards have neither an example nor enough words to hold some out.`],
  }
}

type CardQuery = { readonly card: string; readonly query: JudgedQuery }
type SelfPart = Omit<DatasetPart, 'queries'> & { readonly queries: readonly CardQuery[] }
type GradesOf = (card: Card) => ReadonlyMap<string, number>

function examplesPart(kind: CardKind, cards: readonly Card[], gradesOf: GradesOf): SelfPart {
  const queries = cards.flatMap((card) =>
    card.examples
      .filter((example) => analyzeQuery(example).length >= leastTerms)
      .slice(0, examplesPerCard)
      .map((text, index) => ({
        card: card.id,
        query: {
          id: selfQueryId(card.id, `example-${index + 1}`),
          text,
          grades: gradesOf(card),
          group: card.source,
        },
      })),
  )
  return {
    name: `${kind} examples`,
    category: kind,
    kind,
    cards: cards.map((card) => ({ ...card, examples: [] })),
    queries,
  }
}

function sentencesPart(kind: CardKind, cards: readonly Card[], gradesOf: GradesOf): SelfPart {
  const held = cards.map((card) => ({ card, held: holdOutSentence(card.description) }))
  return {
    name: `${kind} sentences`,
    category: kind,
    kind,
    cards: held.map(({ card, held: out }) => (out ? { ...card, description: out.rest } : card)),
    queries: held.flatMap(({ card, held: out }) =>
      out
        ? [
            {
              card: card.id,
              query: {
                id: selfQueryId(card.id, 'sentence'),
                text: out.sentence,
                grades: gradesOf(card),
                group: card.source,
              },
            },
          ]
        : [],
    ),
  }
}

function writtenPart(
  kind: CardKind,
  cards: readonly Card[],
  gradesOf: GradesOf,
  written: ReadonlyMap<string, readonly string[]>,
): SelfPart {
  const queries = cards.flatMap((card) =>
    (written.get(card.id) ?? []).map((text, index) => ({
      card: card.id,
      query: {
        id: selfQueryId(card.id, `written-${index + 1}`),
        text,
        grades: gradesOf(card),
        group: card.source,
      },
    })),
  )
  return { name: `${kind} written`, category: kind, kind, cards, queries }
}
