import { openSharedBytes, type ScanMemory } from '../../vectors/kernels/dense-scan.ts'
import type { SharedBytes } from '../../vectors/kernels/web-assembly.ts'
import { fieldNames } from '../text/card-texts.ts'
import { packedMeta, packSections, type Sections, unpackSections } from '../text/sections.ts'
import {
  type CardIndex,
  imageVersion,
  joinedIndex,
  type OpenedSegment,
  openSegment,
  openSharedIndex,
  type Segment,
  type SegmentName,
} from './card-index.ts'
import { type Documents, documentsOf, type Live } from './documents.ts'
import { bm25f } from './postings.ts'

/** An image that names segments: what is gone of each, and what is told of each card beside all others. */
type CatalogImage = {
  readonly segments: readonly SegmentName[]
  /** What lengths of fields are compared with in all of them. */
  readonly averages: readonly number[]
}

const version = `segments 1.${imageVersion}`

/** What is told of cards beside all others, and the row of each: by document. */
export type CatalogFacts = {
  readonly alike: Uint32Array
  readonly flags: Uint8Array
  readonly standings: Uint8Array
  readonly places: Uint32Array
}

/** @param lives - by segment, what of it is live */
export const packCatalogImage = (
  image: CatalogImage,
  lives: readonly Live[],
  { alike, flags, standings, places }: CatalogFacts,
): Uint8Array =>
  packSections(
    { version, ...image },
    {
      'defences.alike': alike,
      'defences.flags': flags,
      standings,
      places,
      ...Object.fromEntries(lives.map((live, at) => [`gone.${at}`, goneOf(live)])),
    },
  )

/** What lengths are compared with in the segments of an index. */
export const averagesOf = ({ image }: CardIndex): readonly number[] =>
  catalogImageIn(openSharedBytes(image).bytes)!.averages

/** Facts of cards as far as each tells them by itself. */
export function bareFacts(segments: readonly OpenedSegment[], documents: Documents): Sections {
  const flags = segments.map(({ sections }) => sections.u8('defences.flags'))
  const none = new Uint32Array(documents.size)
  const own = Uint8Array.from(
    none,
    (_, document) => flags[documents.segmentOf(document)]![documents.placeOf(document)]!,
  )
  return unpackSections(
    packSections({}, { 'defences.alike': none, 'defences.flags': own, standings: own, places: none }),
  )
}

/** Null for an image that holds all its cards itself, and for one of another version. */
export function catalogImageIn(bytes: Uint8Array): (CatalogImage & { readonly sections: Sections }) | null {
  const meta = packedMeta(bytes) as CatalogImage & { readonly version: string }
  return meta.version === version ? { ...meta, sections: unpackSections(bytes) } : null
}

/** Opens a segment that lies in memory of its own. @throws Error when another version made it */
export function openedSegment(name: SegmentName, memory: ScanMemory): OpenedSegment {
  const segment = openSegment(memory)
  if (segment === null) throw new Error(`The segment "${name.table}" is of another version than its image.`)
  return { ...segment, name, image: memory.shared }
}

/** @param segments - those that the image names, in their order */
export function openCatalogImage(memory: ScanMemory, segments: readonly OpenedSegment[]): CardIndex {
  const { sections } = catalogImageIn(memory.bytes)!
  const live = segments.map(({ columns }, at) => liveOf(columns.size, sections.u32(`gone.${at}`)))
  const documents = documentsOf(segments.map(({ columns }, at) => ({ ids: columns.ids, live: live[at]! })))
  return {
    ...joinedIndex(segments, { documents, facts: sections }),
    image: memory.shared,
    segments,
    documents,
  }
}

/** The places that are not live, ascending. */
const goneOf = (live: Live): Uint32Array =>
  Uint32Array.from(live?.keys() ?? []).filter((place) => live![place] === 0)

function liveOf(size: number, gone: Uint32Array): Live {
  if (gone.length === 0) return null
  const live = new Uint8Array(size).fill(1)
  for (const place of gone) live[place] = 0
  return live
}

/** What other threads open. */
export type SharedIndex = {
  readonly image: SharedBytes
  readonly segments: readonly { readonly name: SegmentName; readonly image: SharedBytes }[]
}

export const sharedIndex = ({ image, segments }: CardIndex): SharedIndex => ({
  image,
  segments: segments.map(({ name, image: own }) => ({ name, image: own })),
})

/** Opens in another thread what is open in one. @param former - segments that are open there */
export function openShared({ image, segments }: SharedIndex, former?: readonly OpenedSegment[]): CardIndex {
  if (segments.length === 0) return openSharedIndex(image)
  return openCatalogImage(
    openSharedBytes(image),
    segments.map(
      ({ name, image: own }) =>
        former?.find((one) => one.name.digest === name.digest) ?? openedSegment(name, openSharedBytes(own)),
    ),
  )
}

/** How far the weight of a word may be off, on average, since lengths are compared with means that were. */
const mostOff = 0.15

/** Whether lengths are compared with means that are too far from those of the cards: of fields that have many words and count much. */
export function isOff(former: CardIndex): boolean {
  const means = meansOf(former.segments)
  const fields = averagesOf(former).map((used, at) => {
    const { weight, b } = bm25f.fields[fieldNames[at]!]
    return { words: weight * used, off: weight * b * Math.abs(means[at]! - used) }
  })
  const sumOf = (what: 'words' | 'off'): number => fields.reduce((sum, field) => sum + field[what], 0)
  return sumOf('off') > mostOff * sumOf('words')
}

/** The mean length of each field over all cards of some segments, those that are gone among them. */
export function meansOf(segments: readonly Segment[]): readonly number[] {
  const lengths = segments.map(({ sections }) => lengthsIn(sections.meta as SegmentMeta))
  const cards = segments.reduce((sum, { columns }) => sum + columns.size, 0)
  return fieldNames.map((_, field) => lengths.reduce((sum, own) => sum + own[field]!, 0) / cards || 1)
}

/** What lengths are compared with in a segment. */
export const meansIn = ({ sections }: Segment): readonly number[] => (sections.meta as SegmentMeta).averages

type SegmentMeta = {
  readonly size: number
  readonly averages: readonly number[]
  readonly lengths?: readonly number[]
}

/** Terms of all cards, by field. The first segment of an older Audition says means alone, and 1 where there are none. */
const lengthsIn = ({ size, averages, lengths }: SegmentMeta): readonly number[] =>
  lengths ?? averages.map((mean) => (mean === 1 ? 0 : mean * size))
