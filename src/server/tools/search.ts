import { z } from 'zod'
import type { AgentKind } from '../../domain/card.ts'
import {
  filterForHere,
  kindsNeverRun,
  type Reached,
  type ReachedAnswer,
  reachedAnswer,
} from '../asking/reached.ts'
import { chosenBackbone } from '../answers/chosen-backbone.ts'
import { type AnswerBudget, jsonBytes, tokensOf } from '../answers/fitted-answer.ts'
import { budgetOf, checkAdmitted, searchAnswer } from '../answers/search-answer.ts'
import { agentForms, choosableAgent, type FoundAgent } from '../forms/agent-forms.ts'
import { nameText, needText } from '../schemas.ts'
import { callableTool, type FoundToolCard, toolForms } from '../forms/tool-forms.ts'
import {
  checkNames,
  type Detail,
  isGiven,
  searchFields,
  sharedFilter,
  sharedRequest,
} from '../search-input.ts'
import { askedByNobody, defineTool, type ServedAnswer } from '../tool.ts'

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
    'sure it is.',
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
      .describe('Only these; toolkit: MCP server, listing: known by description only.'),
  }),
  output: agentSearchOutput,
  async handle(app, input, { signal, asking }) {
    await checkNames(app, input)
    const asks = (await asking?.()) ?? askedByNobody
    const filter = {
      ...sharedFilter(input),
      ...(isGiven(input.kinds) ? { agentKinds: input.kinds } : {}),
      ...(input.reach === 'here' ? await filterForHere(app, asks, input.sources) : {}),
    }
    const asked = { kind: 'agent' as const, query: input.task, filter, ...sharedRequest(input) }
    const all = await app.search(asked, signal)
    checkAdmitted(all, input, agentWords)
    const never = isGiven(input.kinds) ? new Set<AgentKind>() : kindsNeverRun(all, asks)
    const agentKinds = kinds.filter((kind) => !never.has(kind))
    const found =
      never.size === 0 ? all : await app.search({ ...asked, filter: { ...filter, agentKinds } }, signal)
    const lacks =
      never.size === 0
        ? ''
        : `Left out, since ${asks.asker?.host.title} cannot run them: ${[...never].join(', ')}.`
    const noted = { ...found, note: [found.note, lacks].filter((part) => part !== '').join(' ') }
    const reached = await reachedAnswer(app, noted, asks)
    const backbone = await chosenBackbone(app, reached.candidates, input.task)
    return agentsAnswer(
      offering(reached, { calls: asks.calls, backbone }),
      input.detail,
      budgetOf(input, noted),
    )
  },
})

/** Where no agent surely fits, one may be put together; where tools are called through us, by the user. */
function offering(
  found: ReachedAnswer,
  { calls, backbone }: { readonly calls: boolean; readonly backbone: string },
): ReachedAnswer {
  const composed = calls ? 'Or the user runs `audition compose`.' : 'Or compose_agent puts one together.'
  const offers = [backbone, found.match === 'good' ? '' : composed].filter((part) => part !== '')
  return offers.length === 0 ? found : { ...found, offer: offers.join(' ') }
}

/** Renders found agents within a budget of tokens. */
export function agentsAnswer(found: ReachedAnswer, detail: Detail, budget: AnswerBudget): ServedAnswer {
  const entries = found.candidates
    .filter(isAgent)
    .map((candidate, at) => agentForms(candidate, at + 1, detail))
  return searchAnswer(found, agentWords, { entries, budget })
}

const isAgent = (candidate: Reached): candidate is FoundAgent => candidate.card.kind === 'agent'

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
    'no tool at hand does the job, or to compare tools. A story of several steps is split. ' +
    'Returns candidates with id and inputs; "match" says how sure it is, "call" the exact name to call.',
  effect: 'readOnly',
  loading: 'always',
  example: { query: 'list the open issues of a GitHub repository', k: 5 },
  input: z.strictObject({
    query: needText().describe('The need in plain words.'),
    ...searchFields,
    detail: z
      .enum(['brief', 'standard', 'signatures', 'full'])
      .default('standard')
      .describe('signatures: TypeScript; full: JSON schemas, signals.'),
    servers: z.array(nameText()).max(50).optional().describe('Only of these servers.'),
    read_only: z.boolean().optional().describe('Only tools that say they only read.'),
  }),
  output: toolSearchOutput,
  async handle(app, input, { signal, asking }) {
    await checkNames(app, input)
    const asks = (await asking?.()) ?? askedByNobody
    const filter = {
      ...sharedFilter(input),
      ...(input.reach === 'here' ? await filterForHere(app, asks, input.sources) : {}),
      ...(isGiven(input.servers) ? { servers: input.servers } : {}),
      ...(input.read_only === true ? { readOnly: true } : {}),
    }
    const asked = { kind: 'tool' as const, query: input.query, filter, ...sharedRequest(input) }
    const found = await app.search(asked, signal)
    checkAdmitted(found, input, toolWords)
    return toolsAnswer(await reachedAnswer(app, found, asks), input.detail, budgetOf(input, found))
  },
})

/** Renders found tools within a budget of tokens. */
export function toolsAnswer(found: ReachedAnswer, detail: Detail, budget: AnswerBudget): ServedAnswer {
  const entries = found.candidates.filter(isTool).map((candidate, at) => toolForms(candidate, at + 1, detail))
  return searchAnswer(found, toolWords, { entries, budget })
}

const isTool = (candidate: Reached): candidate is FoundToolCard => candidate.card.kind === 'tool'

/**
 * Estimated tokens of what a host's model gets of an answer when it asks for no detail and sets no budget: of the structured
 * content, which is the whole answer and all that some hosts pass on.
 */
export function answerTokens(found: ReachedAnswer): number {
  const budget = budgetOf({ detail: 'standard' }, found)
  const answer = (found.kind === 'tool' ? toolsAnswer : agentsAnswer)(found, 'standard', budget)
  return tokensOf(jsonBytes(answer.structured))
}
