import { sourceIdOf } from '../../catalog/identity.ts'
import type { Card } from '../../domain/card.ts'
import { addTo, grouped } from '../../domain/grouped.ts'
import { once } from '../../domain/once.ts'
import type { Standing } from '../../store/source-state.ts'
import { declaresEffect, type Effect, effects, toolEffect } from '../effects/effect.ts'
import { type Signature, signatureOf } from '../facts/near-duplicate.ts'
import type { Section, Sections } from '../text/sections.ts'
import { admitting, type NamedColumn, readOnlyFlag, runnableFlag } from './admitted-cards.ts'
import type { CardFilter } from './card-filter.ts'
import { normalTag } from './catalog-counts.ts'
import { packStrings, type StringTable, stringTable } from './string-table.ts'

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const absent = 0xffffffff
const declaredFlag = 4

type Packed = { [name: string]: Section }

/** Many values per document: the distinct values, and for each the documents that have it. */
function packLists(
  prefix: string,
  cards: readonly Card[],
  listOf: (card: Card) => readonly string[],
): Packed {
  const documentsOf = new Map<string, number[]>()
  cards.forEach((card, document) => {
    for (const value of new Set(listOf(card).map((text) => text.toWellFormed())))
      addTo(documentsOf, value, document)
  })
  const values = [...documentsOf.keys()].sort(byCodeUnits)
  const starts = new Uint32Array(values.length + 1)
  values.forEach((value, index) => {
    starts[index + 1] = starts[index]! + documentsOf.get(value)!.length
  })
  const table = packStrings(values)
  return {
    [`${prefix}.bytes`]: table.bytes,
    [`${prefix}.offsets`]: table.offsets,
    [`${prefix}.starts`]: starts,
    [`${prefix}.documents`]: Uint32Array.from(values.flatMap((value) => documentsOf.get(value)!)),
  }
}

/** One value, or none, per document. */
function packValues(
  prefix: string,
  cards: readonly Card[],
  publishedIn: (card: Card) => string | undefined,
): Packed {
  const values = cards.map((card) => publishedIn(card)?.toWellFormed())
  const distinct = [...new Set(values.filter((value) => value !== undefined))].sort(byCodeUnits)
  const codes = new Map(distinct.map((value, index) => [value, index]))
  const table = packStrings(distinct)
  return {
    [`${prefix}.bytes`]: table.bytes,
    [`${prefix}.offsets`]: table.offsets,
    [`${prefix}.codes`]: Uint32Array.from(values, (value) =>
      value === undefined ? absent : codes.get(value)!,
    ),
  }
}

/** Standings in the order of their numbers in an image. */
const standings: readonly Standing[] = ['installed', 'accepted', 'stranger', 'distrusted', 'newcomer']

/** @param cards - ascending by id in code units */
export function packColumns(cards: readonly Card[]): Packed {
  const ids = packStrings(cards.map(({ id }) => id))
  const signatures = cards.map(signatureOf)
  return {
    'ids.bytes': ids.bytes,
    'ids.offsets': ids.offsets,
    ...packValues('sources', cards, ({ source }) => source),
    ...packValues('publishers', cards, ({ publisher, source }) => publisher ?? source),
    ...packValues('kinds', cards, (card) => (card.kind === 'agent' ? card.agentKind : undefined)),
    ...packValues('servers', cards, (card) => (card.kind === 'tool' ? card.server : undefined)),
    ...packLists('tags', cards, ({ tags }) => tags.map(normalTag)),
    ...packLists('owned', cards, (card) =>
      card.kind === 'agent' ? card.tools.flatMap(({ id }) => id ?? []) : [],
    ),
    flags: Uint8Array.from(cards, flagsOf),
    effects: Uint8Array.from(cards, effectNumber),
    'signatures.name': Uint32Array.from(signatures, ({ name }) => name),
    'signatures.low': Uint32Array.from(signatures, ({ low }) => low),
    'signatures.high': Uint32Array.from(signatures, ({ high }) => high),
  }
}

/** Of each card, in the order of documents. */
export const packStandings = (of: readonly Standing[]): { readonly standings: Uint8Array } => ({
  standings: new Uint8Array(of.map((standing) => standings.indexOf(standing))),
})

const flagsOf = (card: Card): number =>
  (card.runtime ? runnableFlag : 0) |
  (card.kind === 'tool' && card.annotations?.readOnly === true ? readOnlyFlag : 0) |
  (declaresEffect(card) ? declaredFlag : 0)

/** From 1; 0 is for what is not known. */
const effectNumber = (card: Card): number => {
  const effect = toolEffect(card)
  return effect === undefined ? 0 : 1 + effects.indexOf(effect)
}

