import { arrow } from './native.ts'
import type { Table } from '@lancedb/lancedb'
import type { CardKind } from '../../domain/card.ts'
import { quoted } from './connection.ts'
import { imageSchema } from './schemas.ts'

const { LargeBinary, makeData, RecordBatch, Struct, Table: ArrowTable, Utf8, vectorFromArray } = arrow

/** Replaces the search image of one kind. The bytes are handed over as they are: a list of numbers would be slow. */
export async function writeImage(table: Table, kind: CardKind, image: Uint8Array): Promise<void> {
  const kinds = vectorFromArray([kind], new Utf8()).data[0]!
  const offsets = new BigInt64Array([0n, BigInt(image.length)])
  const images = makeData({
    type: new LargeBinary(),
    length: 1,
    nullCount: 0,
    valueOffsets: offsets,
    data: image,
  })
  const data = makeData({
    type: new Struct(imageSchema.fields),
    length: 1,
    nullCount: 0,
    children: [kinds, images],
  })
  const rows = new ArrowTable(imageSchema, new RecordBatch(imageSchema, data))
  await table.mergeInsert('kind').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
}

/** @returns the image, or null when there is none */
export async function readImage(table: Table, kind: CardKind): Promise<Uint8Array | null> {
  const rows = await table
    .query()
    .where(`kind = ${quoted(kind)}`)
    .limit(1)
    .toArrow()
  const image: unknown = rows.getChild('image')?.get(0)
  return image instanceof Uint8Array ? image : null
}
