import { InputError } from '../shared/input-error.ts'
import { tidy } from '../shared/rounding.ts'

/** A straight line `y = slope * x + intercept` and how well it fits. */
export type Line = {
  readonly slope: number
  readonly intercept: number
  /** Pearson's r, -1..1; 0 when all y are equal. */
  readonly correlation: number
  /** Share of the variance of y that the line explains, 0..1; 1 when all y are equal. */
  readonly rSquared: number
}

/** Least squares through points. @throws InputError for unequal lengths, fewer than two points, or equal x */
export function fitLine(x: readonly number[], y: readonly number[]): Line {
  if (x.length !== y.length) {
    throw new InputError(
      `"x" has ${x.length} numbers and "y" has ${y.length}. Send as many x as y, in pairs.`,
    )
  }
  if (x.length < 2) throw new InputError('A line needs at least two points. Send two or more x and y.')
  const meanX = mean(x)
  const meanY = mean(y)
  const varianceX = sumOfProducts(x, meanX, x, meanX)
  const varianceY = sumOfProducts(y, meanY, y, meanY)
  const covariance = sumOfProducts(x, meanX, y, meanY)
  if (varianceX === 0)
    throw new InputError('All "x" are equal, so no line fits. Send at least two different x.')
  const slope = covariance / varianceX
  const correlation = varianceY === 0 ? 0 : covariance / Math.sqrt(varianceX * varianceY)
  return {
    slope: tidy(slope),
    intercept: tidy(meanY - slope * meanX),
    correlation: tidy(Math.max(-1, Math.min(1, correlation))),
    rSquared: varianceY === 0 ? 1 : tidy(Math.min(1, correlation ** 2)),
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length

const sumOfProducts = (a: readonly number[], meanA: number, b: readonly number[], meanB: number): number =>
  a.reduce((total, value, index) => total + (value - meanA) * (b[index]! - meanB), 0)
