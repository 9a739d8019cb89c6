import { z } from 'zod'
import type { AgentKind } from '../../domain/agent-card.ts'
import type { ScoredCard, SearchAnswer } from '../../retrieval/answer.ts'
import { agentForms, choosableAgent, type FoundAgent } from '../forms/agent-forms.ts'
import { agentSearchOutput } from '../forms/answer-schemas.ts'
import { budgetOf, checkAdmitted, searchAnswer } from '../answers/search-answer.ts'
import {
  checkNames,
  type Detail,
  isGiven,
  searchFields,
  sharedFilter,
  sharedRequest,
} from './search-input.ts'
import type { Budget } from '../answers/fitted-answer.ts'
import { needText } from '../answers/texts.ts'
import { defineTool, type ToolAnswer } from './tool.ts'

const kinds = ['profile', 'subagent', 'skill', 'a2a', 'toolkit', 'listing'] as const satisfies AgentKind[]

const words = {
  plural: 'agents',
  next: 'Run the chosen one as "use" says; describe has its YAML.',
  otherwise: 'Say it in other words, drop filters, or call search_tools and do it yourself.',
  needed: choosableAgent,
}

/** Finds agents able to do a task. */
export const searchAgents = defineTool({
  name: 'search_agents',
  title: 'Search agents',
  description:
    'Find agents able to do a task: runnable profiles, sub-agents, skills, A2A agents, and MCP servers as toolkits. ' +
    'Call it before you delegate a task. Returns candidates with id, tools and how to run them; "match" says how ' +
    'sure it is. Then call describe, and run the agent.',
  effect: 'readOnly',
  loading: 'always',
  example: { task: 'review a lease and list the risky clauses', k: 5 },
  input: z.strictObject({
    task: needText().describe('The whole task in plain words.'),
    ...searchFields,
    kinds: z
      .array(z.enum(kinds))
      .max(kinds.length)
      .optional()
      .describe(
        'Only these: profile runs here, subagent and skill in a host, a2a is remote, toolkit is an MCP server, ' +
          'listing is known by description only.',
      ),
  }),
  output: agentSearchOutput,
  async handle(app, input, { signal }) {
    await checkNames(app, input)
    const filter = {
      ...sharedFilter(input),
      ...(isGiven(input.kinds) ? { agentKinds: input.kinds } : {}),
    }
    const asked = { kind: 'agent' as const, query: input.task, filter, ...sharedRequest(input) }
    const found = await app.search(asked, signal)
    checkAdmitted(found, input, words)
    return agentsAnswer(found, input.detail, budgetOf(input))
  },
})

/** Renders found agents within a budget of tokens. */
export function agentsAnswer(found: SearchAnswer, detail: Detail, budget: Budget): ToolAnswer {
  const entries = found.candidates
    .filter(isAgent)
    .map((candidate, at) => agentForms(candidate, at + 1, detail))
  return searchAnswer(found, entries, words, budget)
}

const isAgent = (candidate: ScoredCard): candidate is FoundAgent => candidate.card.kind === 'agent'
