import type { ListedTool } from '../rank.ts'
import { findAmong, type HostSearchOptions, queryOf, searchTool } from './tool-search.ts'

/** A function as the Responses API takes it. */
type FunctionTool = {
  type: 'function'
  name: string
  description?: string | null
  parameters: { [key: string]: unknown } | null
  strict: boolean | null
  defer_loading?: boolean
}

/** The definition that a model is shown once a search found it, from a tool as MCP lists it. */
export function toOpenAITool({ name, description, inputSchema }: ListedTool): FunctionTool {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: { ...(inputSchema ?? { type: 'object', properties: {} }) },
    strict: false,
    defer_loading: true,
  }
}

type Group = { readonly name: string; readonly description: string }

/**
 * OpenAI's Responses API with a `tool_search` that the client executes: put `tool` into `tools`, and what `answer` gives for each item
 * of type `tool_search_call` into the next `input`. Nothing else of the catalog is sent. `namespace` puts all that is found into one
 * namespace, by which the model then calls it.
 */
export function openAIToolSearch<Tool extends FunctionTool>(
  tools: readonly Tool[],
  { namespace, ...options }: HostSearchOptions & { readonly namespace?: Group } = {},
) {
  const { description, parameters } = searchTool
  return {
    tool: { type: 'tool_search' as const, execution: 'client' as const, description, parameters },
    async answer(call: { readonly call_id?: string | null; readonly arguments: unknown }) {
      const query = queryOf(call.arguments)
      const { tools: found } = await findAmong(tools, listedOf, { ...options, query })
      return {
        type: 'tool_search_output' as const,
        execution: 'client' as const,
        call_id: call.call_id ?? null,
        status: 'completed' as const,
        tools: namespace === undefined || found.length === 0 ? [...found] : [grouped(namespace, found)],
      }
    },
  }
}

const grouped = <Tool>({ name, description }: Group, found: readonly Tool[]) => ({
  type: 'namespace' as const,
  name,
  description,
  tools: [...found],
})

const listedOf = ({ name, description, parameters }: FunctionTool): ListedTool => ({
  name,
  description: description ?? undefined,
  inputSchema: parameters ?? undefined,
})
