import type { AgentCard, Card } from '../../domain/card.ts'
import { describedByTools } from '../../catalog/harvest-cards.ts'

/** A tool that is held, and the card that stands in its place: null where none does. */
export type HeldTool = { readonly card: Card; readonly pinned: Card | null }

/**
 * An agent as it may be searched while some tools of its source are held: its list of tools shows what is in search, and
 * nothing of what is not, since names and descriptions of tools are read like any other text. A description that is made
 * of the tools' names is made anew.
 *
 * @returns the same object when it owns none of them
 */
export function settleOwner<C extends Card>(card: C, held: readonly HeldTool[]): C {
  if (card.kind !== 'agent' || held.length === 0) return card
  const agent: AgentCard = card
  const byName = new Map(held.map((tool) => [tool.card.name, tool]))
  if (!agent.tools.some(({ id, name }) => id !== undefined && byName.has(name))) return card
  const tools = agent.tools.flatMap((tool): AgentCard['tools'] => {
    const one = tool.id === undefined ? undefined : byName.get(tool.name)
    if (one === undefined) return [tool]
    if (one.pinned === null) return []
    const { id, name, description } = one.pinned
    return [{ name, ...(description === '' ? {} : { description }), id }]
  })
  const isOurs = agent.description === describedByTools(agent.name, agent.tools)
  return { ...card, tools, ...(isOurs ? { description: describedByTools(agent.name, tools) } : {}) }
}
