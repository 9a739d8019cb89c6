import type { ListedTool } from '../rank.ts'
import { findAmong, type FoundTools, type HostSearchOptions, queryOf, searchTool } from './tool-search.ts'

/** A tool as the Messages API takes it. */
type ClaudeTool = {
  name: string
  description?: string
  input_schema: { type: 'object'; properties?: unknown; [key: string]: unknown }
}

/** The definition of a tool that MCP lists. */
export function toClaudeTool({ name, description, inputSchema }: ListedTool): ClaudeTool {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { ...inputSchema, type: 'object' },
  }
}

/** Found tools as the content of a tool's result: the API shows the model each of them whole. */
export const toToolReferences = (tools: FoundTools['tools']) =>
  tools.map(({ name }) => ({ type: 'tool_reference' as const, tool_name: name }))

/**
 * Claude's Messages API with a tool search of ours: give `tools` with every request, and what `answer` gives for each `tool_use`
 * of `find_tools`. All tools are sent, and the model is shown those that were found: it has to be sent whatever is referred to.
 */
export function claudeToolSearch<Tool extends ClaudeTool>(
  tools: readonly Tool[],
  options: HostSearchOptions = {},
) {
  const { name, description, parameters } = searchTool
  const { properties, required } = parameters
  const find = {
    name,
    description,
    input_schema: { type: 'object' as const, properties, required: [...required] },
  }
  return {
    tools: [find, ...tools.map((tool) => ({ ...tool, defer_loading: true as const }))],
    async answer(use: { readonly id: string; readonly input: unknown }) {
      const found = await findAmong(tools, listedOf, { ...options, query: queryOf(use.input) })
      const references = toToolReferences(found.tools)
      const content = references.length === 0 ? [{ type: 'text' as const, text: found.note }] : references
      return { type: 'tool_result' as const, tool_use_id: use.id, content }
    },
  }
}

const listedOf = ({ name, description, input_schema }: ClaudeTool): ListedTool => ({
  name,
  description,
  inputSchema: input_schema,
})
