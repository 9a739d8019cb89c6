import type { CardKind } from '../domain/card.ts'
import { minMax, type ScoreList } from './fusion.ts'
import { guarded, guardFor } from './defences/guard.ts'
import type { LearnedRanker } from './learned-ranker.ts'
import type { CatalogSnapshot } from './ports.ts'
import { type Lookup, type Ranker, type RetrievalSettings, type Retrieved, retrieve } from './retrieve.ts'
import { type Lift, liftOf } from './tool-to-agent-lift.ts'

/** A card on its way to the answer, with the evidence for it. */
export type RankedCard = {
  readonly document: number
  /** 0..1, of this query only. */
  readonly score: number
  readonly lexical: number | undefined
  readonly dense: number | undefined
  readonly lift: (Lift & { readonly share: number }) | undefined
  /** How well it serves each step, 0..1; empty for a one-step query. */
  readonly facets: readonly number[]
}

/** The cards that were found, best first, and whether any of them serves. */
export type Ranking = {
  readonly cards: readonly RankedCard[]
  /**
   * Probability that the query is served, by a card or by its tool: as a whole, or over its steps on average, whichever is
   * higher; undefined when no learned ranker took part.
   */
  readonly answerable: number | undefined
  /** Share of a card's score that the defences withheld, 0..1. */
  withheld(document: number): number
}

/** The query and its steps, ready to be looked up. */
export type Need = { readonly whole: Lookup; readonly facets: readonly Lookup[] }

/**
 * Ranks the admitted cards of one kind: retrieves the whole query and each step, mixes both, and lifts agents by their
 * tools. Score descending; equal scores by id descending.
 */
export function rankCards(
  snapshot: CatalogSnapshot,
  kind: CardKind,
  need: Need,
  ranker: Ranker,
  settings: RetrievalSettings,
  admitted: Uint8Array | null,
  learned: LearnedRanker | null,
): Ranking {
  const find = (lookup: Lookup, of: CardKind, among: Uint8Array | null) =>
    retrieve(snapshot.indexes[of], lookup, ranker, settings, among, learned)
  // Who filters may leave the original out: a copy is then as good.
  const against = (among: Uint8Array | null) =>
    among === null ? settings.defences : { ...settings.defences, nearCopies: false }
  const look = (lookup: Lookup, of: CardKind, among: Uint8Array | null) => {
    const found = find(lookup, of, among)
    const guard = guardFor(snapshot.indexes[of], of, lookup.text, against(among), found.probe)
    return { ...found, fused: guarded(found.fused, guard) }
  }
  const whole = find(need.whole, kind, admitted)
  const guard = guardFor(snapshot.indexes[kind], kind, need.whole.text, against(admitted), whole.probe)
  const facets = need.facets.map((facet) => look(facet, kind, admitted))
  const tools = kind === 'agent' && settings.liftShare > 0 ? look(need.whole, 'tool', null) : undefined
  const lifts = tools
    ? liftOf(snapshot.indexes.agent, snapshot.indexes.tool, tools.fused)
    : new Map<number, Lift>()
  const mixed = guarded(mixFacets(whole.fused, facets, settings.facetShare), guard)
  const documents = new Set(mixed.keys())
  for (const document of lifts.keys())
    if (admitted === null || admitted[document] === 1) documents.add(document)

  const ranked = [...documents].map((document): RankedCard => {
    const lift = lifts.get(document)
    const own = mixed.get(document) ?? 0
    const added = lift ? settings.liftShare * lift.score : 0
    const score = lifts.size === 0 ? own : (1 - settings.liftShare) * own + added
    return {
      document,
      score,
      lexical: whole.lexical.get(document),
      dense: whole.dense.get(document),
      lift: lift && added > 0 ? { ...lift, share: added / score } : undefined,
      facets: facets.map(({ fused }) => fused.get(document) ?? 0),
    }
  })
  return {
    withheld: (document) => 1 - guard(document),
    cards: ranked.sort((a, b) => b.score - a.score || b.document - a.document),
    answerable: answerableBy(whole, facets, tools && lifts.size > 0 ? { tools, lifts } : undefined),
  }
}

function answerableBy(
  whole: Retrieved,
  steps: readonly Retrieved[],
  lifted: { readonly tools: Retrieved; readonly lifts: ReadonlyMap<number, Lift> } | undefined,
): number | undefined {
  if (whole.answerable === undefined) return undefined
  const ofSteps = steps.reduce((sum, { answerable = 0 }) => sum + answerable, 0) / Math.max(1, steps.length)
  return Math.max(whole.answerable, ofSteps, lifted ? answerableByTools(lifted) : 0)
}

/** As far as the tools that serve belong to an agent. */
function answerableByTools({
  tools,
  lifts,
}: {
  readonly tools: Retrieved
  readonly lifts: ReadonlyMap<number, Lift>
}): number {
  const best = Math.max(...tools.fused.values())
  const owned = Math.max(...[...lifts.values()].map(({ score }) => score))
  return best > 0 ? (tools.answerable ?? 0) * Math.min(1, owned / best) : 0
}

/** The whole query decides most; a card that serves one step well gets its share from that step. */
function mixFacets(whole: ScoreList, facets: readonly Retrieved[], share: number): ScoreList {
  if (facets.length === 0 || share === 0) return whole
  const mixed = new Map([...whole].map(([document, score]) => [document, (1 - share) * score]))
  const bestStep = new Map<number, number>()
  for (const { fused } of facets) {
    for (const [document, score] of fused)
      bestStep.set(document, Math.max(bestStep.get(document) ?? 0, score))
  }
  for (const [document, score] of bestStep) mixed.set(document, (mixed.get(document) ?? 0) + share * score)
  return minMax(mixed, 0)
}
