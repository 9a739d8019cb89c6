import type { ComposingParts, Shortlister } from '../../src/assembling/ports.ts'
import type { AgentCard, ToolCard } from '../../src/domain/card.ts'
import type { SearchAnswer } from '../../src/retrieval/answer.ts'
import { agentCard, answerOf, scored, toolCard } from '../fakes/sample-cards.ts'

/** What searches find: a list of tools with their probabilities, by the text that is asked. */
export type Script = {
  readonly whole: { readonly [tool: string]: number }
  /** By step; a step without tools is one that nothing here does. */
  readonly steps?: { readonly [step: string]: { readonly [tool: string]: number } }
  readonly agents?: readonly (readonly [agent: AgentCard, score: number])[]
}

/** A tool of the server that its id names. */
export const tool = (id: string): ToolCard => {
  const [source = '', name = ''] = id.split('/')
  return toolCard({ id, source, name, description: `Does ${name}.` })
}

const found = (
  tools: { readonly [tool: string]: number },
  overrides: Partial<SearchAnswer> = {},
): SearchAnswer => ({
  ...answerOf(
    'tool',
    Object.entries(tools)
      .sort(([, a], [, b]) => b - a)
      .map(([id, score]) => scored(tool(id), score)),
  ),
  ranker: 'learned',
  match: Object.keys(tools).length === 0 ? 'none' : 'good',
  ...overrides,
})

/** Composing over what a script finds. */
export function partsOver(
  { whole, steps = {}, agents = [] }: Script,
  overrides: Partial<ComposingParts> = {},
) {
  const facets = Object.keys(steps)
  const parts: ComposingParts = {
    search: async ({ kind, query }) =>
      kind === 'agent'
        ? answerOf(
            'agent',
            agents.map(([agent, score]) => scored(agent, score)),
          )
        : query in steps
          ? found(steps[query]!, { facets: [query] })
          : found(whole, { facets: facets.length > 0 ? facets : [query] }),
    servers: async () => null,
    serverOf: ({ source }) => ({
      name: source,
      entry: { command: 'node', args: [`${source}.js`] },
      variables: [],
    }),
    models: { configured: [], reached: () => null },
    modelScores: async (_, models) => models.map(() => 1),
    shortlister: null,
    ...overrides,
  }
  return parts
}

/** A model that combines as it is told, by places in the shortlist. */
export const combining = (...combinations: readonly (readonly number[])[]): Shortlister => ({
  model: 'test:tiny',
  combine: async () => ({
    combinations: combinations.map((tools) => ({ backbone: null, tools })),
    dropped: 2,
  }),
})

/** An agent that runs on a model. */
export const agentOn = (model: string): AgentCard =>
  agentCard({ id: `agents/on-${model}`, backbone: { name: model, id: `acme/${model}` } })
