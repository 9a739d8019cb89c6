import { defined } from '../domain/defined.ts'
import { cardsOfList } from '../catalog/harvest-cards.ts'
import type { Audition } from '../compose/audition.ts'
import type { Card } from '../domain/card.ts'
import type { Problem } from '../domain/problem.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { SearchAnswer, SearchRequest, Signals } from '../retrieval/answer.ts'

/** A tool as MCP's `tools/list` gives it; a name alone is enough. */
export type ListedTool = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema?: object | undefined
  /** JSON Schema of the result. */
  readonly outputSchema?: object | undefined
  /** MCP's hints: `readOnlyHint` and its like. */
  readonly annotations?: object | undefined
}

/** Tools, or the answer to `tools/list` that holds them. */
export type ToolList<Tool extends ListedTool = ListedTool> =
  | readonly Tool[]
  | { readonly tools: readonly Tool[] }

/** How a list is ranked. */
export type RankOptions = Pick<SearchRequest, 'instruction' | 'context' | 'ranker'> & {
  /** Most tools wanted. Integer 1..100. @defaultValue 100 */
  readonly k?: number
  readonly signal?: AbortSignal
}

/** A tool of the list, as it was given, and why it stands where it does. */
export type RankedTool<Tool extends ListedTool = ListedTool> = {
  readonly tool: Tool
  /** Higher is better. Of this request only: scores do not compare across requests. */
  readonly score: number
  readonly signals: Pick<
    Signals,
    'lexical' | 'dense' | 'reading' | 'crossEncoder' | 'coverage' | 'matched' | 'facets'
  >
}

/** What a list holds for a request. */
export type RankedTools<Tool extends ListedTool = ListedTool> = Pick<
  SearchAnswer,
  'match' | 'likelihood' | 'note' | 'facets' | 'ranker'
> & {
  /** Best first. What shares nothing with the request may be absent. */
  readonly tools: readonly RankedTool<Tool>[]
  /** Tools that are malformed, and so were left out. */
  readonly problems: readonly Problem[]
}

/**
 * Ranks tools that lie in memory. Nothing is read or written but the model.
 *
 * @throws RemedyError when it is given no list of tools, ArgumentError when request or options cannot be met
 */
export async function rankWith<Tool extends ListedTool>(
  audition: Pick<Audition, 'searchAmong'>,
  list: ToolList<Tool>,
  { query, k = 100, signal, ...asked }: RankOptions & { readonly query: string },
): Promise<RankedTools<Tool>> {
  const tools = toolsOf(list)
  const { checkArguments } = await import('./checked.ts')
  checkArguments('rank', { ...asked, query, k })
  const { cards, places, problems } = readList(tools)
  const request: SearchRequest = { ...asked, kind: 'tool', query, k, pack: 'ranking' }
  const answer = await audition.searchAmong(cards, request, signal)
  const { candidates, match, likelihood, note, facets, ranker } = answer
  return {
    tools: candidates.map(({ card, score, signals }) => ({
      tool: tools[places.get(card.id)!]!,
      score,
      signals: shownOf(signals),
    })),
    match,
    note,
    facets,
    ranker,
    problems,
    ...defined({ likelihood }),
  }
}

type ReadList = {
  readonly cards: readonly Card[]
  /** Where in the list a card's tool stands. */
  readonly places: ReadonlyMap<string, number>
  readonly problems: readonly Problem[]
}

/** Lists that were read last, by what they say: hosts ask of one list again and again, and often with a new array. */
const readBefore = new Map<string, ReadList>()
const mostKept = 8

function readList(tools: readonly ListedTool[]): ReadList {
  const key = keyOf(tools)
  if (key === null) return freshlyRead(tools)
  const list = readBefore.get(key) ?? freshlyRead(tools)
  readBefore.delete(key)
  readBefore.set(key, list)
  for (const oldest of [...readBefore.keys()].slice(0, -mostKept)) readBefore.delete(oldest)
  return list
}

function freshlyRead(tools: readonly ListedTool[]): ReadList {
  const { cards, problems } = cardsOfList(tools)
  return {
    cards: cards.map(({ card }) => card),
    places: new Map(cards.map(({ card, place }) => [card.id, place])),
    problems,
  }
}

/** All that is read of the tools of a list; null where that cannot be written down. */
function keyOf(tools: readonly ListedTool[]): string | null {
  try {
    return JSON.stringify(tools.map(saidOf))
  } catch {
    return null
  }
}

const saidOf = (tool: ListedTool): unknown =>
  typeof tool === 'object' && tool !== null && !Array.isArray(tool)
    ? [tool.name, tool.title, tool.description, tool.inputSchema, tool.outputSchema, tool.annotations]
    : typeof tool

function toolsOf<Tool extends ListedTool>(list: ToolList<Tool>): readonly Tool[] {
  const tools: unknown = Array.isArray(list) ? list : (list as { readonly tools?: unknown } | null)?.tools
  if (Array.isArray(tools)) return tools
  throw new RemedyError(
    'What is to be ranked is no list of tools.',
    'Give an array of tools, or the answer to tools/list.',
  )
}

const shownOf = ({ lexical, dense, reading, crossEncoder, coverage, matched, facets }: Signals) =>
  defined({ lexical, dense, reading, crossEncoder, coverage, matched, facets })
