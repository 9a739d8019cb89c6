import type { SearchAnswer } from '../../retrieval/answer.ts'
import { rank } from '../open-audition.ts'
import type { ListedTool } from '../rank.ts'

/** What a search among the tools of a host gave. */
export type FoundTools<Tool extends ListedTool = ListedTool> = Pick<SearchAnswer, 'match' | 'note'> & {
  /** Best first. They are there even where `match` is `none`: then they are the nearest, and `note` says that nothing fits. */
  readonly tools: readonly Tool[]
}

/** Finds tools among those that a host has: the engine behind every adapter. */
export type ToolSearch = <Tool extends ListedTool>(
  tools: readonly Tool[],
  query: string,
  options: { readonly k: number; readonly signal?: AbortSignal | undefined },
) => Promise<FoundTools<Tool>>

/** What every adapter takes. */
export type HostSearchOptions = {
  /** Most tools of one search. Integer 1..100. @defaultValue 5 */
  readonly k?: number
  /** Who searches. @defaultValue `searchInMemory` */
  readonly search?: ToolSearch
}

/** Ranks the host's list by the model that ships with the package: no store, no setting, no network. */
export const searchInMemory: ToolSearch = async (tools, query, { k, signal }) => {
  const { tools: ranked, match, note } = await rank(tools, query, { k, ...(signal && { signal }) })
  return { tools: ranked.map(({ tool }) => tool), match, note }
}

/** A search with an adapter's options filled in, for tools of whatever form: `listed` says of each what is ranked. */
export async function findAmong<Own>(
  own: readonly Own[],
  listed: (own: Own) => ListedTool,
  {
    query,
    signal,
    k = 5,
    search = searchInMemory,
  }: HostSearchOptions & { readonly query: string; readonly signal?: AbortSignal | undefined },
): Promise<Omit<FoundTools, 'tools'> & { readonly tools: readonly Own[] }> {
  if (own.length === 0) return { tools: [], match: 'none', note: 'There are no tools to find.' }
  if (query.trim() === '')
    return { tools: [], match: 'none', note: 'Say in plain words what has to be done.' }
  const among = own.map((one) => ({ ...listed(one), own: one }))
  const { tools, match, note } = await search(among, query, { k, signal })
  return { tools: tools.map((tool) => tool.own), match, note }
}

/** The request in what a model gave a search tool, whichever form its SDK hands over. */
export function queryOf(given: unknown): string {
  const input: unknown = typeof given === 'string' && given.startsWith('{') ? readJson(given) : given
  const query = typeof input === 'object' && input !== null ? (input as { query?: unknown }).query : input
  return typeof query === 'string' ? query : ''
}

/** What a text of JSON says; any other text as it is. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** How a search tool is told to a model. */
export const searchTool = {
  name: 'find_tools',
  description:
    'Finds tools by what they do. Say in plain words what has to be done, naming the system if you know it. ' +
    'The tools that are found can be called from your next step on.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What has to be done, in plain words.' } },
    required: ['query'],
    additionalProperties: false,
  },
} as const

/** What a model reads of a search, where its host does not show the tools by itself. */
export const describedTools = ({
  tools,
  match,
  note,
}: FoundTools): { readonly tools: readonly object[]; readonly note?: string } => ({
  tools: tools.map(({ name, description = '' }) => ({ name, description })),
  ...(match === 'good' || note === '' ? {} : { note }),
})

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
