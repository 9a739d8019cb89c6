import type { Connection, Table } from '@lancedb/lancedb'
import type { Float32 as FloatType, Vector } from 'apache-arrow'
import { type QuantisedVectors, quantisedVectors } from '../../retrieval/index/quantised-vectors.ts'
import { arrow } from './native.ts'
import { vectorSchema } from './schemas.ts'

const {
  Field,
  FixedSizeList,
  Float32,
  makeData,
  RecordBatch,
  Struct,
  Table: ArrowTable,
  Utf8,
  vectorFromArray,
} = arrow

/** The vector of a card. */
export type VectorRow = { readonly id: string; readonly vector: Float32Array }

/** Adds or replaces vectors by card id. Vectors go over as one buffer. */
export async function putVectors(
  table: Table,
  dimensions: number,
  rows: readonly VectorRow[],
): Promise<void> {
  const schema = vectorSchema(dimensions)
  const values = new Float32Array(rows.length * dimensions)
  rows.forEach(({ vector }, index) => {
    values.set(vector, index * dimensions)
  })
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values })
  const list = makeData({
    type: new FixedSizeList(dimensions, new Field('item', new Float32(), true)),
    length: rows.length,
    nullCount: 0,
    child,
  })
  const ids = vectorFromArray(
    rows.map(({ id }) => id),
    new Utf8(),
  ).data[0]!
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children: [ids, list],
  })
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(new ArrowTable(schema, new RecordBatch(schema, data)))
}

/** Makes an empty table for vectors of this size, in place of the one there was. */
export const freshVectorTable = (connection: Connection, name: string, dimensions: number): Promise<Table> =>
  connection.createEmptyTable(name, vectorSchema(dimensions), { mode: 'overwrite' })

/** All vectors of a table as the search image holds them; read batch by batch, since as they are stored they are large. */
export async function storedVectors(table: Table, dimensions: number): Promise<QuantisedVectors> {
  const vectors = quantisedVectors(dimensions)
  for await (const batch of table.query().select(['id', 'vector'])) {
    const [ids, values] = [batch.getChild('id')!, batch.getChild('vector')!]
    for (let row = 0; row < batch.numRows; row++) {
      vectors.add(ids.get(row) as string, (values.get(row) as Vector<FloatType>).toArray())
    }
  }
  return vectors
}
