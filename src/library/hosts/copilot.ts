import { findAmong, type HostSearchOptions, queryOf, searchTool, describedTools } from './tool-search.ts'

/** What the Copilot SDK tells of a tool that the session has. */
type CurrentTool = {
  name: string
  description: string
  input_schema?: object
  mcpServerName?: string
}

/** The name of the search that Copilot has built in. */
const builtIn = 'tool_search_tool'

/**
 * GitHub Copilot SDK: a tool for `createSession({ tools })` that takes the place of Copilot's own tool search. It is given the live
 * list of the session with every call, those of MCP servers too; Copilot then loads what it names.
 */
export function copilotToolSearch(options: HostSearchOptions = {}) {
  return {
    name: builtIn,
    overridesBuiltInTool: true,
    skipPermission: true,
    defer: 'never' as const,
    description: searchTool.description,
    parameters: searchTool.parameters as unknown as Record<string, unknown>,
    async handler(
      given: unknown,
      { availableTools = [], signal }: { availableTools?: CurrentTool[]; signal?: AbortSignal },
    ) {
      const others = availableTools.filter(({ name }) => name !== builtIn)
      const query = queryOf(given)
      const found = await findAmong(others, listedOf, { ...options, query, signal })
      return {
        textResultForLlm: JSON.stringify(describedTools(found)),
        resultType: 'success' as const,
        toolReferences: found.tools.map(({ name }) => name),
      }
    },
  }
}

const listedOf = ({ name, description, input_schema }: CurrentTool) => ({
  name,
  description,
  inputSchema: input_schema,
})
