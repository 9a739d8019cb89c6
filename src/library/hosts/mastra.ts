import { z } from 'zod'
import type { ListedTool } from '../rank.ts'
import { schemaOf } from './schema-of.ts'
import {
  findAmong,
  namesIn,
  type StepOptions,
  searchTool,
  describedTools,
  toolsOfStep,
} from './tool-search.ts'

/** A part of a message as Mastra keeps it. */
type Part = {
  readonly type: string
  readonly text?: string
  readonly toolInvocation?: { readonly toolName: string; readonly result?: unknown }
}
type Message = { readonly role: string; readonly content: { readonly parts: readonly unknown[] } }

/**
 * Mastra: an input processor for `new Agent({ inputProcessors })`. At each step it leaves the model the tools that the conversation
 * uses, that a search found, and that are nearest to the user's request, and adds a tool by which the model searches. It looks among
 * all tools that the agent resolved for the request, those of MCP servers too.
 */
export function mastraToolSearch(options: StepOptions = {}) {
  return {
    id: 'audition-tool-search' as const,
    name: 'Audition tool search',
    async processInputStep(step: {
      readonly tools?: Readonly<Record<string, unknown>>
      readonly messages: readonly Message[]
    }): Promise<{ tools: Record<string, unknown> }> {
      const all = step.tools ?? {}
      const names = Object.keys(all).filter((name) => name !== searchTool.name)
      const listed = (name: string): ListedTool => listedOf(name, all[name])
      const shown = await toolsOfStep({ tools: names, listed, ...readMessages(step.messages) }, options)
      const find = async ({ query }: { readonly query: string }): Promise<object> => {
        const found = await findAmong(names, listed, { ...options, query })
        return describedTools({ ...found, tools: found.tools.map(listed) })
      }
      const kept = Object.fromEntries(shown.map((name) => [name, all[name]]))
      return { tools: { ...kept, [searchTool.name]: toolOf(find) } }
    },
  }
}

const toolOf = (execute: (input: { readonly query: string }) => Promise<object>) => ({
  description: searchTool.description,
  inputSchema: z.object({ query: z.string().describe(searchTool.parameters.properties.query.description) }),
  execute,
})

function listedOf(name: string, tool: unknown): ListedTool {
  const { description, inputSchema, parameters } = tool as { readonly [field: string]: unknown }
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: schemaOf(inputSchema ?? parameters),
  }
}

function readMessages(messages: readonly Message[]): {
  readonly request: string
  readonly known: readonly string[]
} {
  const partsOf = (message: Message | undefined) => (message?.content.parts ?? []) as readonly Part[]
  const asked = messages.findLast(({ role }) => role === 'user')
  return {
    request: partsOf(asked)
      .map(({ text = '' }) => text)
      .join('\n'),
    known: messages.flatMap(partsOf).flatMap(({ toolInvocation: call }) => {
      if (call === undefined) return []
      return call.toolName === searchTool.name ? namesIn(call.result) : [call.toolName]
    }),
  }
}
