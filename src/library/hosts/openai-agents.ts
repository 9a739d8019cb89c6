import { schemaOf } from './schema-of.ts'
import { findAmong, type HostSearchOptions, queryOf, searchTool } from './tool-search.ts'

/** What is read of a tool of an agent: only functions are deferred. */
type AgentsTool = {
  readonly type: string
  readonly name?: string
  readonly description?: string
  readonly parameters?: unknown
  readonly deferLoading?: boolean
}

/**
 * OpenAI Agents JS: the options of `toolSearchTool`, by which the runner executes the search. It looks among the agent's functions
 * with `deferLoading: true`.
 */
export function openAIAgentsToolSearch(options: HostSearchOptions = {}) {
  return {
    execution: 'client' as const,
    description: searchTool.description,
    parameters: searchTool.parameters,
    async execute<Tool extends AgentsTool>(asked: {
      readonly availableTools: readonly Tool[]
      readonly toolCall: { readonly arguments?: unknown }
    }): Promise<Tool[]> {
      const deferred = asked.availableTools.filter(
        (tool) => tool.type === 'function' && tool.deferLoading === true,
      )
      const listed = ({ name = '', description, parameters }: Tool) => ({
        name,
        description,
        inputSchema: schemaOf(parameters),
      })
      const query = queryOf(asked.toolCall.arguments)
      return [...(await findAmong(deferred, listed, { ...options, query })).tools]
    },
  }
}
