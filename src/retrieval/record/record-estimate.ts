import { median } from '../../domain/statistics.ts'
import type { RecordIndex } from './record-index.ts'
import {
  ageWeight,
  estimateDeviation,
  expectedSuccess,
  nearness,
  neutral,
  ofChangedCard,
  posteriorMean,
  strengths,
  successEstimate,
  type Tally,
} from './success-estimate.ts'
import type { TaskNeed } from './task-vectors.ts'

/**
 * Newest outcomes of a card that are read: bounds the time of a search. The standard error of a rate over so many is below 0.09,
 * and what is older counts less in any case.
 */
const mostRead = 32
/** From this cosine on a task is told to people as similar. */
const similarFrom = 0.5

/** A card whose record is looked up. */
export type RecordedCard = {
  readonly id: string
  /** Hash of what the card says today; verdicts on another one fade. Absent: none fades. */
  readonly hash?: string | undefined
  /** Whether the card speaks of such a task, by its number. Absent: it is taken to. */
  readonly documents?: (task: number) => boolean
}

/** What the record says of a card, for one need. */
export type RecordEstimate = {
  /** Graded runs, and how many succeeded, of all that were ever added. */
  readonly runs: number
  readonly successes: number
  /** The same of tasks similar to the need, among the newest 32. */
  readonly similarRuns: number
  readonly similarSuccesses: number
  /** Probability of success, 0..1. */
  readonly estimate: number
  /** The same with nothing expected of the source: 1/2 and more speaks for the card's own verdicts. */
  readonly ownEstimate: number
  /** Rate of success in all its verdicts, and in those on tasks near to the need, shrunken toward 1/2 alone: 0..1, 1/2 without any. */
  readonly generalRate: number
  readonly nearRate: number
  /** Standard deviation left in the estimate. */
  readonly deviation: number
}

/** What is asked of a record. */
type AskedOfRecord = {
  readonly need: TaskNeed
  /** The candidates. */
  readonly cards: readonly RecordedCard[]
  /** What a success counts in a task that the card does not speak of, 0..1. @defaultValue 1 */
  readonly undocumented?: number
}

/**
 * What the record says of the candidates for one need. They are similar cards to each other: what the verdicts on tasks near to
 * the need say of the others is part of what is expected of each.
 *
 * @returns by their ids; a card without graded runs has its expectation
 */
export function recordEstimates(
  index: RecordIndex,
  { need, cards, undocumented = 1 }: AskedOfRecord,
): ReadonlyMap<string, RecordEstimate> {
  const read = evidenceReader(index, need, undocumented)
  const evidence = cards.map((card) => [card.id, read(card)] as const)
  const together = { weight: 0, successes: 0 }
  for (const [, { near }] of evidence) {
    together.weight += near.weight
    together.successes += near.successes
  }
  return new Map(
    evidence.map(([id, verdicts]) => {
      const { own, near, similarRuns, similarSuccesses } = verdicts
      const similar = {
        weight: Math.max(0, together.weight - near.weight),
        successes: Math.max(0, together.successes - near.successes),
      }
      const tallies = { source: index.sourceTally(id), similar, all: index.total }
      const estimate = successEstimate(verdicts, expectedSuccess(tallies))
      const { weight: runs, successes } = index.counts(id)
      const recorded: RecordEstimate = {
        runs,
        successes,
        similarRuns,
        similarSuccesses,
        estimate,
        ownEstimate: successEstimate(verdicts, neutral),
        generalRate: posteriorMean(own, neutral, strengths.card),
        nearRate: posteriorMean(near, neutral, strengths.near),
        deviation: estimateDeviation(estimate, verdicts),
      }
      return [id, recorded]
    }),
  )
}

/** What the verdicts on a card say: all of them, those near to a need, and how many are told as similar. */
type Evidence = Pick<RecordEstimate, 'similarRuns' | 'similarSuccesses'> & {
  readonly own: Tally
  readonly near: Tally
}

function evidenceReader(
  index: RecordIndex,
  need: TaskNeed,
  undocumented: number,
): (card: RecordedCard) => Evidence {
  const cosinesOf = index.tasks.cosines(need)
  const asked = new Int32Array(mostRead)
  return ({ id, hash, documents }) => {
    const own = { weight: 0, successes: 0 }
    const near = { weight: 0, successes: 0 }
    const today = hash === undefined ? -1 : index.hashNumber(hash)
    let [similarRuns, similarSuccesses] = [0, 0]
    const places = index.latest(id, mostRead)
    const { successes: graded, days, cardHashes, tasks } = index.columns()
    const { newestDay } = index
    for (let place = 0; place < places.length; place += 1) asked[place] = tasks[places[place]!]!
    const cosines = cosinesOf(asked.subarray(0, places.length))
    for (let place = 0; place < places.length; place += 1) {
      const at = places[place]!
      const success = graded[at]!
      if (Number.isNaN(success)) continue
      const cosine = cosines[place]!
      const faded = hash === undefined || cardHashes[at] === today ? 1 : ofChangedCard
      const weight = faded * ageWeight(newestDay - days[at]!)
      const isUndocumented = undocumented < 1 && success === 1 && documents?.(tasks[at]!) === false
      const worth = isUndocumented ? undocumented : success
      const share = weight * nearness(cosine)
      own.weight += weight
      own.successes += weight * worth
      near.weight += share
      near.successes += share * worth
      if (cosine >= similarFrom) {
        similarRuns += 1
        similarSuccesses += success
      }
    }
    return { own, near, similarRuns, similarSuccesses }
  }
}

/** Wall time of a card's answers, the median of the newest 32 outcomes, seconds; null when it never answered. */
export function medianSeconds(index: RecordIndex, card: string): number | null {
  const { seconds, answered } = index.columns()
  const places = index.latest(card, mostRead).filter((at) => answered[at] === 1)
  return median(Array.from(places, (at) => seconds[at]!))
}
