import type { Table } from '@lancedb/lancedb'

/** Rows of one column that could be read, and how many could not. */
type ReadableRows = { readonly values: readonly string[]; readonly unreadable: number }

/** Reads that may fail before the rest is given up: each costs about a millisecond. */
const mostFailures = 500

/**
 * Reads a column of texts as far as it can be read: where a read fails its halves are tried, down to single rows. Damage of a
 * page takes its rows with it, damage of a file's end all of the file.
 */
export async function readableRows(table: Table, column: string): Promise<ReadableRows> {
  const values: string[] = []
  let unreadable = 0
  let failures = 0

  const read = async (from: number, count: number): Promise<void> => {
    if (count === 0) return
    if (failures >= mostFailures) {
      unreadable += count
      return
    }
    const found = await rowsOf(table, column, from, count).catch(() => null)
    if (found !== null) {
      for (const value of found) values.push(value)
      return
    }
    failures += 1
    if (count === 1) {
      unreadable += 1
      return
    }
    const half = Math.floor(count / 2)
    await read(from, half)
    await read(from + half, count - half)
  }

  await read(0, await table.countRows())
  return { values, unreadable }
}

/** @throws Error when a row cannot be read, or fewer come than there are */
async function rowsOf(table: Table, column: string, from: number, count: number): Promise<readonly string[]> {
  const rows = await table.query().select([column]).offset(from).limit(count).toArrow()
  const texts = rows.getChild(column)
  if (rows.numRows !== count || texts === null) throw new Error(`${rows.numRows} rows came of ${count}`)
  return Array.from({ length: count }, (_, row) => {
    const value: unknown = texts.get(row)
    if (typeof value !== 'string') throw new Error(`row ${from + row} holds no text`)
    return value
  })
}
