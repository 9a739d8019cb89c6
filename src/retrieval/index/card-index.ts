import type { Card } from '../../domain/card.ts'
import { allInstalled, type Standings } from '../../trust/standing.ts'
import { openSharedBytes, type ScanMemory, scanMemory } from '../../vectors/kernels/dense-scan.ts'
import { openPostingSums } from '../../vectors/kernels/posting-sums.ts'
import type { SharedBytes } from '../../vectors/kernels/web-assembly.ts'
import { standingsOfCards } from '../facts/agreement.ts'
import {
  type CardDefences,
  catalogDefences,
  isCopierIn,
  type OwnDefences,
  ownDefences,
  packDefences,
} from '../facts/card-defences.ts'
import { cardInEnglish } from '../glossary/card-in-english.ts'
import { analyzerVersion } from '../text/analyze.ts'
import { type CardTexts, textsOf as textsOfCard } from '../text/card-texts.ts'
import { packedMeta, packSections, type Sections, unpackSections } from '../text/sections.ts'
import {
  type CardColumns,
  cardColumns,
  cardStandings,
  packColumns,
  packStandings,
  type StandingOf,
} from './card-columns.ts'
import { type CardTokens, cardTokens, packTokens, type TokensOf } from './card-tokens.ts'
import type { CatalogCounts } from './catalog-counts.ts'
import { type Documents, inSegments, ofOneSegment } from './documents.ts'
import { type SegmentRows, vectorRows } from './exact-nearest.ts'
import { joinedColumns } from './joined-columns.ts'
import { joinedRows, type VectorRows } from './joined-rows.ts'
import { type LexicalIndex, lexicalIndex } from './lexical-index.ts'
import { type LexicalSegment, lexicalSegment } from './lexical-segment.ts'
import { postingsBuilder } from './postings.ts'
import { type QuantisedVectors, rowShape } from './quantised-vectors.ts'

/** Everything a search reads of one kind of card, opened over one packed buffer. */
export type CardIndex = CardColumns &
  LexicalIndex & {
    /** Cards of the catalog: more than `size` where only some are at hand. */
    readonly total: number
    /** What is known of them all then; null where these are all. */
    readonly catalog: CatalogCounts | null
    readonly standing: StandingOf
    /** Where a card stood among those that were packed, from 0. */
    place(document: number): number
    /** Null when the cards were packed without vectors. */
    readonly vectors: VectorRows | null
    /** Null when the cards were packed without. */
    readonly tokens: CardTokens | null
    /** What tells cards that were written to be found. */
    readonly defences: CardDefences
    /** The image, for other threads to open. */
    readonly image: SharedBytes
    /** Of an image that names them; none for one that holds all its cards itself. */
    readonly segments: readonly OpenedSegment[]
    readonly documents: Documents
  }

/** A sealed segment: an image of some cards, which never changes. */
export type SegmentName = {
  /** The table that holds it. */
  readonly table: string
  /** SHA-256 of its bytes, hex. */
  readonly digest: string
}

/** A segment that several states of a catalog may share. */
export type OpenedSegment = Segment & { readonly name: SegmentName; readonly image: SharedBytes }

/** Raised with every change of the layout, the analyzer or the weights: an image of another version is built anew. */
export const imageVersion = `12.${analyzerVersion}`

/** What is packed besides the cards, and whom to tell. */
type PackOptions = {
  /** Of some cards or all, by id. @defaultValue none */
  readonly vectors?: QuantisedVectors | null
  /** Tokens by which a learned ranker matches words near in meaning. @defaultValue none */
  readonly tokensOf?: TokensOf | null
  /** Whose words a source holds: what others published may have been written to be found. @defaultValue all are installed */
  readonly standingOf?: Standings
  /** Of all cards, where these are some of them. @defaultValue these are all */
  readonly catalog?: CatalogCounts | null
  /** Texts of a card in English, for who packs the same cards again and again. @defaultValue made anew */
  readonly textsOf?: (card: Card) => CardTexts
  /** What lengths of fields are compared with, see `postingsBuilder`. @defaultValue the means over these cards */
  readonly averages?: readonly number[] | undefined
  /** Whether the image says how many terms its cards have, for means over several. @defaultValue false */
  readonly tellsLengths?: boolean
  /** Called with the share done, 0..1. */
  readonly onProgress?: (share: number) => void
}

