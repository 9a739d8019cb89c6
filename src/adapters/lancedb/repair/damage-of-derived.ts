import type { Connection } from '@lancedb/lancedb'
import type { Standings } from '../../../trust/standing.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { imageVersion, openCardIndex, packCardIndex } from '../../../retrieval/index/card-index.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { QuantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import { openAtHead } from '../connection.ts'
import { readImage } from '../commit/image-table.ts'
import { type Head, imagesTable, vectorTables } from '../schemas.ts'
import { reasonOf } from '../store-error.ts'
import type { StoreLocation } from '../store-location.ts'
import { storedVectors } from '../vectors.ts'
import type { EnterTable } from './open-damaged.ts'

/** What is compared with the cards. */
export type Derived = {
  readonly location: StoreLocation
  readonly connection: Connection
  readonly head: Head
  readonly kind: CardKind
  readonly enter: EnterTable
  /** All cards of the kind. */
  readonly cards: readonly Card[]
  /** Of the sources as the store remembers them. */
  readonly standingOf: Standings
  /** Asked for when images are compared; null when it cannot be had. */
  readonly model: () => Promise<EmbeddingModel | null>
}

/** What is wrong with what was made from the cards of a kind: their vectors and their search image. */
export async function damageOfDerived(derived: Derived): Promise<readonly string[]> {
  const { kind } = derived
  let vectors: QuantisedVectors | null = null
  const damage: string[] = []
  try {
    vectors = await readVectors(derived)
  } catch (error) {
    damage.push(`the table "${vectorTables[kind]}": ${reasonOf(error)}`)
  }
  try {
    await checkImage(derived, vectors, damage.length === 0)
  } catch (error) {
    damage.push(`the search image of ${kind}s: ${reasonOf(error)}`)
  }
  return damage
}

async function readVectors({
  location,
  connection,
  head,
  kind,
  cards,
  enter,
}: Derived): Promise<QuantisedVectors | null> {
  if (head.embedding === null) return null
  enter(vectorTables[kind])
  const table = await openAtHead(location, connection, head, vectorTables[kind])
  try {
    const ids = await table.query().select(['id']).toArrow()
    const known = new Set<unknown>(ids.getChild('id') ?? [])
    const missing = cards.find(({ id }) => !known.has(id))
    if (missing !== undefined || ids.numRows !== cards.length)
      throw new Error(`it holds ${ids.numRows} vectors, which are not those of the ${cards.length} cards`)
    return await storedVectors(table, head.embedding.dimensions)
  } finally {
    table.close()
  }
}

/** @param isComparable - whether all is there that the image was made from */
async function checkImage(
  { location, connection, head, kind, cards, standingOf, model, enter }: Derived,
  vectors: QuantisedVectors | null,
  isComparable: boolean,
): Promise<void> {
  enter(imagesTable)
  const table = await openAtHead(location, connection, head, imagesTable)
  const inMemory = (size: number) => ({ bytes: new Uint8Array(size) })
  const image = await readImage(table, kind, inMemory).finally(() => table.close())
  // Another Audition's is not damage: searches make their own, and the next index run writes it anew.
  if (head.image !== imageVersion) return
  if (image === null) throw new Error('it is gone, or not whole')
  const index = openCardIndex(image.bytes)
  if (index === null) throw new Error('its version is not the one that was committed')
  const missing = cards.find(({ id }) => index.ids.indexOf(id) < 0)
  if (missing !== undefined || index.size !== cards.length)
    throw new Error(`it finds ${index.size} cards, which are not the ${cards.length} that are stored`)
  if (!isComparable) return
  const embedding = head.embedding && (await model())
  if (embedding?.id !== head.embedding?.model) return
  const again = packCardIndex(cards, { vectors, tokensOf: embedding?.ranker?.tokensOf ?? null, standingOf })
  if (Buffer.compare(again, image.bytes) !== 0) throw new Error('its bytes were changed after it was written')
}
