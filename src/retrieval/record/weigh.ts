import type { RankedCard } from '../rank/ranked-card.ts'
import type { RecordEstimate } from './record-estimate.ts'
import { estimateDeviation, neutral, noVerdicts } from './success-estimate.ts'

/** How the record changes a ranking. */
export type WeighSettings = {
  /** What the record weighs against the ranking's own score, >= 0; 0 leaves the ranking as it is. */
  readonly recordWeight: number
  /**
   * How many standard deviations are added to an estimate, >= 0: above 0 what was hardly tried is tried sooner
   * (upper confidence bound), and a good record lifts a card further.
   */
  readonly exploration: number
}

/** How the record is heard, and how it changes a ranking. */
export type RecordSettings = WeighSettings & {
  /**
   * What a success counts in a task that the card does not speak of, 0..1; AgentSearchBench takes 0.5. Off by 1, since the words of a card
   * cannot tell: see `docs/track-record.md`.
   */
  readonly undocumented: number
}

export const recordDefaults: RecordSettings = { recordWeight: 2, exploration: 0, undocumented: 1 }

/**
 * What the scores of a ranking are: probabilities of a learned ranker; shares of the best score; or scores that lie close together
 * although the candidates differ, as those of a cross-encoder or of reciprocal ranks.
 */
export type WeighScale = 'probability' | 'share' | 'close'

/**
 * How much more an untried card must match to stay in front of one that always worked: `1 + general + near` times as much when it
 * worked on tasks like the query's, `1 + general` times on any others. Measured by `npm run bench -- probe-lift`.
 */
const gains: { readonly [scale in WeighScale]: { readonly general: number; readonly near: number } } = {
  probability: { general: 1, near: 2 },
  share: { general: 0.5, near: 2 },
  close: { general: 0.2, near: 0.6 },
}

/** The weight at which {@link gains} count as they stand. */
const usualWeight = 2

/** Candidates that are weighed, the best of the ranking: those behind are never shown. */
export const mostWeighed = 100

/**
 * Adjusts a ranking by the track record. What failed loses: score x (estimate / 1/2) ^ weight. What worked gains a factor, more for
 * tasks near to the query, so that it leads what nobody tried unless that is clearly the better match. A card without graded runs
 * keeps its score: nothing untried falls below something that failed. Own verdicts decide on which side a card is, whatever its
 * source did. Equal scores stand by their estimates.
 *
 * @param ranked - score descending, 0..1; equal scores by document descending
 * @param estimateOf - null for a card without outcomes
 * @returns the same cards, best first, scores 0..1
 */
export function weigh(
  ranked: readonly RankedCard[],
  estimateOf: (card: RankedCard) => RecordEstimate | null,
  {
    recordWeight,
    exploration,
    scale,
    availabilityOf = () => 1,
  }: WeighSettings & {
    readonly scale: WeighScale
    /** What uses leave of a score, 0..1. @defaultValue all of it */
    readonly availabilityOf?: (card: RankedCard) => number
  },
): readonly RankedCard[] {
  if (recordWeight === 0) return ranked
  const weighed = ranked.map((card, place) => {
    if (place >= mostWeighed) return { card, estimate: neutral, score: card.score }
    const recorded = estimateOf(card)
    const estimate = boundedEstimate(recorded)
    const bonus = exploration * (recorded?.deviation ?? untriedDeviation)
    const loss = Math.min(1, Math.min(estimate, neutral) + bonus) / neutral
    const gain = recorded === null ? 1 : gainOf(recorded, scale) ** (1 / usualWeight)
    const score = card.score * (loss * gain) ** recordWeight * availabilityOf(card)
    return { card, estimate: estimate + bonus, score }
  })
  const isAsBefore = weighed.every(
    ({ card, estimate, score }) => estimate === neutral && score === card.score,
  )
  if (isAsBefore) return ranked
  const top = weighed.reduce((best, { score }) => Math.max(best, score), 1)
  return weighed
    .sort((a, b) => b.score - a.score || b.estimate - a.estimate || b.card.document - a.card.document)
    .map(({ card, score }) => ({ ...card, score: score / top }))
}

/** Whether a card's own verdicts speak for it, against it, or do not tell. */
export const speaks = ({ runs, ownEstimate }: RecordEstimate): 'for' | 'against' | 'neither' =>
  runs === 0 || ownEstimate === neutral ? 'neither' : ownEstimate > neutral ? 'for' : 'against'

/** What a card gains by what it did, >= 1. */
function gainOf(recorded: RecordEstimate, scale: WeighScale): number {
  if (speaks(recorded) !== 'for') return 1
  const { general, near } = gains[scale]
  const proof = (rate: number): number => rate / neutral - 1
  return Math.max(1, 1 + general * proof(recorded.generalRate) + near * proof(recorded.nearRate))
}

/** The estimate that counts: own verdicts decide on which side of 1/2 it is. */
function boundedEstimate(recorded: RecordEstimate | null): number {
  if (recorded === null || recorded.runs === 0) return neutral
  const { estimate, ownEstimate } = recorded
  return ownEstimate >= neutral ? Math.max(estimate, neutral) : Math.min(estimate, neutral)
}

const untriedDeviation = estimateDeviation(neutral, { own: noVerdicts, near: noVerdicts })
