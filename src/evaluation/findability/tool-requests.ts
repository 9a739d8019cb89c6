import { namesInLine } from '../../domain/text/names-in-line.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { DatasetError } from '../datasets/dataset.ts'
import { numberedLinesOf, openFile } from '../datasets/files.ts'
import type { SearchedTool } from '../host-rankers/host-ranker.ts'

/** What somebody asks for, and the tools that serve it, by their places in the list of one's own. */
export type ToolRequest = { readonly text: string; readonly tools: readonly number[] }

/** A request of a file, with the names that it gives to the tools. */
type WrittenRequest = { readonly where: string; readonly text: string; readonly names: readonly string[] }

/**
 * Requests of a file: JSON Lines, or a YAML or JSON list, of `{ request, tool }`. The tool goes by its name, by `server/name`, or is a list of
 * such. So a file is read before the server is started that has the tools.
 *
 * @throws DatasetError that names the line (or the entry, of a list) that is wrong
 */
export function writtenRequests(path: string): readonly WrittenRequest[] {
  const requests = recordsOf(path).map(({ where, record }) => {
    const text = typeof record.request === 'string' ? record.request.trim() : ''
    if (text === '') throw new DatasetError(`${where}: "request" is no text.`, form)
    const names: readonly unknown[] = Array.isArray(record.tool) ? record.tool : [record.tool]
    if (!areNames(names)) throw new DatasetError(`${where}: "tool" is no text.`, form)
    return { where, text, names }
  })
  if (requests.length === 0) throw new DatasetError(`${path}: no request is in it.`, form)
  return requests
}

const areNames = (names: readonly unknown[]): names is readonly string[] =>
  names.every((name) => typeof name === 'string' && name !== '')

/**
 * The same for the tools that they name. A request that comes again is one, and all its tools serve it.
 *
 * @throws DatasetError for a name that no tool has
 */
export const requestsFor = (
  tools: readonly SearchedTool[],
  written: readonly WrittenRequest[],
): readonly ToolRequest[] =>
  joinedRequests(
    written.map(({ where, text, names }) => ({
      text,
      tools: names.flatMap((name) => placesOf(name, tools, where)),
    })),
  )

/** Requests of one text are one, which all their tools serve. */
export function joinedRequests(requests: readonly ToolRequest[]): readonly ToolRequest[] {
  const joined = new Map<string, Set<number>>()
  for (const { text, tools } of requests) {
    const right = joined.get(text) ?? new Set()
    for (const tool of tools) right.add(tool)
    joined.set(text, right)
  }
  return [...joined].map(([text, right]) => ({ text, tools: [...right] }))
}

const form =
  'Write {"request": "what somebody asks", "tool": "name_of_the_tool"}, one a line, or a YAML list of such.'

function recordsOf(path: string): readonly { readonly where: string; readonly record: JsonObject }[] {
  if (!/\.(?:ya?ml|json)$/i.test(path)) {
    return numberedLinesOf(path).map(({ line, record }) => ({ where: `${path}, line ${line}`, record }))
  }
  const list = openFile(path).yaml()
  if (!Array.isArray(list)) throw new DatasetError(`${path}: not a list.`, form)
  return list.map((record: unknown, index) => {
    const where = `${path}, entry ${index + 1}`
    if (isJsonObject(record)) return { where, record }
    throw new DatasetError(`${where}: not a request with its tool.`, form)
  })
}

function placesOf(named: string, tools: readonly SearchedTool[], where: string): readonly number[] {
  const found = tools.flatMap((tool, index) =>
    tool.name === named || fullNameOf(tool) === named ? [index] : [],
  )
  if (found.length > 0) return found
  const names = tools.map(({ name }) => name)
  const closest = closestIds(names, named, 3)
  throw new DatasetError(
    `${where}: no tool "${named}".`,
    closest.length > 0 ? `Closest names: ${closest.join(', ')}.` : `There are: ${namesInLine(names, 8)}.`,
  )
}

/** A tool's name with its server's before it. */
export const fullNameOf = ({ server, name }: SearchedTool): string =>
  server === undefined ? name : `${server}/${name}`
