import type { Backbone } from '../domain/card.ts'
import type { SearchAnswer } from '../retrieval/answer.ts'
import type { CallableModel, CallableModels } from './ports.ts'

/** A backbone that a profile may get, and what it is worth in the task; see `modelEstimates`. */
export type BackboneEvidence = CallableModel & { readonly score: number }

/** Most backbones of a composition. */
const mostBackbones = 10

/**
 * The models that profiles may be made with: those that are configured, and those that agents of the catalog name and that can be called
 * under the same keys.
 *
 * @param agents - found for the task
 * @returns configured ones first, and how many that agents name cannot be called
 */
export function backbonesFor(
  models: CallableModels,
  agents: Pick<SearchAnswer, 'candidates'>,
): { readonly backbones: readonly CallableModel[]; readonly unreached: number } {
  const { configured } = models
  const byName = new Map(configured.map((model) => [keyOf(model.backbone), model]))
  const unreached = new Set<string>()
  if (configured.length > 0)
    for (const { card } of agents.candidates) {
      if (card.kind !== 'agent' || card.backbone === null) continue
      const model = models.reached(card.backbone)
      if (model === null) unreached.add(keyOf(card.backbone))
      else if (!byName.has(keyOf(model.backbone))) byName.set(keyOf(model.backbone), model)
    }
  return { backbones: [...byName.values()].slice(0, mostBackbones), unreached: unreached.size }
}

const keyOf = ({ id, name }: Backbone): string => id ?? name

/** What the worst backbone may take from a score: small, since a task fails sooner for want of a tool. */
const backboneShare = 0.15

/** The factor of each backbone in the score of a profile: 1 for the best, less by how much worse another is. */
export function backboneFactors(backbones: readonly BackboneEvidence[]): readonly number[] {
  const best = Math.max(...backbones.map(({ score }) => score))
  return backbones.map(({ score }) => 1 - backboneShare * Math.min(1, best - score))
}
