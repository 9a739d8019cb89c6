import type { ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { detailsOf, field, mcpAnnotations, refused, textOf, textsOf } from '../formats/published-fields.ts'
import { parametersOf } from '../formats/parameters.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'

/**
 * Reads LiveMCPBench's `tools.json`: MCP servers with the tools they listed. Each server becomes a toolkit, each of
 * its tools a tool. Its annotation files hold queries, not tools, and are refused.
 *
 * @see Mo et al., LiveMCPBench, 2025
 */
export const livemcpbench: Reader = {
  name: 'livemcpbench',
  describes: "LiveMCPBench's tools.json: MCP servers with their tools (JSON)",
  grain: 'catalog',
  recognises(document) {
    if (!/"(?:mcpServers|Annotator Metadata)"/.test(document.text)) return false
    const json = document.json()
    return Array.isArray(json) && json.some((entry) => isEntry(entry) || isAnnotation(entry))
  },
  read(document) {
    const json = document.json()
    const entries: readonly unknown[] = Array.isArray(json) ? json : []
    if (!entries.some(isEntry)) return refused(holdsQueries(document))
    const reading: Reading = { document, cards: [], problems: [] }
    for (const [index, entry] of entries.entries()) {
      const path = `[${index}]`
      if (isEntry(entry)) readEntry(reading, path, entry)
      else reading.problems.push(malformed(document, path, 'the entry has no "tools" object'))
    }
    return { cards: reading.cards, servers: [], problems: reading.problems }
  },
}

type Entry = JsonObject & { readonly tools: JsonObject }
type Reading = {
  readonly document: SourceDocument
  readonly cards: CardDraft[]
  readonly problems: Problem[]
}

const isEntry = (value: unknown): value is Entry => isJsonObject(value) && isJsonObject(value.tools)

const isAnnotation = (value: unknown): boolean =>
  isJsonObject(value) && isJsonObject(value['Annotator Metadata'])

function readEntry(reading: Reading, path: string, entry: Entry): void {
  for (const [server, listing] of Object.entries(entry.tools)) {
    const listed = isJsonObject(listing) ? listing.tools : undefined
    if (!Array.isArray(listed)) {
      const field = `${path}.tools.${server}.tools`
      reading.problems.push(malformed(reading.document, field, 'the list of tools is missing'))
      continue
    }
    const tools: ToolReference[] = []
    for (const [index, tool] of listed.entries()) {
      const name = isJsonObject(tool) ? textOf(tool.name) : ''
      if (!isJsonObject(tool) || name === '') {
        const field = `${path}.tools.${server}.tools[${index}].name`
        reading.problems.push(malformed(reading.document, field, 'the tool has no name'))
        continue
      }
      tools.push({ name, ...field('description', textOf(tool.description)) })
      reading.cards.push(toolCard({ entry, server }, name, tool))
    }
    reading.cards.push(toolkitCard(entry, server, tools))
  }
}

function toolCard(
  { entry, server }: { readonly entry: Entry; readonly server: string },
  name: string,
  tool: JsonObject,
): CardDraft {
  const annotations = mcpAnnotations(tool.annotations)
  return {
    kind: 'tool',
    key: `${server}/${name}`,
    name,
    ...field('title', textOf(tool.title)),
    description: textOf(tool.description),
    examples: [],
    tags: textsOf(entry.category),
    ...field('publisher', textOf(entry.organization)),
    server,
    parameters: parametersOf(tool.inputSchema),
    ...(isJsonObject(tool.inputSchema) ? { inputSchema: tool.inputSchema } : {}),
    ...(isJsonObject(tool.outputSchema) ? { outputSchema: tool.outputSchema } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

function toolkitCard(entry: Entry, server: string, tools: readonly ToolReference[]): CardDraft {
  const listing = entry.tools[server]
  return {
    kind: 'agent',
    agentKind: 'toolkit',
    key: server,
    name: server,
    ...field('title', textOf(entry.name)),
    description: textOf(entry.description),
    examples: [],
    tags: textsOf(entry.category),
    ...field('publisher', textOf(entry.organization)),
    backbone: null,
    tools,
    policy: {},
    ...detailsOf({ repository: entry.web, version: isJsonObject(listing) ? listing.version : '' }),
  }
}

const holdsQueries = (document: SourceDocument): Omit<Problem, 'severity'> => ({
  file: document.label,
  field: '[0].Question',
  message: "these are LiveMCPBench's annotated tasks: queries, not tools",
  remedy: 'Index tools/LiveMCPTool/tools.json instead; the tasks are for evaluation.',
})

const malformed = (document: SourceDocument, path: string, message: string): Problem => ({
  severity: 'error',
  file: document.label,
  field: path,
  message: `${message}; it was left out`,
  remedy: 'Write it as LiveMCPBench does: "tools": { "<server>": { "tools": [{ "name": … }] } }.',
})
