import type { Table } from '@lancedb/lancedb'
import {
  type CardIndex,
  imageMemory,
  joinedIndex,
  type OpenedSegment,
  packCardIndex,
  type SegmentName,
} from '../../../retrieval/index/card-index.ts'
import { catalogFacts } from '../../../retrieval/index/catalog-facts.ts'
import {
  averagesOf,
  bareFacts,
  openedSegment,
  packCatalogImage,
  packSingleSegment,
} from '../../../retrieval/index/catalog-image.ts'
import { type Documents, documentsOf, type Live, livePlaces } from '../../../retrieval/index/documents.ts'
import { cardsByIds } from '../card-rows.ts'
import { openAtHead } from '../connection.ts'
import { digestOfImage, openIndex } from '../open-index.ts'
import { imagesTable } from '../schemas.ts'
import { readingStore } from '../store-location.ts'
import { storedVectors, writeImage } from '../vectors.ts'
import type { CardsOfKind, KindChange, KindVectors, KindWork } from './kind-work.ts'

type IndexWork = KindWork & { readonly onPacked: (share: number) => void }

/** What a commit leaves of a kind, all but its image written. */
type KindState = KindChange & CardsOfKind & { readonly rows: Table; readonly vectors: KindVectors | null }

/**
 * Writes the search image of a kind. Of few cards it is packed anew; of many what changed is sealed in a segment of its own, beside those
 * that there are, and small segments are packed together with it.
 *
 * @returns SHA-256 of the image, hex
 */
export async function writeIndex(work: IndexWork, state: KindState): Promise<string> {
  const former = state.vectors?.isNew || state.count < work.segmentsFrom / 2 ? null : await formerIndex(work)
  const next = former && nextSegments(former, state)
  const image =
    former === null || next === null
      ? await packWhole(work, state)
      : await addSegment(work, state, { former, next })
  await writeImage(await work.tables.images(work.kind), work.kind, image)
  return digestOfImage(image)
}

/** The index of the head whose place is taken; null when it is not in segments, or was made with other vectors. */
async function formerIndex({ location, reading, head, kind, model }: IndexWork): Promise<CardIndex | null> {
  if (head === null || (head.embedding?.model ?? null) !== (model?.id ?? null)) return null
  const store = { location, connection: reading, head }
  return readingStore(location, async () => {
    const images = await openAtHead(store, imagesTable)
    const own = { kind, images: async () => images, cache: null, opened: [] }
    const index = await openIndex(store, own).finally(() => images.close())
    return index === null || index.segments.length === 0 ? null : index
  })
}

async function packWhole(
  { location, tables, kind, model, segmentsFrom, onPacked }: IndexWork,
  { all, vectors, standingOf }: KindState,
): Promise<Uint8Array> {
  const cards = await all()
  const image = packCardIndex(cards, {
    // Read back whole: those of unchanged cards lie nowhere else.
    vectors: vectors && (await readingStore(location, () => storedVectors(vectors.table, model!))),
    tokensOf: model?.ranker?.tokensOf ?? null,
    standingOf,
    onProgress: onPacked,
  })
  const isSegment = cards.length >= segmentsFrom
  const name = isSegment ? await sealed(tables, kind, image) : null
  tables.keepSegments(kind, name === null ? [] : [name.table])
  return name === null ? image : packSingleSegment(name, image)
}

const sealed = async (
  tables: KindWork['tables'],
  kind: KindWork['kind'],
  image: Uint8Array,
): Promise<SegmentName> => ({ table: await tables.makeSegment(kind, image), digest: digestOfImage(image) })

/** Segments beyond which all is packed anew: each costs every search a little. */
const mostSegments = 40
/** Cards that are packed in one segment besides what changed. */
const mostMerged = 8000
/** Share of the cards that may have changed since all were packed: lengths are compared with the means of then. */
const mostChanged = 1 / 3

/** What becomes of a former segment: what stays live in it, or that it is packed together with what changed. */
type NextSegment = { readonly live: Live; readonly becomes: 'kept' | 'merged' | 'dropped' }

