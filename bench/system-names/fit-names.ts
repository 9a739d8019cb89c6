/** A vector and the places of its further features that are 1. */
export type FitRow = {
  readonly vector: Float32Array
  readonly signs: readonly number[]
  readonly wanted: boolean
  readonly weight: number
}

/** Weights of a logistic head: of each value of the vector, of each sign, and what all rows have. */
export type FitWeights = {
  readonly vector: Float64Array
  readonly signs: Float64Array
  readonly bias: number
}

const rounds = 12
const rate = 0.05
/** Takes this share of each squared weight: rows are some ten thousand. */
const decay = 1e-6

/** Logistic regression by AdaGrad, rows in a random order. */
export function fitNames(
  rows: readonly FitRow[],
  { dimensions, signs, random }: { dimensions: number; signs: number; random: () => number },
): FitWeights {
  const width = dimensions + signs + 1
  const weights = new Float64Array(width)
  const squares = new Float64Array(width).fill(1e-6)
  const order = [...rows.keys()]
  const step = (at: number, gradient: number): void => {
    const whole = gradient + decay * weights[at]!
    squares[at] = squares[at]! + whole * whole
    weights[at] = weights[at]! - (rate * whole) / Math.sqrt(squares[at]!)
  }
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other]!, order[last]!]
    }
    for (const place of order) {
      const row = rows[place]!
      let sum = weights[width - 1]!
      for (let at = 0; at < dimensions; at++) sum += weights[at]! * row.vector[at]!
      for (const sign of row.signs) sum += weights[dimensions + sign]!
      const error = row.weight * (1 / (1 + Math.exp(-sum)) - (row.wanted ? 1 : 0))
      for (let at = 0; at < dimensions; at++) step(at, error * row.vector[at]!)
      for (const sign of row.signs) step(dimensions + sign, error)
      step(width - 1, error)
    }
  }
  return {
    vector: weights.slice(0, dimensions),
    signs: weights.slice(dimensions, width - 1),
    bias: weights[width - 1]!,
  }
}

export const scoreOf = (weights: FitWeights, { vector, signs }: Pick<FitRow, 'vector' | 'signs'>): number => {
  let sum = weights.bias
  for (let at = 0; at < vector.length; at++) sum += weights.vector[at]! * vector[at]!
  for (const sign of signs) sum += weights.signs[sign]!
  return sum
}
