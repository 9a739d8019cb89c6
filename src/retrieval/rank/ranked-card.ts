import type { CardIndex } from '../index/card-index.ts'
import type { LexicalProbe } from '../index/lexical-probe.ts'
import type { ScoreList } from './fusion.ts'

/** By what a card reads as written to be found. */
export type Reason = 'publisher-shape' | 'copy' | 'echo' | 'excess'

/** That a card stands back, and why. */
export type StandsBack = {
  /** Part of its score that it lost, 0..1. */
  readonly share: number
  readonly reason: Reason
}

/** A card on its way to the answer, with the evidence for it. */
export type RankedCard = {
  readonly document: number
  /** 0..1, of this query only. */
  readonly score: number
  readonly lexical: number | undefined
  readonly dense: number | undefined
  /** Cosine of the readings of request and card; absent where it was not found by them. */
  readonly reading?: number
  readonly lift: (Lift & { readonly share: number }) | undefined
  /** How well it serves each step, 0..1; empty for a one-step query. */
  readonly facets: readonly number[]
  /** Probability that it serves, by itself: see `scores-alone.ts`. Absent without a learned ranker, and where no tiers mix. */
  readonly serves?: number
  /** Present: the defences took part of its score. */
  readonly standsBack?: StandsBack
}

/** A ranked card with the near-identical ones that were folded into it. */
export type PackedCard = RankedCard & { readonly duplicates: readonly number[] }

/** What one text retrieved: raw scores per retriever and the fused ones, 0..1. */
export type Retrieved = {
  readonly lexical: ScoreList
  readonly dense: ScoreList
  /** Absent where no reader took part. */
  readonly readings?: ScoreList
  readonly fused: ScoreList
  /** Probability that any of it serves, 0..1; undefined when no learned ranker took part. */
  readonly answerable: number | undefined
  /** Probability of a candidate as if there were none of a lower tier; empty where no tiers mix, and without a learned ranker. */
  readonly alone: ScoreList
  /** What the text's words find in single cards. */
  readonly probe: LexicalProbe
}

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
