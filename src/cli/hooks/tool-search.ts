import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { textsIn } from '../../hosts/entry.ts'
import type { Context } from '../context.ts'
import { debug, searchHere } from './search-here.ts'
import { deferredTools, transcriptOf } from './transcript.ts'

/** Most tools that are put before those that the host found. */
const most = 5

/**
 * The host's own matches for a `ToolSearch`, with ours before them. Its own stay, so that nothing is lost: it has tools
 * that no index knows. Ours are told only where this very session defers a tool of that name.
 */
export async function widerMatches(event: JsonObject, context: Context): Promise<JsonObject | undefined> {
  const { tool_name, tool_input, tool_response, agent_id } = event
  // A sub-agent may have fewer tools than its session tells of.
  if (tool_name !== 'ToolSearch' || agent_id !== undefined) return undefined
  if (!isJsonObject(tool_input) || !isJsonObject(tool_response)) return undefined
  const { query, max_results } = tool_input
  if (typeof query !== 'string' || !Array.isArray(tool_response.matches)) return undefined
  const own = textsIn(tool_response.matches)
  const deferred = deferredTools(await transcriptOf(event))
  debug(context, `${deferred.size} deferred tools in the session, ${own.length} found by the host`)
  if (namesTools(query, deferred)) return undefined

  const k = Math.min(most, typeof max_results === 'number' && max_results >= 1 ? max_results : most)
  const { words, required } = wordsOf(query)
  const found = await searchHere({ kind: 'tool', query: words, k: 2 * most }, event, context)
  if (found === undefined || found.answer.match === 'none') return undefined
  const ours = found.usable
    .map(({ call }) => call)
    .filter((call) => deferred.has(call) && required.every((word) => call.toLowerCase().includes(word)))
    .slice(0, Math.trunc(k))
  if (ours.every((name) => own.includes(name))) return undefined
  return { updatedToolOutput: { ...tool_response, matches: [...new Set([...ours, ...own])] } }
}

/** Whether a query is the name of a tool, and no description of one. */
const namesTools = (query: string, deferred: ReadonlySet<string>): boolean => {
  const name = query.trim()
  return (
    /^select:/i.test(name) ||
    (!/\s/.test(name) && [...deferred].some((one) => one === name || one.endsWith(`__${name}`)))
  )
}

/** `+slack send`: of the host's query language, a word that the name must have. */
function wordsOf(query: string): { readonly words: string; readonly required: readonly string[] } {
  const words = query.trim().split(/\s+/)
  return {
    words: words.map((word) => word.replace(/^\+/, '')).join(' '),
    required: words.filter((word) => /^\+./.test(word)).map((word) => word.slice(1).toLowerCase()),
  }
}
