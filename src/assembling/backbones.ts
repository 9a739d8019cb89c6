import type { Backbone } from '../domain/card.ts'
import type { SearchAnswer } from '../retrieval/answer.ts'
import type { CallableModel, CallableModels } from './ports.ts'

/** A backbone that a profile may get, and what speaks for it. */
export type BackboneEvidence = CallableModel & {
  /** How well the best agent of the catalog that runs on it fits the task, against the best of all: 0..1. */
  readonly fit: number
}

/** Most backbones of a composition. */
const mostBackbones = 10

/**
 * The models that profiles are made with: the configured one, which the user chose, and those that agents of the catalog name and that can
 * be called under the same key. A backbone scores as its best agent.
 *
 * @param agents - found for the task; their track records have been weighed
 * @returns best first, and how many that agents name cannot be called
 * @see AgentSelect, ICML 2026, online composition
 */
export function backbonesFor(
  models: CallableModels,
  agents: Pick<SearchAnswer, 'candidates'>,
): { readonly backbones: readonly BackboneEvidence[]; readonly unreached: number } {
  const { configured } = models
  if (configured === null) return { backbones: [], unreached: 0 }
  const best = Math.max(1e-9, ...agents.candidates.map(({ score }) => score))
  const byName = new Map<string, BackboneEvidence>([[keyOf(configured.backbone), { ...configured, fit: 1 }]])
  const unreached = new Set<string>()
  for (const { card, score } of agents.candidates) {
    if (card.kind !== 'agent' || card.backbone === null) continue
    const model = models.reached(card.backbone)
    if (model === null) unreached.add(keyOf(card.backbone))
    else if (!byName.has(keyOf(model.backbone)))
      byName.set(keyOf(model.backbone), { ...model, fit: score / best })
  }
  return { backbones: [...byName.values()].slice(0, mostBackbones), unreached: unreached.size }
}

const keyOf = ({ id, name }: Backbone): string => id ?? name

/** What agents that run on a backbone, and its price, may take from a score. Small: neither says much of a task. */
const [fitShare, priceShare] = [0.1, 0.05]

/** The factor of each backbone in the score of a profile, 0..1: how its best agent fits, less what it costs against the dearest. */
export function backboneFactors(backbones: readonly BackboneEvidence[]): readonly number[] {
  const dearest = Math.max(0, ...backbones.map(({ price = 0 }) => price))
  return backbones.map(
    ({ fit, price = 0 }) => 1 - fitShare * (1 - fit) - (dearest === 0 ? 0 : priceShare * (price / dearest)),
  )
}