/**
 * Packs the search image of all cards of one kind: words, columns, near-duplicate signatures and vectors.
 *
 * @param cards - in any order, ids distinct
 */
export function packCardIndex(
  cards: readonly Card[],
  {
    vectors = null,
    tokensOf = null,
    standingOf = allInstalled,
    catalog = null,
    textsOf = englishTextsOf,
    averages = catalog?.averages,
    tellsLengths = false,
    onProgress = () => undefined,
  }: PackOptions = {},
): Uint8Array {
  const places = Uint32Array.from(cards, (_, place) => place).sort((a, b) =>
    cards[a]!.id < cards[b]!.id ? -1 : 1,
  )
  const sorted = Array.from(places, (place) => cards[place]!)
  const postings = postingsBuilder()
  const tokens: ReturnType<TokensOf>[] = []
  sorted.forEach((card, index) => {
    const texts = textsOf(card)
    postings.add(texts)
    if (tokensOf) tokens.push(tokensOf(texts))
    if (index % 1000 === 999) onProgress(index / sorted.length)
  })
  const lengths = averages ?? postings.averages()
  const defences = packDefences(sorted, standingOf, catalog?.shapeOf)
  const standings = standingsOfCards(sorted, standingOf, {
    idOf: (place) => sorted[place]!.id,
    leaders: defences['defences.alike'],
    isCopier: isCopierIn(defences['defences.flags']),
  })
  return packSections(
    {
      version: imageVersion,
      size: sorted.length,
      dimensions: vectors?.dimensions ?? null,
      ...(vectors && vectors.parts.length > 1 ? { parts: vectors.parts } : {}),
      hasTokens: tokensOf !== null,
      averages: lengths,
      ...(tellsLengths ? { lengths: postings.lengths() } : {}),
    },
    {
      places,
      ...packColumns(sorted),
      ...packStandings(standings),
      ...defences,
      ...postings.sections(lengths),
      ...vectors?.sections(sorted.map(({ id }) => id)),
      ...(tokensOf ? packTokens(tokens) : {}),
    },
  )
}

/** The texts by which a card is found, in English. */
export const englishTextsOf = (card: Card): CardTexts => textsOfCard(cardInEnglish(card))

type ImageMeta = {
  readonly version: string
  readonly size: number
  readonly dimensions: number | null
  /** Of vectors of several parts. */
  readonly parts?: readonly number[]
  readonly hasTokens: boolean
}

/** Memory for a packed image of so many bytes, to be filled and opened. @throws RangeError when there is not so much */
export const imageMemory: (size: number) => ScanMemory = scanMemory

/** Opens in another thread what is open in one. */
export const openSharedIndex = (image: SharedBytes): CardIndex =>
  openCardIndexIn(openSharedBytes(image)) ?? unreadable()

function unreadable(): never {
  throw new Error('A search image that is open cannot be opened again.')
}

/**
 * @param catalog - of all cards, where the image has some of them
 * @returns the index of a packed image, or null when another version made it
 */
export function openCardIndex(image: Uint8Array, catalog: CatalogCounts | null = null): CardIndex | null {
  const memory = imageMemory(image.length)
  memory.bytes.set(image)
  return openCardIndexIn(memory, catalog)
}

/**
 * Opens an image where it is looked through, so that nothing is held twice.
 *
 * @returns the index, or null when another version made the image
 */
