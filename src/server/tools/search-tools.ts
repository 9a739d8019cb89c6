import { z } from 'zod'
import type { ScoredCard, SearchAnswer } from '../../retrieval/answer.ts'
import { toolSearchOutput } from '../forms/answer-schemas.ts'
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
import { needText, nameText } from '../answers/texts.ts'
import { defineTool, type ToolAnswer } from './tool.ts'
import { callableTool, type FoundTool, toolForms } from '../forms/tool-forms.ts'

const words = {
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
    checkAdmitted(found, input, words)
    return toolsAnswer(found, input.detail, budgetOf(input))
  },
})

/** Renders found tools within a budget of tokens. */
export function toolsAnswer(found: SearchAnswer, detail: Detail, budget: Budget): ToolAnswer {
  const entries = found.candidates.filter(isTool).map((candidate, at) => toolForms(candidate, at + 1, detail))
  return searchAnswer(found, entries, words, budget)
}

const isTool = (candidate: ScoredCard): candidate is FoundTool => candidate.card.kind === 'tool'
