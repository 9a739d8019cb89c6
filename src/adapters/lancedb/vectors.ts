import type { Table } from '@lancedb/lancedb'
import type { Float32 as FloatType, Vector } from 'apache-arrow'
import type { CardKind } from '../../domain/card.ts'
import { type QuantisedVectors, quantisedVectors } from '../../retrieval/index/quantised-vectors.ts'
import { bytesOfRounded, roundedOfBytes, roundedVector } from '../../vectors/rounded-vector.ts'
import { arrow } from './native.ts'
import { conditionsFor, imageSchema, type VectorShape, vectorSchema } from './schemas.ts'

const {
  Binary,
  Field,
  FixedSizeList,
  Float32,
  LargeBinary,
  makeData,
  RecordBatch,
  Struct,
  Table: ArrowTable,
  Utf8,
  vectorFromArray,
} = arrow

/** The vector of a card. */
export type VectorRow = { readonly id: string; readonly vector: Float32Array }

/** Vectors as rows of a table; they go over as one buffer. */
export function vectorRows(shape: VectorShape, rows: readonly VectorRow[]) {
  const schema = vectorSchema(shape)
  const vectors = rows.map(({ vector }) => vector)
  const ids = vectorFromArray(
    rows.map(({ id }) => id),
    new Utf8(),
  ).data[0]!
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children: [
      ids,
      shape.parts ? roundedColumn(vectors, shape.parts) : floatColumn(vectors, shape.dimensions),
    ],
  })
  return new ArrowTable(schema, new RecordBatch(schema, data))
}

export function floatColumn(vectors: readonly Float32Array[], dimensions: number) {
  const values = new Float32Array(vectors.length * dimensions)
  vectors.forEach((vector, index) => {
    values.set(vector, index * dimensions)
  })
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values })
  return makeData({
    type: new FixedSizeList(dimensions, new Field('item', new Float32(), true)),
    length: vectors.length,
    nullCount: 0,
    child,
  })
}

/** A vector of other than finite numbers is none, and has no bytes. */
function roundedColumn(vectors: readonly Float32Array[], parts: readonly number[]) {
  const rounded = vectors.map((vector) => {
    const own = roundedVector(vector, parts)
    return own === null ? new Uint8Array(0) : bytesOfRounded(own)
  })
  const valueOffsets = new Int32Array(rounded.length + 1)
  rounded.forEach(({ length }, index) => {
    valueOffsets[index + 1] = valueOffsets[index]! + length
  })
  const data = new Uint8Array(valueOffsets.at(-1)!)
  rounded.forEach((bytes, index) => {
    data.set(bytes, valueOffsets[index]!)
  })
  return makeData({ type: new Binary(), length: rounded.length, nullCount: 0, valueOffsets, data })
}

/**
 * Vectors of a table as the search image holds them; read batch by batch, since as they are stored they are large.
 *
 * @param some.wanted - of these cards; of all when it is not given
 * @param some.into - to which they are added
 */
export async function storedVectors(
  table: Table,
  { dimensions, parts }: VectorShape,
  {
    wanted,
    into: vectors = quantisedVectors(dimensions, parts),
  }: { readonly wanted?: readonly string[]; readonly into?: QuantisedVectors } = {},
): Promise<QuantisedVectors> {
  const column = parts ? 'rounded' : 'vector'
  const all = table.query().select(['id', column])
  const some = wanted && conditionsFor('id', wanted)
  const queries = some?.map((where) => table.query().where(where).select(['id', column])) ?? [all]
  for (const query of queries)
    for await (const batch of query) {
      const [ids, values] = [batch.getChild('id')!, batch.getChild(column)!]
      for (let row = 0; row < batch.numRows; row++) {
        const id = ids.get(row) as string
        if (!parts) vectors.add(id, (values.get(row) as Vector<FloatType>).toArray())
        else if ((values.get(row) as Uint8Array).length > 0)
          vectors.addRounded(id, roundedOfBytes(values.get(row) as Uint8Array, parts))
      }
    }
  return vectors
}

/**
 * Bytes in one row: an image that is read whole is held several times over on its way through LanceDB, and what such large
 * pieces took is not given back to the system.
 */
const partBytes = 1 << 20

/** A row is named by what its bytes are: kind, place of the first, and how many the image has in all. */
const keyOf = (kind: CardKind, start: number, size: number): string => `${kind} ${start}/${size}`

/** The condition for the rows of a kind. A version that was written before images had parts named its rows by the kind alone. */
export const rowsOfKind = (kind: CardKind): string => `(kind LIKE '${kind} %' OR kind = '${kind}')`

/** A search image as rows of a table. The bytes are handed over as they are: a list of numbers would be slow. */
export function imageRows(kind: CardKind, image: Uint8Array) {
  const starts = Array.from({ length: Math.ceil(image.length / partBytes) }, (_, part) => part * partBytes)
  const length = starts.length
  const keys = starts.map((start) => keyOf(kind, start, image.length))
  const images = makeData({
    type: new LargeBinary(),
    length,
    nullCount: 0,
    valueOffsets: BigInt64Array.from([...starts, image.length], BigInt),
    data: image,
  })
  const data = makeData({
    type: new Struct(imageSchema.fields),
    length,
    nullCount: 0,
    children: [vectorFromArray(keys, new Utf8()).data[0]!, images],
  })
  return new ArrowTable(imageSchema, new RecordBatch(imageSchema, data))
}

/** Replaces the search image of one kind. */
export async function writeImage(table: Table, kind: CardKind, image: Uint8Array): Promise<void> {
  await table.delete(rowsOfKind(kind))
  await table.add(imageRows(kind, image))
}

/**
 * Reads an image part by part.
 *
 * @param room - called once, with the size of the image, for what its bytes are written to
 * @returns what `room` gave; null when the image is not there, or not whole
 */
export async function readImage<Room extends { readonly bytes: Uint8Array }>(
  table: Table,
  kind: CardKind,
  room: (size: number) => Room,
): Promise<Room | null> {
  let into: Room | null = null
  let missing = 0
  const parts = table.query().where(`kind LIKE '${kind} %'`).select(['kind', 'image'])
  for (const part of (await parts.toArrow({ maxBatchLength: 1 })).batches) {
    const key = part.getChild('kind')!.get(0) as string
    const bytes = part.getChild('image')!.get(0) as Uint8Array
    const [start, size] = key
      .slice(kind.length + 1)
      .split('/')
      .map(Number) as [number, number]
    if (into === null) {
      into = room(size)
      missing = size
    }
    into.bytes.set(bytes, start)
    missing -= bytes.length
  }
  return missing === 0 ? into : null
}
