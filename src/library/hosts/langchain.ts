import type { ListedTool } from '../rank.ts'
import { schemaOf } from './schema-of.ts'
import {
  findAmong,
  namesIn,
  queryOf,
  type StepOptions,
  searchTool,
  describedTools,
  toolsOfStep,
} from './tool-search.ts'

/** What is read of a tool of LangChain. */
type LangChainTool = { readonly name: string; readonly description?: string; readonly schema?: unknown }

/** What is read of a message; `content` is text or blocks. */
type Message = {
  readonly type: string
  readonly name?: string | undefined
  readonly content: unknown
  readonly tool_calls?: readonly { readonly name: string }[] | undefined
}

/**
 * LangChain JS 1: a middleware that shows the model only the tools that the conversation uses, that a search found, and that are
 * nearest to the user's request, and a tool by which the model searches. LangChain's own `tool` and `createMiddleware` make both.
 *
 * @param tools - those that are searched; what the agent has besides them is always shown
 */
export function langchainToolSearch(tools: readonly LangChainTool[], options: StepOptions = {}) {
  const searched = new Set(tools.map(({ name }) => name))
  return {
    /** What `tool` takes beside the function. */
    definition: { name: searchTool.name, description: searchTool.description, schema: searchTool.parameters },
    find: async (given: unknown): Promise<string> => {
      const found = await findAmong(tools, listedOf, { ...options, query: queryOf(given) })
      return JSON.stringify(describedTools({ ...found, tools: found.tools.map(listedOf) }))
    },
    wrapModelCall: async <
      Request extends { readonly tools: readonly unknown[]; readonly messages: readonly Message[] },
      Answer,
    >(
      request: Request,
      handler: (request: Request) => Answer,
    ): Promise<Awaited<Answer>> => {
      const shown = await toolsOfStep({ tools, listed: listedOf, ...readMessages(request.messages) }, options)
      const names = new Set(shown.map(({ name }) => name))
      const isShown = (tool: unknown): boolean => {
        const { name } = tool as { readonly name?: unknown }
        return typeof name !== 'string' || !searched.has(name) || names.has(name)
      }
      return await handler({ ...request, tools: request.tools.filter(isShown) })
    },
  }
}

const listedOf = ({ name, description, schema }: LangChainTool): ListedTool => ({
  name,
  description,
  inputSchema: schemaOf(schema),
})

function readMessages(messages: readonly Message[]): {
  readonly request: string
  readonly known: readonly string[]
} {
  return {
    request: textOf(messages.findLast(({ type }) => type === 'human')?.content),
    known: messages.flatMap(({ type, name, content, tool_calls = [] }) =>
      type === 'tool' && name === searchTool.name
        ? namesIn(textOf(content))
        : tool_calls.map((call) => call.name),
    ),
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : []
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}
