import { once } from '../../domain/once.ts'
import { wasm } from './list-maxima.wasm.ts'
import { aligned, firstByte, opensKernels, pageBytes, webAssembly } from './web-assembly.ts'

/** A table of numbers, and lists of its rows. */
export type ListedRows = {
  /** Rows x columns, row-major: `height` times `width` numbers. */
  readonly table: Float32Array
  readonly height: number
  readonly width: number
  /** Numbers of rows: those of the first list, then those of the second, and so on. */
  readonly rows: Uint32Array
  /** Where each list ends in `rows`; ascending. */
  readonly ends: Uint32Array
}

/** Nothing is below 0: so is what no number is above. NaN counts for nothing. */
type ListMaxima = {
  /** Per list and column the greatest number over the list's rows: lists x `step`, the first `width` of each step. */
  readonly ofLists: Float32Array
  readonly step: number
  /** Per row of the table its greatest number. */
  readonly ofRows: Float32Array
}

type Kernels = {
  ofLists(table: number, width: number, rows: number, ends: number, lists: number, out: number): void
  ofRows(table: number, width: number, count: number, out: number): void
}

/** Columns are read four at once: the last ones reach beyond the table. */
const beyond = 12

const opened = once(() => {
  const memory = new webAssembly.Memory({ initial: 16 })
  return { memory, kernels: opensKernels<Kernels>(wasm)(memory) }
})

/**
 * The greatest numbers of each column over lists of rows, eight columns at a time.
 *
 * @throws RangeError when there is no memory for the table
 */
export function listMaxima({ table, height, width, rows, ends }: ListedRows): ListMaxima {
  const { memory, kernels } = opened()
  const step = Math.ceil(width / 4) * 4
  const rowsAt = aligned(firstByte + table.byteLength + beyond)
  const endsAt = aligned(rowsAt + rows.byteLength)
  const ofListsAt = aligned(endsAt + ends.byteLength)
  const ofRowsAt = ofListsAt + 4 * step * ends.length
  const missing = ofRowsAt + 4 * height - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  new Float32Array(memory.buffer, firstByte, table.length).set(table)
  new Uint32Array(memory.buffer, rowsAt, rows.length).set(rows)
  new Uint32Array(memory.buffer, endsAt, ends.length).set(ends)
  kernels.ofLists(firstByte, width, rowsAt, endsAt, ends.length, ofListsAt)
  kernels.ofRows(firstByte, width, height, ofRowsAt)
  return {
    ofLists: new Float32Array(memory.buffer, ofListsAt, step * ends.length).slice(),
    step,
    ofRows: new Float32Array(memory.buffer, ofRowsAt, height).slice(),
  }
}
