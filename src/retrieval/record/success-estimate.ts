/** What an expectation weighs, in verdicts: one of strength 2 weighs as two verdicts do. */
export const strengths = {
  /** All verdicts together, in the expectation of similar cards. */
  similar: 4,
  /** Similar cards, in the expectation of a source. */
  source: 4,
  /** The source's expectation, in the estimate of a card. */
  card: 2,
  /** A card's general estimate, in the one for tasks near to the query. */
  near: 2,
} as const

/** Days in which a verdict loses half its weight, counted back from the newest of the record. */
const halfLifeDays = 180
/** Weight of a verdict on an earlier text of the card, 0..1. */
export const ofChangedCard = 0.3

/** Verdicts taken together: the sum of their weights, and of the weights of those that succeeded. 0 <= successes <= weight. */
export type Tally = { readonly weight: number; readonly successes: number }

export const noVerdicts: Tally = { weight: 0, successes: 0 }

/** A success is as likely as not until something is known. */
export const neutral = 0.5

/**
 * The posterior mean of a Beta distribution over the rate of success.
 *
 * @param expected - its prior mean, 0..1
 * @param strength - how many verdicts the prior is worth, > 0
 * @returns between the expectation and the tally's own rate
 */
export const posteriorMean = ({ weight, successes }: Tally, expected: number, strength: number): number =>
  (successes + strength * expected) / (weight + strength)

/**
 * The success to expect of a card before any verdict on it (empirical Bayes): its source's own rate, shrunken toward that of
 * similar cards on such tasks, which is shrunken toward that of the whole record, and that toward 1/2.
 *
 * @param similar - verdicts on other cards that are candidates for the same need, each times the nearness of its task
 */
export const expectedSuccess = (
  of: {
    readonly [from in 'source' | 'similar' | 'all']: Tally
  },
): number => {
  const overall = posteriorMean(of.all, neutral, 2)
  return posteriorMean(of.source, posteriorMean(of.similar, overall, strengths.similar), strengths.source)
}

/** All verdicts on a card, faded by age and change of card; and the same, each times the nearness of its task to the query. */
type Verdicts = { readonly own: Tally; readonly near: Tally }

/**
 * The probability that a card serves a query well: its verdicts shrunken toward what is expected of its source, and those
 * on near tasks shrunken toward that. One lucky run moves it by a third of the way at most; without verdicts it is the
 * expectation.
 *
 * @param expected - of the source, 0..1
 */
export const successEstimate = ({ own, near }: Verdicts, expected: number): number =>
  posteriorMean(near, posteriorMean(own, expected, strengths.card), strengths.near)

/** The standard deviation that is left in an estimate: what an exploration bonus multiplies. */
export const estimateDeviation = (estimate: number, { own, near }: Verdicts): number =>
  Math.sqrt((estimate * (1 - estimate)) / (own.weight + near.weight + strengths.card + strengths.near + 1))

/** How much a verdict of an age still weighs, 0..1. */
export const ageWeight = (days: number, halfLife = halfLifeDays): number =>
  days <= 0 ? 1 : 2 ** (-days / halfLife)

/** How much a verdict on one task says of another, 0..1: the square of their cosine, 0 below a right angle. */
export const nearness = (cosine: number): number => (cosine > 0 ? Math.min(1, cosine * cosine) : 0)
