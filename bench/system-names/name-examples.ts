import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { wordsOfName } from '../../src/retrieval/named-systems/catalog-names.ts'
import { type NamePlace, namePlaces, type SignName } from '../../src/retrieval/named-systems/name-places.ts'
import { keyOfName } from '../../src/domain/text/word-rules.ts'
import { requestWords } from '../../src/retrieval/named-systems/request-words.ts'
import type { Card } from '../../src/domain/card.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'

/** A word where a name may stand, and whether it is one of a system. */
type NameExample = {
  readonly text: string
  readonly signs: readonly SignName[]
  readonly isName: boolean
  readonly family: string
  /** Whether somebody wrote it there, or it was put in place of another name. */
  readonly origin: 'written' | 'put'
}

/** Characters of a description, and cards of a corpus, that tell how words are written. */
const mostCharacters = 500
/** Share of its places within sentences where the name of a system is written large. */
const properShare = 0.7
const sureShare = 0.1
const placesPerName = 3
/** What tells of capitals, which people leave out as often as not. */
const bySize: ReadonlySet<SignName> = new Set([
  'large',
  'mixed-case',
  'large-holder',
  'large-end',
  'large-after',
  'unknown-large',
])

/**
 * Examples from what is trained on: names are those of the servers, products and publishers of the cards, where their own requests
 * name them; all other words that stand in such places are none. Names that nobody asked for take the places of others.
 *
 * @param random - 0 to 1
 */
export function nameExamples(
  corpora: readonly TrainingCorpus[],
  { random, isKnown }: { random: () => number; isKnown: (word: string) => boolean },
): { readonly examples: readonly NameExample[]; readonly names: KnownNames } {
  const sizes = sizesOfWords(corpora)
  const isProper = (key: string): boolean => {
    const { large = 0, small = 0 } = sizes.get(key) ?? {}
    return large / Math.max(1, large + small) >= properShare
  }
  const names = new Map<string, { readonly text: string; readonly family: string }>()
  for (const { cards, family } of corpora)
    for (const card of cards)
      for (const text of systemsOf(card)) {
        const key = keyOfName(text)
        if (key.length > 2 && !/\p{N}{2}|^\p{N}/u.test(key) && !names.has(key))
          names.set(key, { text, family })
      }
  const parts = new Set(
    corpora.flatMap(({ cards }) =>
      cards.flatMap((card) =>
        [card.name, card.kind === 'tool' ? (card.server ?? '') : ''].flatMap((name) =>
          wordsOfName(name).slice(0, 1),
        ),
      ),
    ),
  )
  const examples: NameExample[] = []
  const places: NamePlace[] = []
  for (const { cards, queries, family } of corpora) {
    const byId = new Map(cards.map((card) => [card.id, card]))
    for (const { text, relevant } of queries) {
      const served = relevant.flatMap((id) => byId.get(id) ?? [])
      const own = new Set(served.flatMap(systemsOf).map(keyOfName))
      const held = new Set(served.flatMap(({ name }) => analyzeQuery(name).map(({ term }) => term)))
      const found = namePlaces(
        requestWords(text),
        (word) => analyzeQuery(word.text).some(({ term }) => held.has(term)),
        isKnown,
      )
      for (const place of found) {
        const key = keyOfName(place.text)
        const isLarge = place.signs.includes('large')
        const isName = own.has(key) && (isProper(key) || isLarge)
        // Another system than the one that serves may be meant all the same.
        if (!isName && (names.has(key) ? isProper(key) || isLarge : isProper(key) && parts.has(key))) continue
        if (isName) places.push(place)
        for (const example of inBothSizes({ ...place, isName, family, origin: 'written' }))
          examples.push(example)
      }
    }
  }
  for (const [key, { text, family }] of names) {
    if (!isProper(key)) continue
    for (let time = 0; time < placesPerName; time++) {
      const taken = places[Math.floor(random() * places.length)]!
      const signs = asKnown(taken.signs, text.includes(' ') || isKnown(text.toLowerCase()))
      const isSmall = random() < 0.5
      examples.push({
        text: isSmall ? text.toLowerCase() : text,
        signs: isSmall ? withoutSize(signs) : signs,
        isName: true,
        family,
        origin: 'put',
      })
    }
  }
  return { examples, names: knownNames([...names.keys()].filter(isProper), sizes) }
}

/** Names in one word: those hardly ever written small, and the rest. Alphabetical. */
type KnownNames = { readonly sure: readonly string[]; readonly doubtful: readonly string[] }

function knownNames(keys: readonly string[], sizes: ReadonlyMap<string, Sizes>): KnownNames {
  const isSure = (key: string): boolean => {
    const { large, small } = sizes.get(key)!
    return small <= Math.max(2, sureShare * large)
  }
  const sorted = [...keys].sort()
  return { sure: sorted.filter(isSure), doubtful: sorted.filter((key) => !isSure(key)) }
}

/** The signs of a place when a word that a model knows, or does not, stands there. */
function asKnown(signs: readonly SignName[], isKnown: boolean): readonly SignName[] {
  const others = signs.filter((sign) => !sign.startsWith('unknown'))
  if (isKnown) return others
  const [large, holder] = [signs.includes('large'), signs.some((sign) => /holder$/.test(sign))]
  return [
    ...others,
    'unknown',
    ...(large ? (['unknown-large'] as const) : []),
    ...(holder ? (['unknown-holder'] as const) : []),
  ]
}

const withoutSize = (signs: readonly SignName[]): readonly SignName[] =>
  signs.filter((sign) => !bySize.has(sign))

function inBothSizes(example: NameExample): readonly NameExample[] {
  const { text, signs, isName, family, origin } = example
  const own = { text, signs, isName, family, origin }
  return signs.some((sign) => bySize.has(sign)) && !signs.includes('several-words')
    ? [own, { ...own, text: text.toLowerCase(), signs: withoutSize(signs) }]
    : [own]
}

/** What the server or product of a card is called. */
function systemsOf(card: Card): readonly string[] {
  const whose = card.kind === 'tool' ? [card.server] : card.agentKind === 'toolkit' ? [card.name] : []
  return whose.flatMap((name) => {
    const words = wordsOfName(name ?? '')
    return words.length > 0 && words.length < 3 ? [words.join(' ')] : []
  })
}

type Sizes = { large: number; small: number }

/** How often words are written large and small within sentences of descriptions, whose writers mind it. */
function sizesOfWords(corpora: readonly TrainingCorpus[]): ReadonlyMap<string, Sizes> {
  const sizes = new Map<string, Sizes>()
  const count = (text: string): void => {
    for (const { text: word, key, startsClause } of requestWords(text)) {
      if (startsClause || key.length < 3) continue
      const size = sizes.get(key) ?? { large: 0, small: 0 }
      sizes.set(key, size)
      if (/^\p{Lu}/u.test(word)) size.large++
      else size.small++
    }
  }
  for (const { cards } of corpora)
    for (const { description } of cards) count(description.slice(0, mostCharacters))
  return sizes
}
