import { InputError } from '../shared/input-error.ts'
import { tidy } from '../shared/rounding.ts'

/** Rows of a matrix. */
export type Matrix = readonly (readonly number[])[]

/** Determinant by elimination with partial pivoting; exact for small whole numbers. */
export function determinant(matrix: Matrix): number {
  const size = squareSize(matrix)
  if (matrix.every((row) => row.every(Number.isInteger))) return Number(wholeDeterminant(matrix))
  const rows = matrix.map((row) => [...row])
  let result = 1
  for (let column = 0; column < size; column += 1) {
    const pivot = bestPivot(rows, column)
    if (rows[pivot]![column] === 0) return 0
    if (pivot !== column) {
      swap(rows, pivot, column)
      result = -result
    }
    result *= rows[column]![column]!
    for (let row = column + 1; row < size; row += 1) subtract(rows, row, column)
  }
  return tidy(result)
}

/** Solves `matrix * x = constants`. @throws InputError when there is no single solution */
export function solveLinearSystem(matrix: Matrix, constants: readonly number[]): readonly number[] {
  const size = squareSize(matrix)
  if (constants.length !== size) {
    throw new InputError(
      `"constants" has ${constants.length} numbers for ${size} equations. Send one for each row.`,
    )
  }
  const rows = matrix.map((row, index) => [...row, constants[index]!])
  const scale = Math.max(...matrix.flat().map(Math.abs))
  for (let column = 0; column < size; column += 1) {
    swap(rows, bestPivot(rows, column), column)
    if (Math.abs(rows[column]![column]!) <= scale * 1e-13) {
      throw new InputError(
        'These equations have no single solution: one row follows from the others or contradicts them. Send independent rows.',
      )
    }
    for (let row = 0; row < size; row += 1) if (row !== column) subtract(rows, row, column)
  }
  return rows.map((row, index) => tidy(row[size]! / row[index]!) + 0)
}

function squareSize(matrix: Matrix): number {
  const size = matrix.length
  const odd = matrix.findIndex((row) => row.length !== size)
  if (odd >= 0) {
    throw new InputError(
      `"matrix" has ${size} rows, but row ${odd + 1} has ${matrix[odd]!.length} numbers. Send a square matrix, for example [[1, 2], [3, 4]].`,
    )
  }
  return size
}

/** Bareiss: every division is exact, so whole numbers stay whole. */
function wholeDeterminant(matrix: Matrix): bigint {
  const rows = matrix.map((row) => row.map(BigInt))
  const size = rows.length
  let sign = 1n
  let previous = 1n
  for (let step = 0; step < size - 1; step += 1) {
    const pivot = rows.findIndex((row, index) => index >= step && row[step] !== 0n)
    if (pivot < 0) return 0n
    if (pivot !== step) {
      swap(rows, pivot, step)
      sign = -sign
    }
    for (let row = step + 1; row < size; row += 1) {
      for (let column = step + 1; column < size; column += 1) {
        const minor = rows[row]![column]! * rows[step]![step]! - rows[row]![step]! * rows[step]![column]!
        rows[row]![column] = minor / previous
      }
    }
    previous = rows[step]![step]!
  }
  return sign * rows[size - 1]![size - 1]!
}

function bestPivot(rows: readonly number[][], column: number): number {
  let best = column
  for (let row = column + 1; row < rows.length; row += 1) {
    if (Math.abs(rows[row]![column]!) > Math.abs(rows[best]![column]!)) best = row
  }
  return best
}

function swap<Row>(rows: Row[], a: number, b: number): void {
  const kept = rows[a]!
  rows[a] = rows[b]!
  rows[b] = kept
}

/** Takes from `row` the multiple of the pivot row that clears its column. */
function subtract(rows: number[][], row: number, pivot: number): void {
  const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
  if (factor === 0) return
  rows[row] = rows[row]!.map((value, column) =>
    column === pivot ? 0 : value - factor * rows[pivot]![column]!,
  )
}
