import type { GradedRows } from '../../../embeddings/trainer/src/boosting/graded-rows.ts'

/**
 * The rival: a weighted sum of the features, fitted to the grades by least squares; missing values count as the mean.
 *
 * @returns a function that scores rows
 */
export function linearRanker(rows: GradedRows, width: number): (features: Float32Array) => Float64Array {
  const means = Array.from({ length: width }, (_, feature) => {
    const known = column(rows.features, width, feature).filter((value) => !Number.isNaN(value))
    return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  })
  const centred = (features: Float32Array, row: number, feature: number): number => {
    if (feature === width) return 1
    const value = features[row * width + feature]!
    return (Number.isNaN(value) ? means[feature]! : value) - means[feature]!
  }
  // Normal equations with a small ridge, one column more for the constant and one for the right-hand side.
  const size = width + 1
  const matrix = Array.from({ length: size }, (_, i) => {
    const line = new Array<number>(size + 1).fill(0)
    line[i] = 1e-6
    return line
  })
  for (let row = 0; row < rows.grades.length; row += 1)
    for (let i = 0; i < size; i += 1) {
      const own = centred(rows.features, row, i)
      for (let j = 0; j < size; j += 1) matrix[i]![j]! += own * centred(rows.features, row, j)
      matrix[i]![size]! += own * rows.grades[row]!
    }
  const weights = solve(matrix)
  return (features) =>
    Float64Array.from({ length: features.length / width }, (_, row) =>
      weights.reduce((sum, weight, feature) => sum + weight * centred(features, row, feature), 0),
    )
}

const column = (features: Float32Array, width: number, feature: number): number[] =>
  Array.from({ length: features.length / width }, (_, row) => features[row * width + feature]!)

/** Gauss-Jordan elimination with the largest pivot of the column; changes the matrix. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length
  for (let pivot = 0; pivot < size; pivot += 1) {
    let largest = pivot
    for (let line = pivot + 1; line < size; line += 1)
      if (Math.abs(matrix[line]![pivot]!) > Math.abs(matrix[largest]![pivot]!)) largest = line
    const own = matrix[largest]!
    matrix[largest] = matrix[pivot]!
    matrix[pivot] = own
    for (let line = 0; line < size; line += 1) {
      if (line === pivot) continue
      const factor = matrix[line]![pivot]! / own[pivot]!
      for (let at = pivot; at <= size; at += 1) matrix[line]![at]! -= factor * own[at]!
    }
  }
  return matrix.map((line, index) => line[size]! / line[index]!)
}
