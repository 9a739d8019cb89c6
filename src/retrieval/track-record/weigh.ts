import type { RankedCard } from '../rank-cards.ts'
import type { Standing } from './standing.ts'
import { estimateDefaults, estimateDeviation, neutral, noVerdicts } from './success-estimate.ts'

/** How the record changes a ranking. */
export type WeighSettings = {
  /** What the estimate of success weighs against the ranking's own score, >= 0; 0 leaves the ranking as it is. */
  readonly recordWeight: number
  /**
   * How many standard deviations are added to an estimate, >= 0: above 0 what was hardly tried is tried sooner
   * (upper confidence bound), and a good record lifts a card above others.
   */
  readonly exploration: number
}

/** Candidates that are weighed, the best of the ranking: those behind are never shown. */
export const mostWeighed = 100

/**
 * Adjusts a ranking by the track record, which only takes away: score x min(1, estimate / 1/2) ^ weight. A candidate without
 * graded runs keeps its score, and so does one whose own verdicts speak for it, whatever its source did: nothing that is
 * sound or untried ever falls. Equal scores stand by their estimates, so that of two cards that say the same the one that
 * worked leads.
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
  const most = settings.exploration === 0 ? neutral : 1
  const weighed = ranked.map((card, place) => {
    const estimate = place < mostWeighed ? boundedEstimate(standingOf(card), settings) : neutral
    const factor = (Math.min(most, estimate) / neutral) ** settings.recordWeight
    return { card, estimate, score: card.score * factor }
  })
  if (weighed.every(({ estimate }) => estimate === neutral)) return ranked
  const top = weighed.reduce((best, { score }) => Math.max(best, score), 1)
  return weighed
    .sort((a, b) => b.score - a.score || b.estimate - a.estimate || b.card.document - a.card.document)
    .map(({ card, score }) => ({ ...card, score: score / top }))
}

const untried = {
  ...{ runs: 0, estimate: neutral, ownEstimate: neutral },
  deviation: estimateDeviation(neutral, noVerdicts, noVerdicts, estimateDefaults),
}

/** The estimate that counts: own verdicts decide on which side of 1/2 it is. An exploration bonus comes on top. */
function boundedEstimate(standing: Standing | null, { exploration }: WeighSettings): number {
  const { estimate, ownEstimate, deviation, runs } = standing ?? untried
  const bounded =
    runs === 0 ? neutral : ownEstimate >= neutral ? Math.max(estimate, neutral) : Math.min(estimate, neutral)
  return bounded + exploration * deviation
}
