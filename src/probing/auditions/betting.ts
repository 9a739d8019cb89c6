/** Money of a few players who each bet a fixed share of it at fair odds; each begins with 1. */
export type Wealth = Float64Array

/** Large shares tell large differences soon, small ones tell small differences at all. */
const shares = [0.1, 0.2, 0.4, 0.6, 0.8, 1] as const

export const newWealth = (): Wealth => new Float64Array(shares.length).fill(1)

/** @param gain - of what is bet, -1 or more: whoever bets all may lose all */
export function bet(wealth: Wealth, gain: number): void {
  for (const [at, share] of shares.entries()) wealth[at]! *= Math.max(0, 1 + share * gain)
}

/** What they have together, per 1 that they began with. Where gains are not positive on average it reaches c with chance 1 / c at most, ever (Ville). */
export const holding = (wealth: Wealth): number => wealth.reduce((sum, one) => sum + one, 0) / shares.length

/** Means looked at between 0 and 1. */
const steps = 200

/**
 * An interval for the mean of what is drawn, 0..1, that may be looked at after each value: the means against which nobody could get rich.
 *
 * @param risk - chance that the mean is ever outside
 * @see Waudby-Smith & Ramdas, Estimating means of bounded random variables by betting, JRSS B 2024
 */
export function meanInterval(
  values: readonly number[],
  risk: number,
): { readonly mean: number; readonly low: number; readonly high: number } {
  const mean = values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
  const isPossible = (supposed: number): boolean => {
    const [above, below] = [newWealth(), newWealth()]
    for (const value of values) {
      if (supposed > 0) bet(above, value / supposed - 1)
      if (supposed < 1) bet(below, (1 - value) / (1 - supposed) - 1)
      // What cannot come of such a mean has come.
      if ((supposed === 0 && value > 0) || (supposed === 1 && value < 1)) return false
    }
    return (holding(above) + holding(below)) / 2 < 1 / risk
  }
  const possible = Array.from({ length: steps + 1 }, (_, at) => at / steps).filter(isPossible)
  return { mean, low: Math.min(mean, ...possible), high: Math.max(mean, ...possible) }
}

/** The same for values of another scale, as grades from 1 to 5: with one value, or equal ones, it is wide, too. */
export function intervalOn(
  [from, to]: readonly [from: number, to: number],
  values: readonly number[],
  risk = 0.05,
): { readonly mean: number; readonly low: number; readonly high: number } {
  const { mean, low, high } = meanInterval(
    values.map((value) => (value - from) / (to - from)),
    risk,
  )
  const scaled = (share: number): number => from + (to - from) * share
  return { mean: scaled(mean), low: scaled(low), high: scaled(high) }
}
