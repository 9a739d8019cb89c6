import { arrow, lancedb } from './native.ts'
import type { Connection, Table } from '@lancedb/lancedb'
import { byScoreThenId, type Candidate } from '../../domain/ranking.ts'
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

/** Rows from which an index pays; below it the exact scan is as fast. */
const indexedFrom = 20_000
/** Partitions searched without a filter: recall@10 is 1.0 at 44,000 rows. */
const ivfProbes = 20
/** How much more is fetched when a filter is applied afterwards, and by how much that grows. */
const overfetch = 4

/** Adds or replaces vectors by card id. Vectors go over as one buffer. */
export async function putVectors(
  table: Table,
  dimensions: number,
  rows: readonly { readonly id: string; readonly vector: Float32Array }[],
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

/** Brings the vector index up to date, or makes it once the table is large enough. */
export async function indexVectors(table: Table): Promise<void> {
  const rows = await table.countRows()
  if (rows < indexedFrom) return
  const known = (await table.listIndices()).some(({ columns }) => columns.includes('vector'))
  if (known) return
  await table.createIndex('vector', {
    config: lancedb.Index.ivfFlat({ distanceType: 'cosine', numPartitions: Math.round(Math.sqrt(rows)) }),
  })
}

/**
 * Nearest ids by cosine, ties in the order of rankings. LanceDB cuts ties off at random, so more is fetched until the
 * last candidate is surely better than what was left out.
 *
 * @param isAdmitted - filter applied after retrieval; more is fetched until `depth` are admitted or the table ends
 */
export async function nearestIds(
  table: Table,
  vector: Float32Array,
  depth: number,
  isAdmitted: ((id: string) => boolean) | null,
): Promise<readonly Candidate[]> {
  const rows = await table.countRows()
  if (rows === 0) return []
  for (let limit = isAdmitted ? depth * overfetch : depth + 1; ; limit *= overfetch) {
    const isWhole = limit >= rows
    const found = (await table
      .query()
      .nearestTo(vector)
      .distanceType('cosine')
      // Candidates further down the list, of which a filter leaves few, lie in more partitions.
      .nprobes(isWhole ? rows : ivfProbes * Math.round(limit / depth))
      .select(['id', '_distance'])
      .limit(Math.min(limit, rows))
      .toArray()) as { id: string; _distance: number }[]
    const admitted = isAdmitted ? found.filter(({ id }) => isAdmitted(id)) : found
    const last = admitted[depth - 1]
    const isCertain = last !== undefined && last._distance < found.at(-1)!._distance
    if (isWhole || isCertain) {
      return admitted
        .map(({ id, _distance }) => ({ id, score: 1 - _distance }))
        .sort(byScoreThenId)
        .slice(0, depth)
    }
  }
}
