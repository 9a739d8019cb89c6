import { sameCapability } from '../../../../evals/benchmarks/src/agentselect/agentselect-equivalence.ts'
import {
  heldOutShare,
  placeOf,
  validationTexts,
} from '../../../../evals/benchmarks/src/agentselect/agentselect-split.ts'
import { normalisedText } from '../../../../src/evaluation/equivalence.ts'
import type { RecommendSplit } from '../../../../src/compose/parts/recommender.ts'
import type { RecommendedQuery, Recommendations } from './recommendations.ts'

/** What is learned from and what is asked. A query may stand in both, with other agents, where only agents are held out. */
export type SplitRecommendations = {
  readonly train: readonly RecommendedQuery[]
  readonly test: readonly RecommendedQuery[]
}

/**
 * Holds out a fifth: of the queries by their normalised text, of the agents by what they can do, or of both, so that neither text nor
 * agent of a test was learned from. Agents that can do the same are on one side, whichever part they are of.
 */
export function splitRecommendations(
  { agents, queries }: Recommendations,
  { by, seed }: { readonly by: RecommendSplit; readonly seed: string },
): SplitRecommendations {
  const texts = validationTexts(queries, seed)
  const classOf = agents.map((card) => sameCapability.classOf(card) ?? card.id)
  const isNewAgent = (agent: number): boolean => placeOf(classOf[agent]!, `agents ${seed}`) < heldOutShare
  const isNewText = ({ text }: RecommendedQuery): boolean => texts.has(normalisedText(text))
  if (by === 'query')
    return { train: queries.filter((query) => !isNewText(query)), test: queries.filter(isNewText) }
  const withPositives = (some: readonly RecommendedQuery[], isTaken: (agent: number) => boolean) =>
    some
      .map((query) => ({ ...query, positives: query.positives.filter(isTaken) }))
      .filter(({ positives }) => positives.length > 0)
  const learned = by === 'both' ? queries.filter((query) => !isNewText(query)) : queries
  const asked = by === 'both' ? queries.filter(isNewText) : queries
  return {
    train: withPositives(learned, (agent) => !isNewAgent(agent)),
    test: withPositives(asked, isNewAgent),
  }
}
