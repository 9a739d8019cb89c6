import type { CardIndex } from '../index/card-index.ts'
import type { RankedCard } from '../rank/ranked-card.ts'
import { analyzeQuery } from '../text/analyze.ts'
import { catalogNames } from './catalog-names.ts'
import {
  afterNames,
  articles,
  beforeNames,
  holders,
  type RequestWord,
  systemHolders,
} from './request-words.ts'

/** A system of the catalog that a request names. */
export type NamedSystem = {
  readonly key: string
  /** As the request writes it. */
  readonly text: string
  /** Place of its first word, and how many it has. */
  readonly from: number
  readonly words: number
}

/** The systems of a catalog that a request names, of names that lie within each other the longest. */
export function namedSystems(words: readonly RequestWord[], index: CardIndex): readonly NamedSystem[] {
  const found: NamedSystem[] = []
  for (let from = 0; from < words.length; ) {
    const named = longestAt(words, from, index)
    if (named) found.push(named)
    from += named?.words ?? 1
  }
  return found
}

function longestAt(words: readonly RequestWord[], from: number, index: CardIndex): NamedSystem | undefined {
  const { longest, cardsOf, nameWith } = catalogNames(index)
  for (let count = Math.min(longest, words.length - from); count > 0; count--) {
    const span = words.slice(from, from + count)
    if (span.slice(0, -1).some(({ endsClause }) => endsClause)) continue
    const written = span.map((word) => word.key).join('')
    const isLarge = /^\p{Lu}/u.test(span[0]!.text)
    // People call Microsoft Teams by its second name.
    const whole = cardsOf(written) === 0 && isLarge && standsAsName(words, from) ? nameWith(written) : written
    const isPart = whole !== written && !isOrdinary(span[0]!.text, cardsOf(whole), index)
    const key = isPart ? whole : written
    const cards = cardsOf(key)
    // A system that all cards belong to prefers none.
    if (cards === 0 || cards === index.total) continue
    const text = span.map((word) => word.text).join(' ')
    const holds = !span.at(-1)!.endsClause && systemHolders.has(words[from + count]?.key ?? '')
    // One word alone is a name where names stand, or before what it holds: "a gitlab issue".
    if (count === 1 && !standsAsName(words, from) && !(holds && !isOrdinary(text, cards, index))) continue
    return { key, text, from, words: count }
  }
  return undefined
}

/** Quoted, or written large within a sentence, or after a preposition and before nothing that it would describe. */
function standsAsName(words: readonly RequestWord[], at: number): boolean {
  const word = words[at]!
  const before = words[at - 1]
  const after = word.endsClause ? undefined : words[at + 1]
  if (word.isQuoted) return true
  if (isOneOfMany(words, at)) return false
  const isLarge = /\p{Lu}/u.test(word.text)
  if (isLarge && (!word.startsClause || (word.endsClause && words.length > 1))) return true
  const isAfterPreposition = before !== undefined && !word.startsClause && beforeNames.has(before.key)
  if (isAfterPreposition) return after === undefined || afterNames.has(after.key) || holders.has(after.key)
  return false
}

const isOneOfMany = (words: readonly RequestWord[], at: number): boolean =>
  !words[at]!.startsClause && articles.has(words[at - 1]?.key ?? '')

/** A word that more cards of others hold than its own, or that says nothing in a request. */
function isOrdinary(text: string, own: number, index: CardIndex): boolean {
  const terms = analyzeQuery(text)
  if (terms.length === 0) return true
  return Math.min(...terms.map((term) => cardsWith(index, term))) > 2 * own
}

/** How many cards hold a term: what its weight was made from. */
function cardsWith(index: CardIndex, term: ReturnType<typeof analyzeQuery>[number]): number {
  const { weight, unknownShare } = index.probe([term])
  if (unknownShare > 0) return 0
  return Math.max(0, (index.total + 1) / Math.exp(weight) - 0.5)
}

/** What cards of other systems keep of their score. */
const kept = { ofAll: 0.45, ofOneStep: 0.9 } as const
/** Only where a card of the named system reaches this part of the best score: a name alone is no match. */
const leastOfNamed = 0.2

/**
 * Prefers the cards of the systems that a request names: all others lose a part of their score, those less that
 * speak of the system.
 *
 * @param ranked - best first
 * @param request.steps - of the request: a system that one of several steps names says little of the others
 * @returns best first; the same list where nothing changes
 */
export function preferNamed(
  ranked: readonly RankedCard[],
  { named, steps }: { readonly named: readonly NamedSystem[]; readonly steps: number },
  index: CardIndex,
): readonly RankedCard[] {
  if (named.length === 0 || ranked.length === 0) return ranked
  const names = catalogNames(index)
  const spoken = named.map(({ text }) => index.probe(analyzeQuery(text)))
  const isOwn = ({ document }: RankedCard): boolean => named.some(({ key }) => names.belongs(document, key))
  const best = ranked[0]!.score
  if (!ranked.some((card) => card.score >= leastOfNamed * best && isOwn(card))) return ranked
  const factor = steps > 1 ? kept.ofOneStep : kept.ofAll
  const speaks = ({ document }: RankedCard): boolean =>
    spoken.some((probe) => probe.of(document).share > 0.99)
  return ranked
    .map((card) =>
      isOwn(card) ? card : { ...card, score: (speaks(card) ? Math.sqrt(factor) : factor) * card.score },
    )
    .sort((a, b) => b.score - a.score || b.document - a.document)
}
