import type { Card } from '../../domain/card.ts'
import { identitiesOf, isOdd } from '../facts/publisher-shape.ts'
import { cardInEnglish } from '../glossary/card-in-english.ts'
import { analyze } from '../text/analyze.ts'
import { fieldNames, textsOf } from '../text/card-texts.ts'
import { packSections, unpackSections } from '../text/sections.ts'
import { packStrings, type StringTable, stringTable, tableOf } from './string-table.ts'

/**
 * What is known of all cards of a kind, where only some of them are at hand: an engine elsewhere has the others. Without it a rare word
 * of the catalog would be a common one of the candidates.
 */
export type CatalogCounts = {
  readonly cards: number
  /** Terms of a card, on average, by field in the order of `fieldNames`. */
  readonly averages: readonly number[]
  /** Cards that hold a term, 0 for a term that none has. */
  cardsWith(term: string): number
  /** Cards that come together: those of a server, and those of a source that are of no server. */
  familySize(family: { readonly server: string } | { readonly source: string }): number
  /** Cards of a source or of a publisher there, and those whose description is a list of words or a request. */
  shapeOf(identity: string): { readonly odd: number; readonly all: number }
  /** Cards by where they are from. */
  groups(): readonly CardGroup[]
  /** Cards by how their own names begin, as `prefixIn` tells. */
  prefixes(): readonly (readonly [prefix: string, cards: number])[]
  readonly servers: StringTable
  readonly tags: StringTable
}

/** So many cards that are from one place. */
export type CardGroup = {
  readonly source: string
  readonly publisher: string
  readonly server: string | null
  readonly cards: number
}

/** Sums over cards, by what they count: so a change adds what comes and takes away what goes, and nobody reads the rest. */
export type CatalogSums = Map<string, number>

const cardsKey = 'n'

/** Adds a card to sums, or takes one away by its `weight` of -1. */
export function countCard(sums: CatalogSums, card: Card, weight: 1 | -1): void {
  const count = (name: string, by = 1): void => {
    const key = name.toWellFormed()
    const sum = (sums.get(key) ?? 0) + by * weight
    if (sum === 0) sums.delete(key)
    else sums.set(key, sum)
  }
  const texts = textsOf(cardInEnglish(card))
  const terms = new Set<string>()
  fieldNames.forEach((field, at) => {
    const found = analyze(texts[field])
    if (found.length > 0) count(`l:${at}`, found.length)
    for (const term of found) terms.add(term)
  })
  for (const term of terms) count(`t:${term}`)
  const { source, publisher = source } = card
  const server = card.kind === 'tool' ? card.server : undefined
  count(cardsKey)
  count(`g:${JSON.stringify([source, publisher, server ?? null])}`)
  count(server === undefined ? `f:${source}` : `s:${server}`)
  for (const identity of identitiesOf(card)) {
    count(`i:${identity}`)
    if (isOdd(card)) count(`o:${identity}`)
  }
  for (const tag of new Set(card.tags.map(normalTag))) count(`a:${tag}`)
  const prefix = prefixIn(card.id)
  if (prefix !== undefined) count(`p:${prefix}`)
}

/** How often an engine's full text has the terms of a field, where it weighs no fields by itself. */
const repeats: { readonly [field in (typeof fieldNames)[number]]: number } = {
  name: 3,
  description: 2,
  parameters: 1,
  examples: 1,
  body: 1,
  enrichment: 1,
}

/** The terms of a card for an engine that searches them as one text. */
export function wordsOfCard(card: Card): readonly string[] {
  const texts = textsOf(cardInEnglish(card))
  return fieldNames.flatMap((field) => {
    const terms = analyze(texts[field])
    return Array.from({ length: repeats[field] }, () => terms).flat()
  })
}

/** As filters and columns compare tags. */
export const normalTag = (tag: string): string => tag.trim().toLowerCase()

/** How a tool's own name begins: `chat-tools/slack_post_message` with slack. */
export const prefixIn = (id: string): string | undefined =>
  /^([\p{L}\p{N}]{3,})[-_.]/u.exec(id.slice(id.lastIndexOf('/') + 1))?.[1]

export function packSums(sums: CatalogSums): Uint8Array {
  const keys = [...sums.keys()].sort((a, b) => (a < b ? -1 : 1))
  const { bytes, offsets } = packStrings(keys)
  return packSections({}, { bytes, offsets, counts: Uint32Array.from(keys, (key) => sums.get(key)!) })
}

/** The sums again, to be changed. */
export function sumsOf(packed: Uint8Array): CatalogSums {
  const { table, counts } = opened(packed)
  return new Map(Array.from(counts, (count, at) => [table.at(at), count]))
}

const opened = (packed: Uint8Array) => {
  const sections = unpackSections(packed)
  return { table: stringTable(sections.u8('bytes'), sections.u32('offsets')), counts: sections.u32('counts') }
}

/** What sums say, read where they lie. */
export function catalogCounts(packed: Uint8Array): CatalogCounts {
  const { table, counts } = opened(packed)
  const countOf = (key: string): number => counts[table.indexOf(key)] ?? 0
  const cards = countOf(cardsKey)
  const entries = (kind: string): [string, number][] => {
    const [from, to] = [table.lowerBound(`${kind}:`), table.lowerBound(`${kind};`)]
    return Array.from({ length: to - from }, (_, at) => [table.at(from + at).slice(2), counts[from + at]!])
  }
  const namesOf = (kind: string): StringTable => tableOf(entries(kind).map(([name]) => name))
  return {
    cards,
    averages: fieldNames.map((_, at) => countOf(`l:${at}`) / Math.max(cards, 1) || 1),
    cardsWith: (term) => countOf(`t:${term}`),
    familySize: (family) => countOf('server' in family ? `s:${family.server}` : `f:${family.source}`),
    shapeOf: (identity) => ({ odd: countOf(`o:${identity}`), all: countOf(`i:${identity}`) }),
    groups: () =>
      entries('g').map(([key, count]) => {
        const [source, publisher, server] = JSON.parse(key) as [string, string, string | null]
        return { source, publisher, server, cards: count }
      }),
    prefixes: () => entries('p'),
    servers: namesOf('s'),
    tags: namesOf('a'),
  }
}
