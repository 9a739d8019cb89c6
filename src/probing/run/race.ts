/** Money of a few players who each bet a fixed share of it at fair odds; each begins with 1. */
type Wealth = Float64Array

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

/** How sure a race has to be. */
export type RaceRule = {
  /** A winner may be so much worse than the best, in scores of 0..1. @defaultValue 0.125, half a grade */
  readonly indifference: number
  /** Chance that a declared winner is worse than that. @defaultValue 0.05 */
  readonly risk: number
}

export const raceRule: RaceRule = { indifference: 0.125, risk: 0.05 }

/** Candidates that do the same tasks, as far as their scores tell them apart. */
export type Race = {
  /**
   * Takes the scores of all candidates on the next task, 0..1. Null of who did not run it, or got no grade: such a pair is left out.
   *
   * @returns whether anybody's place changed
   */
  add(scores: readonly (number | null)[]): boolean
  /** Who needs not run any more: each is worse than another candidate for sure. */
  readonly beaten: ReadonlySet<number>
  /** Who is the best, or worse than the best by less than the indifference; null as long as nobody is for sure. */
  winner(): number | null
  /** How sure it is that one is better than the other. */
  pair(one: number, other: number): RacedPair
}

export type RacedPair = {
  /** Of "one is no better than the other", for all rivals together: at most `risk` as soon as the other is beaten by it. It holds whenever the race is stopped. */
  readonly p: number
  /** Whether they differ by less than the indifference, either way, for sure. */
  readonly isNear: boolean
}

/**
 * Races candidates that are run on the same tasks, in random order. Of each pair money is bet on one at fair odds, once against "one is no better than the
 * other" (`better`) and once against "one is worse by the indifference or more" (`level`): whoever gets rich is right, and may look after every
 * task (Ville's inequality). A candidate is beaten when another one's `better` reaches (candidates - 1) / risk; a candidate wins when its `level`
 * against each unbeaten one does.
 *
 * That the winner is too bad then has at most the chance `risk`: either its `level` against the best got there, or the best was beaten. Per rival of
 * the best that is one bet, since `level` never is below `better`: a rival nearly as good does harm only by beating it, any other one only by `level`.
 *
 * @see Waudby-Smith & Ramdas, JRSS B 2024 (betting); Ramdas, Grünwald, Vovk & Shafer, Statistical Science 2023 (anytime-valid tests);
 * Maron & Moore, NIPS 1993 (races)
 */
export function openRace(candidates: number, { indifference, risk }: RaceRule = raceRule): Race {
  const enough = Math.max(1, candidates - 1) / risk
  const all = Array.from({ length: candidates }, (_, at) => at)
  const pairs = all.map(() => all.map(() => ({ better: newWealth(), level: newWealth(), richest: 1 })))
  const beaten = new Set<number>()
  const totals = all.map(() => 0)

  return {
    beaten,
    add(scores) {
      for (const one of all) {
        const own = scores[one] ?? null
        if (own === null) continue
        totals[one]! += own
        for (const other of all) {
          const rival = scores[other] ?? null
          if (other !== one && rival !== null) compare(pairs[one]![other]!, own - rival, indifference)
        }
      }
      const before = beaten.size
      // Only who is unbeaten himself beats: else two could beat each other in one turn.
      for (const other of all)
        if (
          all.some(
            (one) => !beaten.has(one) && one !== other && holding(pairs[one]![other]!.better) >= enough,
          )
        )
          beaten.add(other)
      return beaten.size > before
    },
    winner() {
      const left = all.filter((one) => !beaten.has(one))
      const sure = left.filter((one) =>
        left.every((other) => other === one || holding(pairs[one]![other]!.level) >= enough),
      )
      return sure.sort((a, b) => totals[b]! - totals[a]! || a - b)[0] ?? null
    },
    pair(one, other) {
      const { richest, level } = pairs[one]![other]!
      const isNear = [level, pairs[other]![one]!.level].every((wealth) => holding(wealth) >= enough)
      return { p: Math.min(1, Math.max(1, candidates - 1) / richest), isNear }
    },
  }
}

type Pair = {
  readonly better: Wealth
  readonly level: Wealth
  richest: number
}

function compare(pair: Pair, difference: number, indifference: number): void {
  bet(pair.better, difference)
  bet(pair.level, difference + indifference)
  pair.richest = Math.max(pair.richest, holding(pair.better))
}
