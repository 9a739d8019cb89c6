import type { RankedCard } from '../rank-cards.ts'
import type { Standing } from './standing.ts'
import { estimateDefaults, estimateDeviation, neutral, noVerdicts } from './success-estimate.ts'

/** How the record changes a ranking. */
export type WeighSettings = {
  /** What the estimate of success weighs against the ranking's own score, >= 0; 0 leaves the ranking as it is. */
  readonly recordWeight: number
  /**
   * How many standard deviations are added to an estimate, >= 0: above 0 what was hardly tried is tried sooner
   * (upper confidence bound).
   */
  readonly exploration: number
}

/** Candidates that are weighed, the best of the ranking: those behind are never shown. */
export const mostWeighed = 100

/**
 * Adjusts a ranking by the track record: score x (estimate / 1/2) ^ weight, so that at weight 1 candidates stand by the
 * expected success, relevance times success. A candidate without graded runs keeps its score. One whose own verdicts speak for
 * it never loses, whatever its source did, and one they speak against never wins. Equal scores stand by their estimates.
 *
 * @param ranked - score descending, 0..1; equal scores by document descending
 * @param standingOf - null for a card without outcomes
 * @returns the same cards, best first, scores 0..1
 */
export function weigh(
  ranked: readonly RankedCard[],
  standingOf: (card: RankedCard) => Standing | null,
  settings: WeighSettings,
): readonly RankedCard[] {
  if (settings.recordWeight === 0) return ranked
  const weighed = ranked.map((card, place) => {
    const factor = place < mostWeighed ? factorOf(standingOf(card), settings) : 1
    return { card, factor, score: card.score * factor }
  })
  if (weighed.every(({ factor }) => factor === 1)) return ranked
  const top = weighed.reduce((best, { score }) => Math.max(best, score), 1)
  return weighed
    .sort((a, b) => b.score - a.score || b.factor - a.factor || b.card.document - a.card.document)
    .map(({ card, score }) => ({ ...card, score: score / top }))
}

const untried = {
  ...{ runs: 0, estimate: neutral, ownEstimate: neutral },
  deviation: estimateDeviation(neutral, noVerdicts, noVerdicts, estimateDefaults),
}

/** What a score is multiplied by; 1 leaves it. */
function factorOf(standing: Standing | null, { recordWeight, exploration }: WeighSettings): number {
  const { estimate, ownEstimate, deviation, runs } = standing ?? untried
  const bounded =
    runs === 0 ? neutral : ownEstimate >= neutral ? Math.max(estimate, neutral) : Math.min(estimate, neutral)
  return (Math.min(1, bounded + exploration * deviation) / neutral) ** recordWeight
}
