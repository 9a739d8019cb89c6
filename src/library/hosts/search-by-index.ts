import type { Card } from '../../domain/card.ts'
import type { AuditionLibrary } from '../open-audition.ts'
import type { ListedTool } from '../rank.ts'
import { searchInMemory, type ToolSearch } from './tool-search.ts'

/** How deep in the index the host's tools are looked for: what stands behind that is ranked as the list says it. */
const depth = 100

/**
 * Searches the user's index, so that what worked when it was run comes first, and keeps what the host has. Tools of the host that the
 * index does not name for this request follow, ranked in memory.
 *
 * A tool of the host is known by its name: the tool's own, or with its server's before it, as hosts write it (`mcp__server__tool`,
 * `server_tool`, `server/tool` …).
 */
export function searchByIndex(audition: Pick<AuditionLibrary, 'search'>): ToolSearch {
  return async (tools, query, { k, signal }) => {
    const [indexed, listed] = await Promise.all([
      audition.search({ kind: 'tool', query, k: depth, pack: 'ranking' }, signal),
      searchInMemory(tools, query, { k: depth, signal }),
    ])
    const here = toolsByName(tools)
    const found = indexed.candidates.flatMap(({ card }) =>
      namesOf(card).flatMap((name) => here.get(name) ?? []),
    )
    const first = indexed.candidates[0]
    const isFirstHere = first !== undefined && namesOf(first.card).some((name) => here.has(name))
    const { match, note } = isFirstHere ? indexed : listed
    return { tools: [...new Set([...found, ...listed.tools])].slice(0, k), match, note }
  }
}

function toolsByName<Tool extends ListedTool>(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  const byName = new Map<string, Tool[]>()
  for (const tool of tools) byName.set(bare(tool.name), [...(byName.get(bare(tool.name)) ?? []), tool])
  return byName
}

/** A tool of that name alone is taken for any server's: lists of one server have no prefixes. */
function namesOf(card: Card): readonly string[] {
  const server = card.kind === 'tool' ? card.server : undefined
  return server === undefined ? [bare(card.name)] : [bare(`${server} ${card.name}`), bare(card.name)]
}

/** A name without what hosts put around and between its parts. */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^mcp[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