export function openCardIndexIn(memory: ScanMemory, catalog: CatalogCounts | null = null): CardIndex | null {
  const segment = openSegment(memory)
  if (segment === null) return null
  const documents = ofOneSegment(segment.columns.ids)
  return {
    ...joinedIndex([segment], { documents, facts: segment.sections, catalog }),
    image: memory.shared,
    segments: [],
    documents,
  }
}

/** False of images that an Audition before segments packed: the same cards give other bytes today. */
export const comparesByBytes = (image: Uint8Array): boolean => 'averages' in packedMeta(image)

/** One packed image, opened: its cards have numbers of their own. */
export type Segment = {
  readonly columns: CardColumns
  readonly words: LexicalSegment
  readonly vectors: SegmentRows | null
  readonly tokens: CardTokens | null
  readonly defences: OwnDefences
  readonly sections: Sections
}

/** @returns null when another version made the image */
export function openSegment(memory: ScanMemory): Segment | null {
  const { version, size, dimensions, parts, hasTokens } = packedMeta(memory.bytes) as ImageMeta
  if (version !== imageVersion) return null
  const lengths = parts ?? (dimensions === null ? [] : [dimensions])
  const scans = lengths.map((length) => memory.open(rowShape(size, length)))
  const sections = unpackSections(scans[0]?.bytes ?? memory.bytes)
  return {
    columns: cardColumns(sections),
    words: lexicalSegment(sections, openPostingSums(memory.shared, size)),
    vectors: scans.length > 0 ? vectorRows(sections, scans, { documents: size, parts: lengths }) : null,
    tokens: hasTokens ? cardTokens(sections) : null,
    defences: ownDefences(sections),
    sections,
  }
}

/** What is told of cards beside all others, and where each stands: by document. */
type Joining = {
  readonly documents: Documents
  /** Sections `defences.alike`, `defences.flags`, `standings` and `places`. */
  readonly facts: Sections
  /** Of all cards, where the documents are some of them. @defaultValue these are all */
  readonly catalog?: CatalogCounts | null
}

/** All that a search reads. */
export type JoinedIndex = Omit<CardIndex, 'image' | 'segments' | 'documents'>

/** Segments as one index. Nothing tells in how many segments the cards lie. */
export function joinedIndex(
  segments: readonly Segment[],
  { documents, facts, catalog = null }: Joining,
): JoinedIndex {
  const [first] = segments
  const places = facts.u32('places')
  const column = inSegments(segments, documents)
  const rows = segments.flatMap(({ vectors }) => vectors ?? [])
  const columns =
    segments.length === 1 && documents.live[0] === null
      ? first!.columns
      : joinedColumns(
          segments.map((segment) => segment.columns),
          documents,
        )
  return {
    place: (document) => places[document]!,
    ...columns,
    ...(catalog && { familySize: familySizeIn(catalog, columns) }),
    total: catalog?.cards ?? columns.size,
    catalog,
    standing: cardStandings(facts),
    ...lexicalIndex(
      segments.map(({ words }) => words),
      documents,
      catalog,
    ),
    vectors: rows.length === segments.length ? joinedRows(rows, documents) : null,
    tokens: segments.some(({ tokens }) => tokens === null)
      ? null
      : {
          name: column(({ tokens }, place) => tokens!.name(place)),
          text: column(({ tokens }, place) => tokens!.text(place)),
        },
    defences: {
      ...catalogDefences(facts),
      distinctTerms: column(({ defences }, place) => defences.distinctTerms(place)),
      words: column(({ defences }, place) => defences.words(place)),
    },
  }
}

/** Families are numbered by the servers, then by the sources. */
const familySizeIn =
  (catalog: CatalogCounts, { values, sources }: CardColumns): CardColumns['familySize'] =>
  (family) => {
    const servers = values.servers.table
    return catalog.familySize(
      family < servers.size ? { server: servers.at(family) } : { source: sources.at(family - servers.size) },
    )
  }
