import { openCardIndex } from '../../../retrieval/index/card-index.ts'
import { openAtHead } from '../connection.ts'
import { readImage } from '../commit/image-table.ts'
import { imagesTable, vectorTables } from '../schemas.ts'
import type { Derived } from './damage-of-derived.ts'

/** Ids of the cards of a kind by what was made from them, when the cards themselves are damaged; none where that is damaged too. */
export async function knownIds(
  derived: Omit<Derived, 'cards' | 'standingOf' | 'model'>,
): Promise<readonly string[]> {
  for (const idsIn of [idsInImage, idsOfVectors]) {
    const ids = await idsIn(derived).catch(() => [])
    if (ids.length > 0) return ids
  }
  return []
}

type From = Parameters<typeof knownIds>[0]

async function idsInImage({ location, connection, head, kind, enter }: From): Promise<readonly string[]> {
  enter(imagesTable)
  const table = await openAtHead(location, connection, head, imagesTable)
  const inMemory = (size: number) => ({ bytes: new Uint8Array(size) })
  const image = await readImage(table, kind, inMemory).finally(() => table.close())
  const ids = image && openCardIndex(image.bytes)?.ids
  return ids ? Array.from({ length: ids.size }, (_, at) => ids.at(at)) : []
}

async function idsOfVectors({ location, connection, head, kind, enter }: From): Promise<readonly string[]> {
  enter(vectorTables[kind])
  const table = await openAtHead(location, connection, head, vectorTables[kind])
  const rows = await table
    .query()
    .select(['id'])
    .toArrow()
    .finally(() => table.close())
  return [...(rows.getChild('id') ?? [])] as string[]
}
