import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { field, textOf } from '../formats/published-fields.ts'
import { isNestedTooDeep } from '../formats/structured-text.ts'
import { cardsOfTools, type HarvestedTool } from '../harvest-cards.ts'
import { catalogName } from '../path-names.ts'
import type { Harvest, Problem, Reader, SourceDocument } from '../ports.ts'

/** Lines looked at to tell the format: an answer to `initialize` and some words of a program may come first. */
const linesToTell = 20

/**
 * Reads what an MCP server answers to `tools/list`: the result, its tools alone, or the whole response, one or an array of them. A
 * file may have one a line, as servers print them: pages of the list, the answer to `initialize`, `data:` of an event stream.
 * The server is called as the file is.
 */
export const mcpToolsList: Reader = {
  name: 'mcp-tools-list',
  describes: 'What an MCP server answers to tools/list: tools, results or responses (JSON, JSON Lines)',
  grain: 'catalog',
  recognises(document) {
    if (!/"tools"\s*:\s*\[|"inputSchema"/.test(document.text)) return false
    for (const { value } of valuesOf(document, linesToTell)) {
      if ((Array.isArray(value) ? value : [value]).some(holdsTools)) return true
    }
    return false
  },
  read(document) {
    const sourceName = catalogName(document.path)
    const { said, tools, problems } = listedTools(document)
    const server = { name: sourceName || 'tools', ...(said === undefined ? {} : { said }) }
    const read = cardsOfTools(server, tools, { file: document.label, remedy })
    return {
      cards: read.cards,
      servers: [],
      problems: [...problems, ...read.problems],
      ...field('sourceName', sourceName),
    }
  },
}

/** The tools of a document, as they stand there, and what is wrong with its lines. */
export function listedTools(document: SourceDocument): Pick<Found, 'said' | 'tools' | 'problems'> {
  const found: Found = { tools: [], problems: [] }
  for (const { where, value } of valuesOf(document)) {
    if (value === undefined) found.problems.push(broken(document.label, where))
    else if (!Array.isArray(value)) take(found, where, value)
    else for (const [at, one] of value.entries()) take(found, `${where}[${at}]`, one)
  }
  if (found.more !== undefined) found.problems.push(unfinished(document.label, found.more))
  return found
}

const remedy = 'Mend the tool in the file, or leave it out.'

type Found = {
  readonly tools: HarvestedTool[]
  readonly problems: Problem[]
  /** What the server says of itself, where its answer to `initialize` is there too. */
  said?: Harvest['server']
  /** Where the page stands that says another follows, as long as none did. */
  more?: string | undefined
}

/** `{"result": …}` gives what is in it; all else is its own result. */
const resultOf = (value: JsonObject): JsonObject => (isJsonObject(value.result) ? value.result : value)

const isTool = (value: unknown): boolean =>
  isJsonObject(value) && typeof value.name === 'string' && isJsonObject(value.inputSchema)

/** A response is told by its envelope, a list by one tool with a schema: lists of other formats have tools too. */
function holdsTools(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { tools } = resultOf(value)
  if (!Array.isArray(tools)) return isTool(value)
  return typeof value.jsonrpc === 'string' || tools.some(isTool)
}

/** Takes the tools of a value; what holds none, such as a notification, gives nothing. */
function take(found: Found, where: string, value: unknown): void {
  const at = (path: string): string => [where, path].filter((part) => part !== '').join(glueOf(where, path))
  if (!isJsonObject(value) || !('tools' in resultOf(value) || 'jsonrpc' in value)) {
    found.tools.push({ where, tool: value })
    return
  }
  const result = resultOf(value)
  const { tools, serverInfo, instructions, nextCursor } = result
  if (isJsonObject(serverInfo)) {
    const { name, title, version } = serverInfo
    const texts = { ...field('title', textOf(title)), ...field('instructions', textOf(instructions)) }
    found.said = { name: textOf(name), version: textOf(version), ...texts }
  }
  if (!Array.isArray(tools)) return
  const path = result === value ? 'tools' : 'result.tools'
  for (const [index, tool] of tools.entries()) found.tools.push({ where: at(`${path}[${index}]`), tool })
  found.more = textOf(nextCursor) === '' ? undefined : at(path.replace('tools', 'nextCursor'))
}

const glueOf = (where: string, path: string): string =>
  path.startsWith('[') ? '' : where.startsWith('line') ? ', ' : '.'

/** The document as one value, or else each line that is meant as JSON: undefined where it is none. */
function* valuesOf(
  document: SourceDocument,
  most = Number.POSITIVE_INFINITY,
): Generator<{ readonly where: string; readonly value: unknown }> {
  const whole = document.json()
  if (whole !== undefined) return yield { where: '', value: whole }
  let line = 0
  for (const text of document.text.split('\n')) {
    line += 1
    if (line > most) return
    const [, json] = /^\s*(?:data:\s*)?([[{].*)$/s.exec(text) ?? []
    if (json !== undefined) yield { where: `line ${line}`, value: parsed(json) }
  }
}

function parsed(json: string): unknown {
  try {
    return isNestedTooDeep(json) ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

const broken = (file: string, where: string): Problem => ({
  severity: 'error',
  file,
  field: where,
  message: 'the line is no JSON',
  remedy: 'Write each response on one line of its own.',
})

const unfinished = (file: string, where: string): Problem => ({
  severity: 'warning',
  file,
  field: where,
  message: 'says that more tools follow, which are not in the file',
  remedy:
    'Ask the server for the next page with this cursor, and put its answer on the next line of the file.',
})
