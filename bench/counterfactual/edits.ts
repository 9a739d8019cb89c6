import type { AgentCard, ToolCard } from '../../src/domain/card.ts'

/** What an edit does to an agent that is right for a request. */
export const edits = {
  'swap the needed tool': 'its surest needed tool gives way to an irrelevant one',
  'remove the needed tool': 'its surest needed tool is gone',
  'drop a secondary tool': 'another needed tool is gone',
  'add an irrelevant tool': 'one more tool, the last that a search for tools ranks',
  'add a redundant tool': 'one more tool, the best ranked that is not needed',
  'swap the backbone': 'the second best backbone in place of the best',
} as const

export type Edit = keyof typeof edits

/** Of the right agent and of each edit. */
export type Scores = { readonly [variant in Edit | 'full']: number }

/** An agent that is right for a request, by what it is made of. */
export type Ideal = {
  /** Best first. */
  readonly backbones: readonly string[]
  /** All that the request needs, the surest first; at least two. */
  readonly needed: readonly ToolCard[]
  readonly irrelevant: ToolCard
  readonly redundant: ToolCard
}

/** The tools of the right agent and of its edits. */
export function toolsOf({ needed, irrelevant, redundant }: Omit<Ideal, 'backbones'>): {
  readonly [variant in Edit | 'full']: readonly ToolCard[]
} {
  const [key, ...others] = needed
  return {
    full: needed,
    'swap the needed tool': [irrelevant, ...others],
    'remove the needed tool': others,
    'drop a secondary tool': [key!, ...others.slice(1)],
    'add an irrelevant tool': [...needed, irrelevant],
    'add a redundant tool': [...needed, redundant],
    'swap the backbone': needed,
  }
}

/** The right agent and its edits, as cards that differ in that alone. */
export function variantsOf(query: string, ideal: Ideal): ReadonlyMap<Edit | 'full', AgentCard> {
  const [best, second] = ideal.backbones
  return new Map(
    Object.entries(toolsOf(ideal)).map(([variant, tools]) => [
      variant as Edit | 'full',
      agentOf(`${query} ${variant}`, variant === 'swap the backbone' ? second! : best!, tools),
    ]),
  )
}

/** A profile of a backbone and tools, without words of its own: names differ in nothing. */
export const agentOf = (key: string, backbone: string | null, tools: readonly ToolCard[]): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id: `profiles/${key}`,
  source: 'profiles',
  name: 'assistant',
  description: '',
  examples: [],
  tags: [],
  policy: {},
  backbone: backbone === null ? null : { name: backbone },
  tools: tools.map(({ name, description, id }) => ({ name, description, id })),
  provenance: { reader: 'bench', location: 'counterfactual' },
})
