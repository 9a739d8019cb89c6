import type { CardIndex } from '../index/card-index.ts'
import type { ScoreList } from './fusion.ts'

/** Where an agent's lift comes from: its best tool for this query and that tool's score, 0..1. */
export type Lift = { readonly tool: string; readonly score: number }

/**
 * Agents inherit the evidence of the tools they own, so that a terse agent with the right tool is found.
 *
 * @param tools - fused scores of the tools for the same query, by the tools' document numbers
 * @returns per agent document its best tool
 * @see AgentSearchBench, arXiv 2604.22436, eq. 7; LiveMCPBench's tool-to-agent retrieval
 */
export function liftOf(agents: CardIndex, toolIndex: CardIndex, tools: ScoreList): ReadonlyMap<number, Lift> {
  const lifts = new Map<number, Lift>()
  for (const [document, score] of tools) {
    const tool = toolIndex.ids.at(document)
    for (const agent of agents.ownersOf(tool)) {
      const known = lifts.get(agent)
      if (known === undefined || score > known.score) lifts.set(agent, { tool, score })
    }
  }
  return lifts
}
