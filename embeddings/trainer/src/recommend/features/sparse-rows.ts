/** Rows of which most numbers are 0. */
export type SparseRows = {
  readonly width: number
  /** Where each row begins; the last entry is where the last one ends. */
  readonly starts: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
}

/** One row, as pairs of column and value. */
export type SparseRow = readonly (readonly [column: number, value: number])[]

export function sparseRows(rows: readonly SparseRow[], width: number): SparseRows {
  const starts = new Uint32Array(rows.length + 1)
  for (const [place, row] of rows.entries()) starts[place + 1] = starts[place]! + row.length
  const flat = rows.flat()
  return {
    width,
    starts,
    columns: Uint32Array.from(flat, ([column]) => column),
    values: Float32Array.from(flat, ([, value]) => value),
  }
}

export const rowOf = ({ starts, columns, values }: SparseRows, row: number): SparseRow =>
  Array.from(
    columns.subarray(starts[row]!, starts[row + 1]!),
    (column, at) => [column, values[starts[row]! + at]!] as const,
  )
