import { createHash } from 'node:crypto'
import type { Table } from '@lancedb/lancedb'
import type { CardKind } from '../../domain/card.ts'
import {
  type CardIndex,
  imageMemory,
  type OpenedSegment,
  openCardIndexIn,
  type SegmentName,
} from '../../retrieval/index/card-index.ts'
import { catalogImageIn, openCatalogImage, openedSegment } from '../../retrieval/index/catalog-image.ts'
import { openAtHead, type StateOfStore, storeOf } from './connection.ts'
import type { DiskCache } from './replica/disk-cache.ts'
import { isRemote } from './store-location.ts'
import { readImage } from './vectors.ts'

/** An index, and what of it is on this machine already. */
type Opening = {
  readonly kind: CardKind
  /** Opens the table of images. */
  readonly images: () => Promise<Table>
  /** For what is copied from object storage; null reads it there. */
  readonly cache: DiskCache | null
  /** Segments that are open: they are not read again. */
  readonly opened: readonly OpenedSegment[]
}

/**
 * Opens the search image of a kind, and the segments that it names.
 *
 * @returns null when there is no image, or another version of Audition made it
 */
export async function openIndex(store: StateOfStore, opening: Opening): Promise<CardIndex | null> {
  const { kind, images, cache, opened } = opening
  const image = await imageOf({ kind, cache, digest: store.head.digests?.[kind], table: images })
  if (image === null) return null
  const catalog = catalogImageIn(image.bytes)
  if (catalog === null) return openCardIndexIn(image)
  const segments: OpenedSegment[] = []
  for (const name of catalog.segments) {
    const known = opened.find((one) => one.name.digest === name.digest)
    segments.push(known ?? (await readSegment(store, name, opening)))
  }
  return openCatalogImage(image, segments)
}

/** Files of a folder are compared with their sums as a table is opened; what comes from an address is compared here. */
async function readSegment(
  store: StateOfStore,
  name: SegmentName,
  { kind, cache }: Pick<Opening, 'kind' | 'cache'>,
): Promise<OpenedSegment> {
  const opened: Table[] = []
  const table = async (): Promise<Table> => {
    opened.push(await openAtHead(await storeOf(store), name.table))
    return opened[0]!
  }
  try {
    const memory = await imageOf({ kind, cache, digest: name.digest, table })
    const isCompared = cache === null && isRemote(store.location)
    if (memory === null || (isCompared && digestOfImage(memory.bytes) !== name.digest))
      throw new Error(`the segment "${name.table}" is not what was committed`)
    return openedSegment(name, memory)
  } finally {
    for (const one of opened) one.close()
  }
}

export const digestOfImage = (image: Uint8Array): string => createHash('sha256').update(image).digest('hex')

/** An image by its copy on this machine, where there is one, else from its table. */
async function imageOf({
  kind,
  cache,
  digest,
  table,
}: Pick<Opening, 'kind' | 'cache'> & {
  readonly digest: string | undefined
  readonly table: () => Promise<Table>
}) {
  const copied = digest === undefined ? null : await readCopied(cache, digest)
  if (copied) return copied
  const image = await readImage(await table(), kind, imageMemory)
  if (image && digest !== undefined && cache) await copyImage(cache, digest, image.bytes)
  return image
}

async function readCopied(cache: DiskCache | null, digest: string) {
  let memory: ReturnType<typeof imageMemory> | null = null
  const found = await cache?.read(digest, (size) => {
    const room = imageMemory(size)
    memory = room
    return (piece, at) => room.bytes.set(piece, at)
  })
  return found === digest ? (memory as ReturnType<typeof imageMemory> | null) : null
}

/** @throws Error when the image is not the one that was written */
async function copyImage(cache: DiskCache, digest: string, bytes: Uint8Array): Promise<void> {
  const found = (await cache.write(digest, [bytes])) ?? digestOfImage(bytes)
  if (found !== digest) throw new Error('a search image is not what was written')
}
