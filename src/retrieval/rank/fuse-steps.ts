import { minMax, type ScoreList, weightedSum } from './fusion.ts'
import type { Retrieved } from './retrieved.ts'

/**
 * What steps may change. Chosen on 66 training sets, asked as they were written and in the middle of stories, with models that had seen
 * nothing of their families.
 */
export type StepGain = {
  /** Part that a card gains of the log-odds by which its best step is surer of it than the whole request, 0..1. */
  readonly learned: number
  /** Share of the score that the best step decides where scores are no probabilities, 0..1. */
  readonly plain: number
}

/** Log-odds by which a step must be surer. */
const surer = 0.25
/** Probability that a card serves when the whole request did not find it. */
const unseen = 1e-4

/**
 * The ranking of the whole request, in which cards rise that serve one step of it. By probabilities a card earns its place: it gains a
 * part of what its best step is surer of it than the whole request is, so that nothing moves where no step knows better, and what the
 * whole request is sure of stays in front.
 *
 * @returns 0..1; of the learned ranker probabilities still
 */
export function fuseSteps(whole: Retrieved, steps: readonly Retrieved[], gain: StepGain): ScoreList {
  if (steps.length === 0) return whole.fused
  const best = bestOf(steps)
  if (whole.answerable !== undefined) return byLogOdds(whole.fused, best, gain.learned)
  const lists = [
    { scores: whole.fused, weight: 1 - gain.plain },
    { scores: best, weight: gain.plain },
  ]
  return minMax(weightedSum(lists), 0)
}

function byLogOdds(whole: ScoreList, steps: ScoreList, gain: number): ScoreList {
  const fused = new Map(whole)
  for (const [document, probability] of steps) {
    const before = logOdds(whole.get(document) ?? unseen)
    const more = logOdds(probability) - before - surer
    if (gain > 0 && more > 0) fused.set(document, 1 / (1 + Math.exp(-before - gain * more)))
  }
  return fused
}

/** Of each card the score of its best step. */
function bestOf(steps: readonly Retrieved[]): ScoreList {
  const best = new Map<number, number>()
  for (const { fused } of steps)
    for (const [document, score] of fused) best.set(document, Math.max(best.get(document) ?? 0, score))
  return best
}

/** Bounded, so that certainty can still be weighed. */
function logOdds(probability: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, probability))
  return Math.log(bounded / (1 - bounded))
}
