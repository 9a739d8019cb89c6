/** Turns scores into probabilities: 1 / (1 + exp(-(slope * score + intercept))). */
export type Calibration = { readonly slope: number; readonly intercept: number }

const rounds = 100
/** Newton's step is this much damped where the data says nothing. */
const ridge = 1e-6

/**
 * The most likely calibration for what was observed, by Newton's method with halved steps. Targets stay off 0 and 1 by
 * what so few observations cannot tell.
 *
 * @param grades - per score whether the candidate served: 1 or 0; at least one of each, else the scores tell nothing
 * @see Platt 1999; Lin, Lin & Weng, Machine Learning 2007
 */
export function calibrate(scores: ArrayLike<number>, grades: ArrayLike<number>): Calibration {
  const count = scores.length
  let serving = 0
  for (let row = 0; row < count; row += 1) serving += grades[row]! > 0 ? 1 : 0
  const high = (serving + 1) / (serving + 2)
  const low = 1 / (count - serving + 2)
  const lossOf = (slope: number, intercept: number): number => {
    let loss = 0
    for (let row = 0; row < count; row += 1) {
      const x = slope * scores[row]! + intercept
      const target = grades[row]! > 0 ? high : low
      loss += Math.max(x, 0) - x * target + Math.log1p(Math.exp(-Math.abs(x)))
    }
    return loss
  }
  let slope = 0
  let intercept = Math.log((serving + 1) / (count - serving + 1))
  let loss = lossOf(slope, intercept)
  for (let round = 0; round < rounds; round += 1) {
    let [g1, g0, h11, h10, h00] = [0, 0, ridge, 0, ridge]
    for (let row = 0; row < count; row += 1) {
      const score = scores[row]!
      const p = 1 / (1 + Math.exp(-(slope * score + intercept)))
      const error = p - (grades[row]! > 0 ? high : low)
      const weight = p * (1 - p)
      g1 += error * score
      g0 += error
      h11 += weight * score * score
      h10 += weight * score
      h00 += weight
    }
    if (Math.abs(g1) + Math.abs(g0) < 1e-6 * count) break
    const determinant = h11 * h00 - h10 * h10
    const bySlope = -(h00 * g1 - h10 * g0) / determinant
    const byIntercept = -(h11 * g0 - h10 * g1) / determinant
    let step = 1
    let lower = lossOf(slope + bySlope, intercept + byIntercept)
    while (lower > loss && step > 1e-10) {
      step /= 2
      lower = lossOf(slope + step * bySlope, intercept + step * byIntercept)
    }
    if (lower >= loss) break
    slope += step * bySlope
    intercept += step * byIntercept
    loss = lower
  }
  return { slope, intercept }
}
