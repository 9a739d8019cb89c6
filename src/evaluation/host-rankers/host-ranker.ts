/** A tool of the list that a host searches: as `tools/list` gives it, and what hosts know beside that. */
export type SearchedTool = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema?: object | undefined
  /** `_meta["anthropic/searchHint"]`, which Claude Code reads. */
  readonly searchHint?: string | undefined
  /** The name under which the host has the tool's server. */
  readonly server?: string | undefined
}

/** A tool that a search gave: where it stands in the list, from 0, and its score. */
export type RankedPlace = { readonly index: number; readonly score: number }

/** Searches the list it was made over: best first, and only what was found. */
type ListSearch = (query: string) => Promise<readonly RankedPlace[]>

/** A published way in which a host or SDK searches tools. */
export type HostRanker = {
  /** As it is chosen, for example `claude-code`. */
  readonly name: string
  /** As people are told of it. */
  readonly title: string
  /** Reads a list once, to be asked again and again. */
  over(tools: readonly SearchedTool[]): ListSearch
}

/** Tools with a score above 0, best first; equal scores stand in the order of the list. */
export function foundOf(scores: readonly number[]): readonly RankedPlace[] {
  return scores
    .map((score, index) => ({ index, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

/** Runs of letters and digits in small letters; `getUserById` gives get, user, by, id. */
export const plainWords = (text: string): readonly string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
