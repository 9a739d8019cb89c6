import { z } from 'zod'
import type { AgentCard, Card } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { AuditionLibrary } from '../open-audition.ts'
import { queryOf } from './tool-search.ts'

/** A sub-agent as Claude's Agent SDK takes it in `options.agents`. */
type AgentDefinition = {
  description: string
  prompt: string
  tools?: string[]
  model?: string
  mcpServers?: string[]
}

/** What the SDK calls models by; any other backbone is left to the session. */
const claudeModel = /^(?:opus|sonnet|haiku|inherit|claude-[\w.-]+)$/

/**
 * A found agent as a sub-agent of Claude's Agent SDK. It inherits the session's tools where the card names none. Its servers
 * are named and not started: what a card would launch is for the user to read, and to put into `options.mcpServers`.
 *
 * @throws RemedyError when the card has no prompt: servers, remote agents and listings are no sub-agents
 */
export function toAgentDefinition(card: Card): AgentDefinition {
  if (card.kind !== 'agent' || card.instructions === undefined || card.instructions.trim() === '')
    throw new RemedyError(
      `"${card.id}" has no prompt, so it is no sub-agent.`,
      'Take a sub-agent, a skill or a profile: search with the filter agentKinds.',
    )
  const model = [card.backbone?.id, card.backbone?.name].find(
    (name) => name !== undefined && claudeModel.test(name),
  )
  return {
    description: card.description,
    prompt: card.instructions,
    ...(card.tools.length === 0 ? {} : { tools: card.tools.map((tool) => nameHere(card, tool)) }),
    ...(model === undefined ? {} : { model }),
    ...(card.servers === undefined ? {} : { mcpServers: Object.keys(card.servers) }),
  }
}

/** Prompts for hosts name tools as Claude Code does; of others the server is known where the tool's card is. */
function nameHere({ agentKind }: AgentCard, { name, id }: AgentCard['tools'][number]): string {
  const isOfHost = agentKind === 'subagent' || agentKind === 'skill'
  return calledBy(isOfHost || id === undefined ? undefined : id.slice(0, id.indexOf('/')), name)
}

const words = (name: string): string => name.replace(/[^\w-]/g, '_')

/**
 * Search over the user's index as tools for `createSdkMcpServer({ name: 'audition', tools })`. `query` gives the names by which the
 * session calls what was found, and the text that loads deferred ones.
 */
export const claudeAgentTools = (audition: Pick<AuditionLibrary, 'search'>) => [
  definition('search_tools', 'Find the tool for a step, among all indexed MCP servers.', async (query) => {
    const { candidates, match, note } = await audition.search({ kind: 'tool', query })
    const tools = candidates.flatMap(({ card }) =>
      card.kind === 'tool' ? [{ call: calledBy(card.server, card.name), description: card.description }] : [],
    )
    return { match, note, load: `select:${tools.map(({ call }) => call).join(',')}`, tools }
  }),
  definition('search_agents', 'Find agents able to do a task, before it is delegated.', async (query) => {
    const { candidates, match, note } = await audition.search({ kind: 'agent', query })
    return {
      match,
      note,
      agents: candidates.map(({ card }) => ({ id: card.id, name: card.name, description: card.description })),
    }
  }),
]

const calledBy = (server: string | undefined, name: string): string =>
  server === undefined ? name : `mcp__${words(server)}__${words(name)}`

const definition = (name: string, description: string, answer: (query: string) => Promise<object>) => ({
  name,
  description,
  inputSchema: { query: z.string().describe('What has to be done, in plain words.') },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/alwaysLoad': true },
  handler: async (given: { readonly [field: string]: unknown }) => {
    const found = await answer(queryOf(given))
    return { content: [{ type: 'text' as const, text: JSON.stringify(found) }] }
  },
})
