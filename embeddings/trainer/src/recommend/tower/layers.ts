import type { SparseRows } from '../features/sparse-rows.ts'
import { type Parameter, parameter } from './adam.ts'
import type { Matrices, Matrix } from './matrices.ts'

/** out += the weighted sum of a row's columns of the table, for each item of a batch. */
export function addBag(
  { values: table, width }: Parameter,
  rows: SparseRows,
  items: ArrayLike<number>,
  out: Pick<Matrix, 'values'>,
): void {
  for (let place = 0; place < items.length; place += 1) {
    const item = items[place]!
    const to = place * width
    for (let at = rows.starts[item]!; at < rows.starts[item + 1]!; at += 1) {
      const weight = rows.values[at]!
      const from = rows.columns[at]! * width
      for (let d = 0; d < width; d += 1) out.values[to + d]! += weight * table[from + d]!
    }
  }
}

/** Gradients of {@link addBag} by the table. */
export function backBag(
  table: Parameter,
  rows: SparseRows,
  items: ArrayLike<number>,
  gradient: Pick<Matrix, 'values'>,
): void {
  const { gradients, width, touched } = table
  for (let place = 0; place < items.length; place += 1) {
    const item = items[place]!
    const from = place * width
    for (let at = rows.starts[item]!; at < rows.starts[item + 1]!; at += 1) {
      const weight = rows.values[at]!
      const to = rows.columns[at]! * width
      touched.add(rows.columns[at]!)
      for (let d = 0; d < width; d += 1) gradients[to + d]! += weight * gradient.values[from + d]!
    }
  }
}

/** A dense layer: y = x w, with a bias where one is given, and their gradients. */
export function denseLayer(
  matrices: Matrices,
  { inputs, outputs, batch }: { readonly inputs: number; readonly outputs: number; readonly batch: number },
  start: { readonly weights: Float32Array; readonly bias?: Float32Array },
) {
  const weights = matrices.take(inputs, outputs)
  const turned = matrices.take(outputs, inputs)
  const turnedInput = matrices.take(inputs, batch)
  const byWeights = matrices.take(inputs, outputs)
  weights.values.set(start.weights)
  const learned = parameter(weights.values, outputs)
  const bias = start.bias && parameter(start.bias, outputs)
  return {
    learned,
    bias,
    forward(x: Matrix, y: Matrix): void {
      matrices.multiply(x, weights, y)
      if (bias) for (let at = 0; at < y.values.length; at += 1) y.values[at]! += bias.values[at % outputs]!
    },
    /** @param byX - takes the gradient by x */
    backward(x: Matrix, byY: Matrix, byX: Matrix): void {
      matrices.transpose(x, turnedInput)
      matrices.multiply(turnedInput, byY, byWeights)
      for (let at = 0; at < byWeights.values.length; at += 1) learned.gradients[at]! += byWeights.values[at]!
      for (let row = 0; row < inputs; row += 1) learned.touched.add(row)
      if (bias) {
        bias.touched.add(0)
        for (let at = 0; at < byY.values.length; at += 1) bias.gradients[at % outputs]! += byY.values[at]!
      }
      matrices.transpose(weights, turned)
      matrices.multiply(byY, turned, byX)
    },
  }
}

/** Makes rows unit vectors, in place. @returns their lengths before; a row of zeros stays */
export function normaliseRows({ values, rows, columns }: Matrix): Float32Array {
  const lengths = new Float32Array(rows)
  for (let row = 0; row < rows; row += 1) {
    let sum = 0
    for (let at = row * columns, end = at + columns; at < end; at += 1) sum += values[at]! ** 2
    const length = Math.sqrt(sum)
    lengths[row] = length
    if (length > 0) for (let at = row * columns, end = at + columns; at < end; at += 1) values[at]! /= length
  }
  return lengths
}

/** Gradient by unit vectors to the gradient by what they were made of, in place. */
export function backNormalise(units: Matrix, lengths: Float32Array, gradient: Pick<Matrix, 'values'>): void {
  const { columns } = units
  for (let row = 0; row < units.rows; row += 1) {
    const from = row * columns
    let along = 0
    for (let d = 0; d < columns; d += 1) along += gradient.values[from + d]! * units.values[from + d]!
    const length = lengths[row]!
    for (let d = 0; d < columns; d += 1)
      gradient.values[from + d] =
        length === 0 ? 0 : (gradient.values[from + d]! - along * units.values[from + d]!) / length
  }
}
