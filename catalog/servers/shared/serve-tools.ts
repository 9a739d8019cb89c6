import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type * as z from 'zod'
import type { CatalogTool } from './tool.ts'

/** One of the bundled servers. */
export type ToolServer = {
  /** The name hosts know it by, for example `audition-calendar`. */
  readonly name: string
  readonly title: string
  /** What a host should know before it calls the tools. */
  readonly instructions: string
  readonly tools: readonly CatalogTool[]
}

/** Serves the tools on stdin and stdout until stdin ends. */
export function serveTools(definition: ToolServer): void {
  serveStdio(() => mcpServer(definition))
}

function mcpServer({ name, title, instructions, tools }: ToolServer): McpServer {
  const server = new McpServer({ name, title, version: '1.0.0' }, { instructions })
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: advertised(tool.input),
        outputSchema: tool.output,
        annotations: {
          title: tool.title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      // What call throws, the server answers as an isError result with the message as its text.
      (argumentsGiven) => {
        const { result, text } = tool.call(argumentsGiven)
        return { content: [{ type: 'text', text }], structuredContent: result }
      },
    )
  }
  return server
}

/** The schema as `tools/list` shows it; the arguments are checked by the tool, whose errors carry an example. */
const advertised = (schema: z.ZodObject) => ({
  '~standard': { ...schema['~standard'], validate: (value: unknown) => ({ value }) },
})
