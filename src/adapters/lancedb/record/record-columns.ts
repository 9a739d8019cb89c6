import type { Table } from '@lancedb/lancedb'
import type { RecordBatch } from 'apache-arrow'
import type { Ending } from '../../../domain/outcome.ts'
import type { IndexedOutcome } from '../../../retrieval/record/record-index.ts'

/** What a search needs of an outcome, as it is stored. */
export type SearchedRow = Omit<IndexedOutcome, 'vector'> & {
  /** Milliseconds since 1970. */
  readonly added: number
  /** The model of the vector; null without one. */
  readonly model: string | null
  readonly vector: Int8Array | null
}

const columns = [
  ...['id', 'card', 'card_hash', 'task', 'ending', 'time', 'added', 'seconds', 'grade', 'model', 'vector'],
]

/** Reads what a search needs, column by column, in no order. @param where - SQL; absent: all */
export async function readSearchedRows(table: Table, where?: string): Promise<readonly SearchedRow[]> {
  const query = table.query().select(columns)
  const rows: SearchedRow[] = []
  // Of each task the vector is kept once, though every row has it.
  const vectors = new Map<string, Int8Array>()
  for await (const batch of where === undefined ? query : query.where(where)) addRows(rows, vectors, batch)
  return rows
}

function addRows(rows: SearchedRow[], vectors: Map<string, Int8Array>, batch: RecordBatch): void {
  const text = (name: string) => textColumn(batch, name)
  const [ids, cards, hashes, tasks] = [text('id'), text('card'), text('card_hash'), text('task')]
  const [endings, models] = [text('ending'), text('model')]
  const column = (name: string) => batch.getChild(name)!
  const [times, added, seconds] = [column('time'), column('added'), column('seconds')]
  const [grades, bytes] = [column('grade'), column('vector')]
  const vectorOf = (row: number, key: string): Int8Array | null => {
    const known = vectors.get(key)
    if (known !== undefined) return known
    const stored = bytes.get(row) as Uint8Array | null
    if (stored === null) return null
    // A copy: the batch's memory is larger, and goes.
    const vector = new Int8Array(stored)
    vectors.set(key, vector)
    return vector
  }
  for (let row = 0; row < batch.numRows; row += 1) {
    const [task, model] = [tasks(row)!, models(row)]
    rows.push({
      id: ids(row)!,
      card: cards(row)!,
      cardHash: hashes(row)!,
      task,
      ending: endings(row) as Ending,
      time: times.get(row) as number,
      added: added.get(row) as number,
      seconds: seconds.get(row) as number,
      grade: grades.get(row) as number | null,
      model,
      vector: model === null ? null : vectorOf(row, `${model}\n${task}`),
    })
  }
}

/** Texts of a column by row, several times as fast as Arrow's own reading of them. */
function textColumn(batch: RecordBatch, name: string): (row: number) => string | null {
  const data = batch.getChild(name)!.data[0]!
  const { valueOffsets, values } = data as unknown as { valueOffsets: Int32Array; values: Uint8Array }
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return (row) =>
    data.nullCount > 0 && !data.getValid(row)
      ? null
      : bytes.toString('utf8', valueOffsets[row]!, valueOffsets[row + 1]!)
}
