import type { RankedPlace, HostRanker, SearchedTool } from '../host-rankers/host-ranker.ts'
import type { ToolRequest } from './tool-requests.ts'

/** Where a tool stands for a request that it serves. */
export type ToolPlace = {
  readonly request: ToolRequest
  /** The tool, by its place in the list of one's own. */
  readonly tool: number
  /** From 1, other tools that serve the request left out; null when it was not found. */
  readonly rank: number | null
  /** The tools before it that do not serve the request, by their places in the whole list; at most {@link shownFirst}. */
  readonly ahead: readonly number[]
  /** The first tools of the whole list, whatever they serve. */
  readonly first: readonly number[]
}

const shownFirst = 10

/** Tools of one's own behind those of others: where scores are equal, others stand first. */
export type RankedList = {
  readonly all: readonly SearchedTool[]
  /** How many are others'. */
  readonly others: number
  /** Waited for after each request. */
  readonly onAsked?: () => Promise<void>
}

/** Where the tools stand for their requests, by one ranker, in the order of the requests. */
export async function placesBy(
  ranker: HostRanker,
  { all, others, onAsked }: RankedList,
  requests: readonly ToolRequest[],
): Promise<readonly ToolPlace[]> {
  const search = ranker.over(all)
  const places: ToolPlace[] = []
  for (const request of requests) {
    const found = await search(request.text)
    for (const tool of request.tools) places.push(placeOf(found, { request, tool, others }))
    await onAsked?.()
  }
  return places
}

type Wanted = { readonly request: ToolRequest; readonly tool: number; readonly others: number }

function placeOf(found: readonly RankedPlace[], { request, tool, others }: Wanted): ToolPlace {
  const at = found.findIndex(({ index }) => index === others + tool)
  const before = (at < 0 ? found : found.slice(0, at))
    .map(({ index }) => index)
    .filter((index) => !request.tools.includes(index - others))
  return {
    request,
    tool,
    rank: at < 0 ? null : before.length + 1,
    ahead: before.slice(0, shownFirst),
    first: found.slice(0, shownFirst).map(({ index }) => index),
  }
}

/** Means over places: the shares that stand first and among the first five, which is what hosts show, and of 1/rank. */
export type Measured = { readonly hit1: number; readonly hit5: number; readonly mrr: number }

export function measured(places: readonly Pick<ToolPlace, 'rank'>[]): Measured {
  const mean = (value: (rank: number) => number) =>
    places.reduce((sum, { rank }) => sum + (rank === null ? 0 : value(rank)), 0) / Math.max(1, places.length)
  return {
    hit1: mean((rank) => (rank === 1 ? 1 : 0)),
    hit5: mean((rank) => (rank <= 5 ? 1 : 0)),
    mrr: mean((rank) => 1 / rank),
  }
}
