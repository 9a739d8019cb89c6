import { type BoostedTrees, boostedTrees } from '../../src/retrieval/rank/boosted-trees.ts'
import { featureNames } from '../../src/retrieval/rank/candidate-features.ts'
import type { LearnedRanker } from '../../src/retrieval/rank/learned-ranker.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { matchedTokens } from '../../src/retrieval/rank/soft-match.ts'
import { type DrawnTree, modelOf } from '../retrieval/arbitrary-trees.ts'
import { hashedWordsModel } from './hashed-words-model.ts'
import { wordMatcher } from './word-matcher.ts'

type Feature = (typeof featureNames)[number]

/** A tree that asks one thing. */
export const split = (
  name: Feature,
  threshold: number,
  values: { readonly atMost: number; readonly above: number },
): DrawnTree => ({
  value: (values.atMost + values.above) / 2,
  feature: featureNames.indexOf(name),
  threshold,
  missing: 'left',
  left: { value: values.atMost },
  right: { value: values.above },
})

export const treesOf = (...trees: readonly DrawnTree[]): BoostedTrees =>
  boostedTrees(modelOf(trees, featureNames))

/** A ranker over these trees that knows no word near another in meaning. */
export function rankerOver(
  trees: BoostedTrees,
  calibration: LearnedRanker['calibration'] = { slope: 1, intercept: 0 },
): LearnedRanker {
  const matcher = wordMatcher([])
  return { id: 'drawn', trees, matcher, tokensOf: matchedTokens(matcher), calibration }
}

/** The fake that knows words only, with a ranker. */
export const rankingModel = (
  ranker: LearnedRanker,
  synonyms: { readonly [word: string]: string } = {},
): EmbeddingModel => ({ ...hashedWordsModel(synonyms), id: 'ranking-words', ranker })
