import type { SearchAnswer } from '../../retrieval/answer.ts'
import { budgetOf } from './search-answer.ts'
import { jsonBytes, tokensOf } from './token-estimate.ts'
import { agentsAnswer } from '../tools/search-agents.ts'
import { toolsAnswer } from '../tools/search-tools.ts'

/**
 * Estimated tokens of what a host's model gets of an answer when it asks for no detail and sets no budget: of the structured
 * content, which is the whole answer and all that some hosts pass on.
 */
export function answerTokens(found: SearchAnswer): number {
  const budget = budgetOf({ detail: 'standard', k: found.candidates.length })
  const answer = (found.kind === 'tool' ? toolsAnswer : agentsAnswer)(found, 'standard', budget)
  return tokensOf(jsonBytes(answer.structured))
}
