import { cardsOfTools, type HarvestedTool } from '../../catalog/harvest-cards.ts'
import type { SourceDocument } from '../../catalog/ports.ts'
import { listedTools, mcpToolsList } from '../../catalog/readers/mcp-tools-list.ts'
import { isJsonObject } from '../../domain/json.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { SearchedTool } from '../host-rankers/host-ranker.ts'
import { jsonLinesOf } from '../datasets/files.ts'
import { defined } from '../../domain/defined.ts'

/**
 * The tools of a file with what a server answered to `tools/list`; undefined for any other file.
 *
 * @throws RemedyError as {@link ownTools}, and for a line that cannot be read
 */
export function toolsOfFile(document: SourceDocument, server: string): readonly SearchedTool[] | undefined {
  if (!mcpToolsList.recognises(document)) return undefined
  const { tools, problems } = listedTools(document)
  const [problem] = problems
  if (problem !== undefined)
    throw new RemedyError(`${document.label}: ${problem.field} ${problem.message}.`, problem.remedy)
  return ownTools(tools, { place: document.label, server })
}

/**
 * Tools as hosts search them. What is malformed is refused, for a host might drop it without a word.
 *
 * @param place - how to name the list to people
 * @param server - the name under which hosts have the server
 * @throws RemedyError for no tools, or a tool that is malformed
 */
export function ownTools(
  listed: readonly HarvestedTool[],
  { place, server }: { readonly place: string; readonly server: string },
): readonly SearchedTool[] {
  const remedy = 'Mend the tool, or leave it out.'
  const { cards, problems } = cardsOfTools({ name: server }, listed, { file: place, remedy })
  const problem = problems.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw new RemedyError(`${place}: ${problem.field} ${problem.message}.`, remedy)
  const tools = cards.filter((card) => card.kind === 'tool')
  if (tools.length === 0)
    throw new RemedyError(`${place}: no tool is listed.`, 'Give a server, or a list, that has tools.')
  return tools.map(({ name, title, description, inputSchema }, index) => {
    return defined({ name, server, description, title, inputSchema, searchHint: hintOf(listed[index]?.tool) })
  })
}

function hintOf(tool: unknown): string | undefined {
  const meta = isJsonObject(tool) ? tool._meta : undefined
  const hint = isJsonObject(meta) ? meta['anthropic/searchHint'] : undefined
  return typeof hint === 'string' ? hint.replace(/\s+/g, ' ').trim() : undefined
}

/** The 200 tools of 30 servers that ship with the package, as somebody may have them beside one's own. */
export const typicalCatalog = (path: string): readonly SearchedTool[] =>
  jsonLinesOf(path) as unknown as readonly SearchedTool[]
