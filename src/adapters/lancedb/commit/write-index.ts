import type { Table } from '@lancedb/lancedb'
import type { Card } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import {
  type CardIndex,
  imageMemory,
  joinedIndex,
  type OpenedSegment,
  packCardIndex,
} from '../../../retrieval/index/card-index.ts'
import { catalogFacts, type KnownOfCommit, ownFacts } from '../../../retrieval/index/catalog-facts.ts'
import {
  averagesOf,
  bareFacts,
  meansIn,
  meansOf,
  openedSegment,
  packCatalogImage,
} from '../../../retrieval/index/catalog-image.ts'
import { type Documents, documentsOf, type Live, livePlaces } from '../../../retrieval/index/documents.ts'
import type { QuantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import type { Standings } from '../../../trust/standing.ts'
import { cardBatches, cardsByIds } from '../card-rows.ts'
import { openAtHead, storeOf } from '../connection.ts'
import { digestOfImage, openIndex } from '../open-index.ts'
import { placesIn } from '../places-in.ts'
import { imagesTable } from '../schemas.ts'
import { readInTurn, readingStore } from '../store-location.ts'
import { storedVectors } from '../vectors.ts'
import type { CardsOfKind, KindChange, KindVectors, KindWork } from './kind-work.ts'
import { mostInSegment, planSegments } from './plan-segments.ts'

type IndexWork = KindWork & { readonly onPacked: (share: number) => void }

/** What a commit leaves of a kind, all but its image written. */
type KindState = KindChange & CardsOfKind & { readonly rows: Table; readonly vectors: KindVectors | null }

/**
 * Makes the search image of a kind. Of few cards it is packed anew; of many what changed is sealed in a segment of its own, beside those
 * that there are, and small segments are packed together with it.
 *
 * @returns SHA-256 of the image, hex
 */
export async function writeIndex(work: IndexWork, state: KindState): Promise<string> {
  const former = state.count < work.segmentsFrom / 2 ? null : await formerIndex(work)
  const isOfModel = (work.head?.embedding?.model ?? null) === (work.model?.id ?? null)
  const image =
    (former && isOfModel && !state.vectors?.isNew ? await withChange(work, state, former) : null) ??
    (state.count < work.segmentsFrom ? await packWhole(work, state) : await packPieces(work, state, former))
  work.tables.putImage(work.kind, image)
  return digestOfImage(image)
}

/** The index of the head whose place is taken; null when it is not in segments. */
async function formerIndex({ location, reading, head, kind, opened }: IndexWork): Promise<CardIndex | null> {
  if (head === null) return null
  const store = { location, head, connect: async () => reading }
  return readingStore(location, async () => {
    const images = await openAtHead(await storeOf(store), imagesTable)
    const own = { kind, images: async () => images, cache: null, opened: opened.get(kind) ?? [] }
    const index = await openIndex(store, own).finally(() => images.close())
    return index === null || index.segments.length === 0 ? null : index
  })
}

async function packWhole(work: IndexWork, { all, vectors, standingOf }: KindState): Promise<Uint8Array> {
  work.tables.keepSegments(work.kind, [])
  return packCardIndex(await all(), {
    vectors: vectors && (await allVectors(work, vectors)),
    tokensOf: work.model?.ranker?.tokensOf ?? null,
    standingOf,
    onProgress: work.onPacked,
  })
}

/** Those of unchanged cards lie nowhere else than in their table. */
const allVectors = async (
  { location, model }: IndexWork,
  { table, isNew, made }: KindVectors,
): Promise<QuantisedVectors> => (isNew ? made : readingStore(location, () => storedVectors(table, model!)))

/** So many cards go to as few segments as hold them, all of one size. */
const pieceSize = (count: number, { segmentsFrom }: IndexWork): number =>
  Math.ceil(count / Math.ceil(count / (mostInSegment * segmentsFrom))) || 1

/** Packs all cards anew, as many at once as one segment holds. */
async function packPieces(work: IndexWork, state: KindState, former: CardIndex | null): Promise<Uint8Array> {
  const { count, all, rows } = state
  const pieces = Math.ceil(count / pieceSize(count, work))
  const vectors = state.vectors && (await allVectors(work, state.vectors))
  const known = pieces === 1 ? null : former
  let averages = known ? meansOf(known.segments) : undefined
  const segments: OpenedSegment[] = []
  const some =
    pieces === 1 ? [await all()] : readInTurn(work.location, cardBatches(rows, pieceSize(count, work)))
  for await (const cards of some) {
    const onPacked = (share: number): void => work.onPacked((segments.length + share) / pieces)
    const segment = await sealed({ ...work, onPacked }, { ...state, cards, vectors, averages })
    averages ??= meansIn(segment)
    segments.push(segment)
  }
  const changed = new Set(state.put.map(({ id }) => id))
  // Where nothing is known of who is alike, it is what the first piece tells of its own cards.
  return imageOf(work, state, {
    segments,
    lives: segments.map(() => null),
    averages: averages!,
    former: known ?? ownFacts(segments[0]!),
    formerOf: ({ ids, segmentOf, placeOf }, document) => {
      if (known === null) return segmentOf(document) === 0 ? placeOf(document) : -1
      return changed.has(ids.at(document)) ? -1 : known.ids.indexOf(ids.at(document))
    },
  })
}

/** Seals what changed beside what there is. Null when all is to be packed anew. */
async function withChange(work: IndexWork, state: KindState, former: CardIndex): Promise<Uint8Array | null> {
  const plan = planSegments(former, state, work.segmentsFrom)
  if (plan === null) return null
  const { location, model } = work
  const { put, rows, vectors } = state
  const merged = plan.merged.flatMap(({ at, live }) => idsIn(former.segments[at]!, live))
  const cards = [...put, ...(await readingStore(location, () => cardsByIds(rows, merged)))]
  if (vectors && merged.length > 0)
    await readingStore(location, () =>
      storedVectors(vectors.table, model!, { wanted: merged, into: vectors.made }),
    )
  const averages = averagesOf(former)
  const fresh: OpenedSegment[] = []
  for (const piece of batches(cards, pieceSize(cards.length, work)))
    fresh.push(await sealed(work, { ...state, cards: piece, vectors: vectors?.made ?? null, averages }))
  const changed = new Set(put.map(({ id }) => id))
  const { kept } = plan
  return imageOf(work, state, {
    segments: [...kept.map(({ at }) => former.segments[at]!), ...fresh],
    lives: [...kept.map(({ live }) => live), ...fresh.map(() => null)],
    averages,
    former,
    formerOf: ({ ids, segmentOf, placeOf }, document) => {
      const own = kept[segmentOf(document)]
      if (own !== undefined) return former.documents.numberOf(own.at, placeOf(document))
      return changed.has(ids.at(document)) ? -1 : former.ids.indexOf(ids.at(document))
    },
  })
}

/** Packs some cards in a segment, and seals it. */
async function sealed(
  { tables, kind, model, onPacked }: IndexWork,
  {
    cards,
    vectors,
    standingOf,
    averages,
  }: {
    readonly cards: readonly Card[]
    readonly vectors: QuantisedVectors | null
    readonly standingOf: Standings
    readonly averages: readonly number[] | undefined
  },
): Promise<OpenedSegment> {
  const tokensOf = model?.ranker?.tokensOf ?? null
  const options = { vectors, tokensOf, standingOf, averages, onProgress: onPacked, tellsLengths: true }
  const image = packCardIndex(cards, options)
  const memory = imageMemory(image.length)
  memory.bytes.set(image)
  return openedSegment({ table: await tables.makeSegment(kind, image), digest: digestOfImage(image) }, memory)
}

/** What a commit leaves of segments, and what was known of their cards. */
type NextSegments = Pick<KnownOfCommit, 'former'> & {
  readonly segments: readonly OpenedSegment[]
  readonly lives: readonly Live[]
  readonly averages: readonly number[]
  /** The document of the former state, -1 for a card that is new or changed. */
  formerOf(documents: Documents, document: number): number
}

/** The image that names segments, none of which others stay beside. */
async function imageOf(
  { tables, kind, opened, location }: IndexWork,
  { put, rows, standingOf }: KindState,
  { segments, lives, averages, former, formerOf }: NextSegments,
): Promise<Uint8Array> {
  const documents = documentsOf(segments.map(({ columns }, at) => ({ ids: columns.ids, live: lives[at]! })))
  const index = joinedIndex(segments, { documents, facts: bareFacts(segments, documents) })
  const facts = catalogFacts(index, {
    segments,
    documents,
    former,
    standingOf,
    formerOf: (document) => formerOf(documents, document),
    fresh: new Map(put.map((card) => [card.id, card])),
    places: await readingStore(location, () => placesIn(rows, documents.ids)),
  })
  const names = segments.map(({ name }) => name)
  tables.keepSegments(
    kind,
    names.map(({ table }) => table),
  )
  opened.set(kind, segments)
  return packCatalogImage({ segments: names, averages }, lives, facts)
}

const idsIn = ({ columns }: OpenedSegment, live: Live): readonly string[] =>
  Array.from(livePlaces(columns.size, live), (place) => columns.ids.at(place))
