import type { Card, CardKind } from '../../domain/card.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { isNearDuplicate, signatureOf } from '../../retrieval/facts/near-duplicate.ts'
import { analyzeQuery } from '../../retrieval/text/analyze.ts'

/** Most examples asked for per card: a card with many must not decide the mean. */
const examplesPerCard = 3
const leastTerms = 2

/**
 * Makes known-item queries of the user's own cards: each card's examples, asked of an index without any examples, and a
 * sentence of each description, asked of an index without these sentences. The card itself, and what is the same thing
 * listed again, is what should be found.
 *
 * Known-item search flatters a catalog: its queries share the publisher's words. Compare such figures with each other
 * only, before and after a change.
 *
 * @see Azzopardi, de Rijke & Balog, SIGIR 2007, on simulated known-item queries
 */
export function selfDataset(cards: readonly Card[], origin: string): Dataset {
  const alike = new Map(alikeCards(cards).flatMap((group) => group.map((id) => [id, group] as const)))
  const gradesOf = (card: Card) => new Map((alike.get(card.id) ?? [card.id]).map((id) => [id, 1]))
  const kinds: readonly CardKind[] = ['tool', 'agent']
  const parts = kinds.flatMap((kind) => {
    const own = cards.filter((card) => card.kind === kind)
    const held = new Map(own.map((card) => [card, holdOutSentence(card.description)]))
    const part = (name: string, searched: readonly Card[], asked: (card: Card) => readonly Asked[]) => ({
      name: `${kind} ${name}`,
      kind,
      cards: searched,
      queries: own.flatMap((card) =>
        asked(card).map(({ which, text }) => ({
          card: card.id,
          query: { id: selfQueryId(card.id, which), text, grades: gradesOf(card), group: card.source },
        })),
      ),
    })
    const withoutExamples = own.map((card) => ({ ...card, examples: [] }))
    const withoutSentence = own.map((card) => ({
      ...card,
      description: held.get(card)?.rest ?? card.description,
    }))
    return [
      part('examples', withoutExamples, ({ examples }) =>
        numbered(
          'example',
          examples.filter((text) => analyzeQuery(text).length >= leastTerms),
        ).slice(0, examplesPerCard),
      ),
      part('sentences', withoutSentence, (card) => {
        const out = held.get(card)
        return out ? [{ which: 'sentence', text: out.sentence }] : []
      }),
    ]
  })
  const untested =
    cards.length - new Set(parts.flatMap(({ queries }) => queries.map(({ card }) => card))).size
  return {
    name: 'self',
    origin,
    parts: parts
      .filter(({ queries }) => queries.length > 0)
      .map(({ queries, ...part }) => ({
        ...part,
        category: part.kind,
        queries: queries.map(({ query }) => query),
      })),
    headline: ['mrr@10', 'hit@1', 'hit@10'],
    notes:
      untested === 0
        ? []
        : [`${untested} of ${cards.length} cards have neither an example nor enough words to hold some out.`],
  }
}

/** A request made of a card, and which of its requests it is. */
type Asked = { readonly which: string; readonly text: string }

const numbered = (word: string, texts: readonly string[]): readonly Asked[] =>
  texts.map((text, index) => ({ which: `${word}-${index + 1}`, text }))

/** A description with one of its sentences taken out, to be asked for. */
type HeldOut = { readonly sentence: string; readonly rest: string }

/** Fewer telling words make no request. */
const leastHeldOut = 4

const sentenceEnd = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n+/u
/** Where a single sentence can be cut into two that both say something. */
const clauseEnd =
  /;\s+|:\s+|,\s+(?=(?:and|or|with|for|so that|which|where|when|including|such as)\b)|(?<!\s)\s+(?=(?:so that|including|such as)\b)/iu

/**
 * Takes the last sentence (or clause, when there is one sentence) out of a description that has enough words for it, so
 * that it can be asked for in an index that does not hold it.
 *
 * @returns null when the description is too short to leave both a request and a card
 */
export function holdOutSentence(description: string): HeldOut | null {
  for (const boundary of [sentenceEnd, clauseEnd]) {
    const pieces = description
      .split(boundary)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
    const at = pieces.findLastIndex((piece) => analyzeQuery(piece).length >= leastHeldOut)
    if (pieces.length < 2 || at < 0) continue
    const rest = pieces.filter((_, index) => index !== at).join(' ')
    if (analyzeQuery(rest).length >= leastHeldOut) return { sentence: pieces[at]!, rest }
  }
  return null
}

/** Id of a query made from a card: the card's id, and which of its queries it is. */
const selfQueryId = (card: string, which: string): string => `${card}#${which}`

/** The card a query was made from. */
export const cardOfSelfQuery = (id: string): string => id.slice(0, id.lastIndexOf('#'))

/**
 * Groups of cards that are the same thing listed more than once, by the rule by which search folds them. Groups of one
 * are left out; ids ascending.
 */
export function alikeCards(cards: readonly Card[]): readonly (readonly string[])[] {
  const byName = new Map<
    string,
    { readonly card: Card; readonly signature: ReturnType<typeof signatureOf> }[][]
  >()
  for (const card of cards) {
    const signature = signatureOf(card)
    const key = `${card.kind} ${signature.name}`
    const groups = byName.get(key) ?? []
    const group = groups.find((members) =>
      members.some((other) => isNearDuplicate(other.signature, signature, other.card.source === card.source)),
    )
    if (group) group.push({ card, signature })
    else groups.push([{ card, signature }])
    byName.set(key, groups)
  }
  return [...byName.values()]
    .flat()
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ card }) => card.id).sort())
}
