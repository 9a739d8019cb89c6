import { z } from 'zod'
import type { AgentKind } from '../../domain/card.ts'
import type { ScoredCard, SearchAnswer } from '../../retrieval/answer.ts'
import { type Budget, jsonBytes, tokensOf } from '../answers/fitted-answer.ts'
import { budgetOf, checkAdmitted, searchAnswer } from '../answers/search-answer.ts'
import { agentForms, choosableAgent, type FoundAgent } from '../forms/agent-forms.ts'
import { nameText, needText } from '../forms/schemas.ts'
import { callableTool, type FoundTool, toolForms } from '../forms/tool-forms.ts'
import {
  checkNames,
  type Detail,
  isGiven,
  searchFields,
  sharedFilter,
  sharedRequest,
} from './search-input.ts'
import { defineTool, type ToolAnswer } from './tool.ts'

// Some hosts put these before their model, others leave them out, and every list of tools holds them: what they say is
// true of every answer, and no more than helps to read one. Answers hold fields that are not named here.

const match = z.enum(['good', 'weak', 'none'])
const id = z.string()

const toolSearchOutput = z.looseObject({
  match,
  candidates: z
    .array(
      z.looseObject({
        id,
        inputs: z.string().optional().describe('"?": optional. "…": cut, describe has it.'),
      }),
    )
    .describe('Best first.'),
})

const agentSearchOutput = z.looseObject({
  match,
  candidates: z
    .array(z.looseObject({ id, use: z.string().optional().describe('How it is run.') }))
    .describe('Best first.'),
})

export const describeOutput = z.looseObject({
  cards: z.array(z.looseObject({ id })),
})

const kinds = ['profile', 'subagent', 'skill', 'a2a', 'toolkit', 'listing'] as const satisfies AgentKind[]

const agentWords = {
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
    checkAdmitted(found, input, agentWords)
    return agentsAnswer(found, input.detail, budgetOf(input))
  },
})

/** Renders found agents within a budget of tokens. */
export function agentsAnswer(found: SearchAnswer, detail: Detail, budget: Budget): ToolAnswer {
  const entries = found.candidates
    .filter(isAgent)
    .map((candidate, at) => agentForms(candidate, at + 1, detail))
  return searchAnswer(found, agentWords, { entries, budget })
}

const isAgent = (candidate: ScoredCard): candidate is FoundAgent => candidate.card.kind === 'agent'

const toolWords = {
  plural: 'tools',
  next: 'Call the chosen one on its server.',
  otherwise: 'Say it in other words, name the system, drop filters, or call search_agents.',
  needed: callableTool,
}

/** Finds tools for a need. */
export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Find the tool for a step, among all indexed MCP servers and APIs. Call it before you guess a tool name, when ' +
    'no tool at hand does the job, or to compare tools. One call for one need; a story of several steps is split. ' +
    'Returns candidates with id and inputs; "match" says how sure it is. Call the tool on its server.',
  effect: 'readOnly',
  loading: 'always',
  example: { query: 'list the open issues of a GitHub repository', k: 5 },
  input: z.strictObject({
    query: needText().describe('The need in plain words.'),
    ...searchFields,
    servers: z.array(nameText()).max(50).optional().describe('Only of these MCP servers or APIs.'),
    read_only: z.boolean().optional().describe('Only tools that declare to change nothing.'),
  }),
  output: toolSearchOutput,
  async handle(app, input, { signal }) {
    await checkNames(app, input)
    const filter = {
      ...sharedFilter(input),
      ...(isGiven(input.servers) ? { servers: input.servers } : {}),
      ...(input.read_only === true ? { readOnly: true } : {}),
    }
    const asked = { kind: 'tool' as const, query: input.query, filter, ...sharedRequest(input) }
    const found = await app.search(asked, signal)
    checkAdmitted(found, input, toolWords)
    return toolsAnswer(found, input.detail, budgetOf(input))
  },
})

/** Renders found tools within a budget of tokens. */
export function toolsAnswer(found: SearchAnswer, detail: Detail, budget: Budget): ToolAnswer {
  const entries = found.candidates.filter(isTool).map((candidate, at) => toolForms(candidate, at + 1, detail))
  return searchAnswer(found, toolWords, { entries, budget })
}

const isTool = (candidate: ScoredCard): candidate is FoundTool => candidate.card.kind === 'tool'

/**
 * Estimated tokens of what a host's model gets of an answer when it asks for no detail and sets no budget: of the structured
 * content, which is the whole answer and all that some hosts pass on.
 */
export function answerTokens(found: SearchAnswer): number {
  const budget = budgetOf({ detail: 'standard', k: found.candidates.length })
  const answer = (found.kind === 'tool' ? toolsAnswer : agentsAnswer)(found, 'standard', budget)
  return tokensOf(jsonBytes(answer.structured))
}
