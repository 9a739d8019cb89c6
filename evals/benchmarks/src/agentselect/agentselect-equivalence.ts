import type { Equivalence } from '../../../../src/evaluation/datasets/dataset.ts'
import { normalisedText } from '../../../../src/evaluation/equivalence.ts'

/**
 * Which agents of AgentSelect can do the same. The benchmark gives an agent with a toolkit and one that adds a backbone
 * to the same toolkit two ids, and calls one of them wrong. The paper leaves open what counts as equal; ours is the set
 * of tools, whatever the backbone and the order, and for agents without tools the backbone.
 */
export const sameCapability: Equivalence = {
  describes: 'agents with the same tools, whatever their backbone; without tools, with the same backbone',
  classOf(card) {
    if (card.kind !== 'agent') return undefined
    if (card.tools.length > 0) {
      const names = card.tools.map(({ name }) => normalisedText(name))
      return JSON.stringify(['tools', ...[...new Set(names)].sort()])
    }
    if (card.backbone === null) return undefined
    return JSON.stringify(['backbone', normalisedText(card.backbone.id ?? card.backbone.name)])
  },
}
