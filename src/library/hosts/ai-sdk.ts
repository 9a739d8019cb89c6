import { z } from 'zod'
import type { ListedTool } from '../rank.ts'
import { schemaOf } from './schema-of.ts'
import {
  findAmong,
  type HostSearchOptions,
  namesIn,
  type StepOptions,
  searchTool,
  describedTools,
  toolsOfStep,
} from './tool-search.ts'

/** AI SDK 7: what `toolSearch({ search })` calls with the deferred tools, for their names, best first. */
export function aiSdkSearch(options: HostSearchOptions = {}) {
  return async ({
    query,
    tools,
  }: {
    readonly query: string
    readonly tools: readonly ListedTool[]
  }): Promise<string[]> =>
    (await findAmong(tools, (tool) => tool, { ...options, query })).tools.map(({ name }) => name)
}

/** What is read of a tool of the AI SDK. */
type AiSdkTool = { readonly description?: unknown; readonly inputSchema?: unknown }
type Message = { readonly role: string; readonly content: unknown }

/**
 * AI SDK 6, which has no tool search: a tool that searches, and a `prepareStep` that shows at each step only the tools that the
 * conversation uses, that a search found, and that are nearest to the user's request. Give both to `generateText` or `streamText`.
 */
export function aiSdkSteps<Tools extends { readonly [name: string]: AiSdkTool }>(
  tools: Tools,
  options: StepOptions = {},
) {
  const names = Object.keys(tools)
  const listed = (name: string): ListedTool => listedOf(name, tools[name])
  const findTools = {
    description: searchTool.description,
    inputSchema: z.object({ query: z.string().describe(searchTool.parameters.properties.query.description) }),
    execute: async (
      { query }: { query: string },
      { abortSignal }: { abortSignal?: AbortSignal | undefined } = {},
    ) => {
      const found = await findAmong(names, listed, { ...options, query, signal: abortSignal })
      return describedTools({ ...found, tools: found.tools.map(listed) })
    },
  }
  return {
    tools: { ...tools, [searchTool.name]: findTools } as Tools & { readonly find_tools: typeof findTools },
    prepareStep: async ({ messages }: { readonly messages: readonly Message[] }) => {
      const step = { tools: names, listed, ...readMessages(messages) }
      return {
        activeTools: [searchTool.name, ...(await toolsOfStep(step, options))] as (
          | keyof Tools
          | 'find_tools'
        )[],
      }
    },
  }
}

function listedOf(name: string, tool: AiSdkTool | undefined): ListedTool {
  const description = typeof tool?.description === 'string' ? tool.description : undefined
  return { name, description, inputSchema: schemaOf(tool?.inputSchema) }
}

/** A part of a message, of all forms that the SDK has. */
type Part = {
  readonly type?: unknown
  readonly text?: unknown
  readonly toolName?: unknown
  readonly output?: { readonly value?: unknown }
}

function readMessages(messages: readonly Message[]): {
  readonly request: string
  readonly known: readonly string[]
} {
  const asked = messages.findLast(({ role }) => role === 'user')
  const parts = messages.filter(({ role }) => role !== 'user').flatMap(({ content }) => partsOf(content))
  return {
    request: partsOf(asked?.content)
      .map(({ text }) => (typeof text === 'string' ? text : ''))
      .join('\n'),
    known: parts.flatMap(({ type, toolName, output }) =>
      type === 'tool-call' && typeof toolName === 'string'
        ? [toolName]
        : type === 'tool-result' && toolName === searchTool.name
          ? namesIn(output?.value)
          : [],
    ),
  }
}

const partsOf = (content: unknown): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
