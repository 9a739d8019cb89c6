import { minMax, type ScoreList, weightedSum } from './fusion.ts'
import type { Retrieved } from './ranked-card.ts'

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
/** Part of the log-odds that a card loses which only the story speaks for, where nearly all is story. */
const storyLoss = 0.4
/** Probability that a card serves when the whole request did not find it. */
const unseen = 1e-4

/**
 * The ranking of the whole request, in which cards rise that serve one step of it. By probabilities a card earns its place: it gains a
 * part of what its best step is surer of it than the whole request is, so that nothing moves where no step knows better, and what the
 * whole request is sure of stays in front.
 *
 * @param gain.story - how much of the request is a story, 0..1: the more, the more do the steps decide, and what only the story speaks for sinks
 * @returns 0..1; of the learned ranker probabilities still
 */
export function fuseSteps(
  whole: Retrieved,
  steps: readonly Retrieved[],
  gain: StepGain & { readonly story?: number | undefined },
): ScoreList {
  const { story = 0 } = gain
  if (steps.length === 0) return whole.fused
  const best = bestOf(steps)
  if (whole.answerable !== undefined) return byLogOdds(whole.fused, best, { part: gain.learned, story })
  const share = gain.plain === 0 ? 0 : gain.plain + (1 - gain.plain) * story
  const lists = [
    { scores: whole.fused, weight: 1 - share },
    { scores: best, weight: share },
  ]
  return minMax(weightedSum(lists), 0)
}

/** What a sentence found that may be none of the steps: all of it is less likely by its doubt, in log-odds. */
export function doubted(found: Retrieved, doubt: number): Retrieved {
  const less = (score: number): number =>
    found.answerable === undefined ? score * Math.exp(-doubt) : 1 / (1 + Math.exp(doubt - logOdds(score)))
  const answerable = found.answerable && less(found.answerable)
  return {
    ...found,
    answerable,
    fused: new Map([...found.fused].map(([card, score]) => [card, less(score)])),
  }
}

function byLogOdds(
  whole: ScoreList,
  steps: ScoreList,
  { part, story }: { readonly part: number; readonly story: number },
): ScoreList {
  const fused = new Map(whole)
  if (part === 0) return fused
  const gain = part + (1 - part) * story
  for (const [document, probability] of whole) {
    const before = logOdds(probability)
    const less = before - logOdds(steps.get(document) ?? unseen)
    if (story > 0 && less > 0) fused.set(document, 1 / (1 + Math.exp(-before + storyLoss * story * less)))
  }
  for (const [document, probability] of steps) {
    const before = logOdds(whole.get(document) ?? unseen)
    const more = logOdds(probability) - before - surer
    if (more > 0) fused.set(document, 1 / (1 + Math.exp(-before - gain * more)))
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