/** What search needs to know of each card besides its words, by document number. */
export type CardColumns = {
  readonly size: number
  readonly ids: StringTable
  readonly sources: StringTable
  /** What filters name, and the hints on a name that no card has. */
  readonly values: { readonly [column in 'tags' | 'servers']: NamedColumn }
  source(document: number): string
  publisher(document: number): string
  signature(document: number): Signature
  isTool(document: number): boolean
  /** What a tool does to what it works on; undefined where that is not known. */
  effect(document: number): Effect | undefined
  /** Whether that is what it declares. */
  declaresEffect(document: number): boolean
  /** Cards that come together, as numbers: a tool's server, else the source. */
  family(document: number): number
  /** How many cards of a family there are. */
  familySize(family: number): number
  /** Agents that own this tool, by the agents' document numbers. */
  ownersOf(toolId: string): Uint32Array
  /** Documents with a tag, by its place in the table. */
  taggedWith(tag: number): Uint32Array
  /** One byte per document, 1 = admitted; null when the filter admits everything. */
  admit(filter: CardFilter): Uint8Array | null
}

/** The value of a document; each distinct one is decoded once. */
function decoded({ table, codes }: { table: StringTable; codes: Uint32Array }): (document: number) => string {
  const known: (string | undefined)[] = []
  return (document) => {
    const code = codes[document]!
    known[code] ??= table.at(code)
    return known[code]
  }
}

/** A tag, in any case. */
const tagsMeant =
  (table: StringTable): NamedColumn['meant'] =>
  (wanted) => {
    const place = table.indexOf(normalTag(wanted))
    return place < 0 ? [] : [place]
  }

/** A server by its configured name, or by what ids make of that name: `Kalender für alle`, `Kalender-für-alle`. */
function serversMeant(table: StringTable): NamedColumn['meant'] {
  const asInIds = once(() => {
    const places = Array.from({ length: table.size }, (_, place) => place)
    return grouped(places, (place) => sourceIdOf(table.at(place)))
  })
  return (wanted) => {
    const exact = table.indexOf(wanted)
    return exact >= 0 ? [exact] : (asInIds().get(wanted) ?? [])
  }
}

/** What filters name, by the tables of their values. */
export const namedValues = (
  tables: {
    readonly [column in 'tags' | 'servers']: StringTable
  },
): CardColumns['values'] => ({
  servers: { table: tables.servers, meant: serversMeant(tables.servers) },
  tags: { table: tables.tags, meant: tagsMeant(tables.tags) },
})

/** Counts the cards of each family when it is first asked. */
export function familySizes(
  { size, family }: Pick<CardColumns, 'size' | 'family'>,
  families: number,
): CardColumns['familySize'] {
  const sizes = once(() => {
    const counts = new Uint32Array(families)
    for (let document = 0; document < size; document++) counts[family(document)]!++
    return counts
  })
  return (of) => sizes()[of] ?? 0
}

/** Whose words a card holds, which is told of it beside all others. */
export type StandingOf = (document: number) => Standing

export function cardStandings(sections: Sections): StandingOf {
  const of = sections.u8('standings')
  return (document) => standings[of[document]!]!
}

export function cardColumns(sections: Sections): CardColumns {
  const table = (prefix: string): StringTable =>
    stringTable(sections.u8(`${prefix}.bytes`), sections.u32(`${prefix}.offsets`))
  const values = (prefix: string) => ({ table: table(prefix), codes: sections.u32(`${prefix}.codes`) })
  const lists = (prefix: string) => {
    const [strings, starts, documents] = [
      table(prefix),
      sections.u32(`${prefix}.starts`),
      sections.u32(`${prefix}.documents`),
    ]
    return {
      table: strings,
      at: (index: number): Uint32Array => documents.subarray(starts[index], starts[index + 1]),
    }
  }
  const ids = table('ids')
  const columns = { sources: values('sources'), kinds: values('kinds'), servers: values('servers') }
  const publishers = values('publishers')
  const tags = lists('tags')
  const owned = lists('owned')
  const named = namedValues({ servers: columns.servers.table, tags: tags.table })
  const flags = sections.u8('flags')
  const effect = sections.u8('effects')
  const [names, low, high] = [
    sections.u32('signatures.name'),
    sections.u32('signatures.low'),
    sections.u32('signatures.high'),
  ]
  const size = ids.size

  const serverCount = columns.servers.table.size
  const family = (document: number): number => {
    const server = columns.servers.codes[document]!
    return server === absent ? serverCount + columns.sources.codes[document]! : server
  }

  return {
    size,
    ids,
    sources: columns.sources.table,
    family,
    familySize: familySizes({ size, family }, serverCount + columns.sources.table.size),
    values: named,
    source: decoded(columns.sources),
    publisher: decoded(publishers),
    isTool: (document) => columns.kinds.codes[document] === absent,
    effect: (document) => effects[effect[document]! - 1],
    declaresEffect: (document) => (flags[document]! & declaredFlag) !== 0,
    signature: (document) => ({ name: names[document]!, low: low[document]!, high: high[document]! }),
    taggedWith: tags.at,
    ownersOf(toolId) {
      const place = owned.table.indexOf(toolId)
      return place < 0 ? new Uint32Array(0) : owned.at(place)
    },
    admit: admitting({ ids, flags, tags, ...columns, named }),
  }
}