/** Null when all is to be packed anew. */
function nextSegments(
  { segments, documents }: CardIndex,
  { put, removal, count }: KindState,
): readonly NextSegment[] | null {
  const gone = [...put.map(({ id }) => id), ...removal.ids]
  const sources = new Set(removal.sources)
  const lives = segments.map(({ columns }, at) => {
    const live = documents.live[at]?.slice() ?? new Uint8Array(columns.size).fill(1)
    for (const id of gone) {
      const place = columns.ids.indexOf(id)
      if (place >= 0) live[place] = 0
    }
    if (sources.size > 0)
      live.forEach((_, place) => {
        if (sources.has(columns.source(place))) live[place] = 0
      })
    return live
  })
  const counts = lives.map((live) => live.reduce((sum, flag) => sum + flag, 0))
  if (count - counts[0]! > mostChanged * count || counts[0]! < (1 - mostChanged) * lives[0]!.length)
    return null
  const merged = new Set<number>()
  let packed = put.length
  for (let at = segments.length - 1; at > 0; at--) {
    const own = counts[at]!
    if (own > packed || packed + own > mostMerged) break
    merged.add(at)
    packed += own
  }
  if (segments.length - merged.size + 1 > mostSegments) return null
  return lives.map((live, at) => ({
    live: counts[at] === live.length ? null : live,
    becomes: counts[at] === 0 ? 'dropped' : merged.has(at) ? 'merged' : 'kept',
  }))
}

async function addSegment(
  work: IndexWork,
  state: KindState,
  { former, next }: { readonly former: CardIndex; readonly next: readonly NextSegment[] },
): Promise<Uint8Array> {
  const { tables, kind, location } = work
  const merged = next.flatMap(({ live, becomes }, at) =>
    becomes === 'merged' ? idsIn(former.segments[at]!, live) : [],
  )
  const kept = former.segments.flatMap((segment, at) =>
    next[at]!.becomes === 'kept' ? [{ segment, at, live: next[at]!.live }] : [],
  )
  const fresh = await newSegment(work, state, { former, merged })
  const segments = [...kept.map(({ segment }) => segment), ...(fresh ? [fresh] : [])]
  const lives = [...kept.map(({ live }) => live), ...(fresh ? [null] : [])]
  const documents = documentsOf(segments.map(({ columns }, at) => ({ ids: columns.ids, live: lives[at]! })))
  const index = joinedIndex(segments, { documents, facts: bareFacts(segments, documents) })
  const put = new Map(state.put.map((card) => [card.id, card]))
  const formerOf = (document: number): number => {
    const own = kept[documents.segmentOf(document)]
    if (own !== undefined) return former.documents.numberOf(own.at, documents.placeOf(document))
    const id = index.ids.at(document)
    return put.has(id) ? -1 : former.ids.indexOf(id)
  }
  const places = await readingStore(location, () => placesIn(state.rows, documents))
  const facts = catalogFacts(index, {
    ...{ segments, documents, former, formerOf, fresh: put, standingOf: state.standingOf, places },
  })
  const names = segments.map(({ name }) => name)
  tables.keepSegments(
    kind,
    names.map(({ table }) => table),
  )
  return packCatalogImage({ segments: names, averages: averagesOf(former) }, lives, facts)
}

/** What changed, and small segments with it. Null when cards only go. */
async function newSegment(
  { location, tables, kind, model, onPacked }: IndexWork,
  { put, rows, vectors, standingOf }: KindState,
  { former, merged }: { readonly former: CardIndex; readonly merged: readonly string[] },
): Promise<OpenedSegment | null> {
  const cards = [...put, ...(await readingStore(location, () => cardsByIds(rows, merged)))]
  if (cards.length === 0) return null
  const ids = cards.map(({ id }) => id)
  const image = packCardIndex(cards, {
    vectors: vectors && (await readingStore(location, () => storedVectors(vectors.table, model!, ids))),
    tokensOf: model?.ranker?.tokensOf ?? null,
    standingOf,
    averages: averagesOf(former),
    onProgress: onPacked,
  })
  const memory = imageMemory(image.length)
  memory.bytes.set(image)
  return openedSegment(await sealed(tables, kind, image), memory)
}

const idsIn = ({ columns }: OpenedSegment, live: Live): readonly string[] =>
  Array.from(livePlaces(columns.size, live), (place) => columns.ids.at(place))

/** The row of each document. */
async function placesIn(rows: Table, { size, ids }: Documents): Promise<Uint32Array> {
  const column = (await rows.query().select(['id']).toArrow()).getChild('id')!
  const rowOf = new Map(Array.from(column, (id, row) => [id as string, row]))
  return Uint32Array.from({ length: size }, (_, document) => rowOf.get(ids.at(document))!)
}
