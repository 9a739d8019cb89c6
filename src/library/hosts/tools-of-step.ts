import type { ListedTool } from '../rank.ts'
import { findAmong, type HostSearchOptions, readJson, searchTool } from './tool-search.ts'

/** One step of a conversation, as an adapter reads it. */
type Step<Own> = {
  readonly tools: readonly Own[]
  /** What is ranked of a tool; its name is what the host knows it by. */
  readonly listed: (own: Own) => ListedTool
  /** The newest request of the user; empty where there is none. */
  readonly request: string
  /** Names of tools that were called, or that a search found, in this conversation. */
  readonly known: readonly string[]
}

/** What adapters take that choose the tools of each step. */
export type StepOptions = HostSearchOptions & {
  /** Names of tools that every step shows. */
  readonly always?: readonly string[]
}

/**
 * The tools that a model is shown in one step: the search tool, those it knows already, those that are always there, and the ones
 * nearest to the user's request. Tools once shown stay while they are in use, so that a conversation never loses what it calls.
 */
export async function toolsOfStep<Own>(
  { tools, listed, request, known }: Step<Own>,
  { always = [], ...options }: StepOptions,
): Promise<readonly Own[]> {
  const kept = new Set([searchTool.name, ...always, ...known])
  const near = new Set((await findAmong(tools, listed, { ...options, query: request })).tools)
  return tools.filter((own) => near.has(own) || kept.has(listed(own).name))
}

/** Names in what a search tool answered, read back from a conversation. */
export function namesIn(answer: unknown): readonly string[] {
  const value: unknown = typeof answer === 'string' ? readJson(answer) : answer
  const tools = typeof value === 'object' && value !== null ? (value as { tools?: unknown }).tools : undefined
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: { readonly name?: unknown } | null) =>
    typeof tool?.name === 'string' ? [tool.name] : [],
  )
}
