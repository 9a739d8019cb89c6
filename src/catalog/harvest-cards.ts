import { namesInLine } from '../domain/text/names-in-line.ts'
import { type JsonObject, isJsonObject } from '../domain/json.ts'
import type { McpRuntime } from '../domain/runtime.ts'
import type { ToolCard } from '../domain/card.ts'
import { displayOf } from './server-entries.ts'
import { longestName } from './identity.ts'
import { parametersOf } from './formats/parameters.ts'
import type { CardDraft, Harvest, McpServerEntry, Problem } from './ports.ts'
import { detailsOf, field, mcpAnnotations, textOf } from './formats/published-fields.ts'

/** JSON nested deeper than this cannot be a schema that anyone obeys, and is a danger to what walks it. */
const deepestNesting = 100

/**
 * Cards of what a live server answered: one per tool, in its order, and one toolkit that owns them, so that a search
 * for agents finds the server. A malformed tool is left out and reported; a malformed part of a tool is dropped and
 * reported as a warning.
 *
 * @returns drafts whose keys are the tools' names, and for the toolkit the entry's name
 */
export const cardsOfHarvest = (entry: McpServerEntry, { server, tools }: Harvest): ToolCards =>
  cardsOfTools(
    { name: entry.name, runtime: runtimeOf(entry), said: server },
    tools.map((tool, index) => ({ where: `tools[${index}]`, tool })),
    { file: `${entry.config}#${entry.name}`, remedy: 'Tell the makers of the server.' },
  )

type ToolCards = { readonly cards: CardDraft[]; readonly problems: Problem[] }

/** A tool as a server lists it, and where: `tools[3]`. */
export type HarvestedTool = { readonly where: string; readonly tool: unknown }

/** A server: what it is called here, how it is called where that is known, and what it says of itself. */
type Server = { readonly name: string; readonly runtime?: McpRuntime; readonly said?: Harvest['server'] }

/**
 * The same for a list that was written down.
 *
 * @param report - the file that problems name, and what to do about them
 */
export function cardsOfTools(
  server: Server,
  listed: readonly HarvestedTool[],
  report: Pick<Problem, 'file' | 'remedy'>,
): ToolCards {
  const problems: Problem[] = []
  const names = new Set<string>()
  const of = { server: server.name, ...(server.runtime === undefined ? {} : { runtime: server.runtime }) }
  const tools = listed.flatMap(({ where, tool }) => {
    const tell: Report = (severity, path, message) =>
      problems.push({ severity, field: `${where}${path}`, message, ...report })
    if (!isJsonObject(tool)) {
      tell('error', '', 'is no object')
      return []
    }
    const draft = toolDraft(tool, of, tell)
    if (draft === undefined) return []
    if (names.has(draft.name)) {
      tell('error', '.name', `"${draft.name}" is listed twice; the first one is kept`)
      return []
    }
    names.add(draft.name)
    return [draft]
  })
  return { cards: [...tools, toolkitDraft(server, tools)], problems }
}

type Report = (severity: Problem['severity'], path: string, message: string) => void
type ToolDraft = Extract<CardDraft, { readonly kind: 'tool' }>

/**
 * A tool as `tools/list` gives it; undefined when it is malformed, which is reported.
 *
 * @param of - the server that lists it, and how it is called there; nothing for a list without a server
 */
function toolDraft(
  tool: JsonObject,
  of: Pick<ToolDraft, 'server' | 'runtime'>,
  report: Report,
): ToolDraft | undefined {
  const refuse = (path: string, message: string): undefined => {
    report('error', path, message)
  }
  const name = textOf(tool.name)
  if (name === '') return refuse('.name', 'has no name')
  if (name.length > longestName) return refuse('.name', `is longer than ${longestName} characters`)
  if (nestsDeeperThan(deepestNesting, tool))
    return refuse('', `"${name}" nests deeper than ${deepestNesting} levels`)
  if (!isAbsent(tool.inputSchema) && !isJsonObject(tool.inputSchema)) {
    return refuse('.inputSchema', `"${name}" has an input schema that is no object`)
  }
  if (!isAbsent(tool.description) && typeof tool.description !== 'string') {
    return refuse('.description', `"${name}" has a description that is no text`)
  }
  if (isAbsent(tool.inputSchema)) {
    report('warning', '.inputSchema', `"${name}" has no input schema; taken as a tool without inputs`)
  }
  const annotations = mcpAnnotations(tool.annotations)
  const annotated = isJsonObject(tool.annotations) ? textOf(tool.annotations.title) : ''
  return {
    kind: 'tool',
    name,
    ...field('title', textOf(tool.title) || annotated),
    description: textOf(tool.description),
    examples: [],
    tags: [],
    ...field('server', of.server ?? ''),
    parameters: parametersOf(tool.inputSchema),
    ...(isJsonObject(tool.inputSchema) ? { inputSchema: tool.inputSchema } : {}),
    ...outputSchemaOf(tool, name, report),
    ...(annotations === undefined ? {} : { annotations }),
    ...(of.runtime === undefined ? {} : { runtime: of.runtime }),
  }
}

function outputSchemaOf(
  tool: JsonObject,
  name: string,
  report: Report,
): { readonly outputSchema?: JsonObject } {
  if (isAbsent(tool.outputSchema)) return {}
  if (isJsonObject(tool.outputSchema)) return { outputSchema: tool.outputSchema }
  report('warning', '.outputSchema', `"${name}" has an output schema that is no object; dropped`)
  return {}
}

function toolkitDraft({ name, runtime, said }: Server, tools: readonly ToolDraft[]): CardDraft {
  const title = textOf(said?.title) || (said?.name === name ? '' : textOf(said?.name))
  return {
    kind: 'agent',
    agentKind: 'toolkit',
    key: name,
    name,
    ...field('title', title),
    description: textOf(said?.instructions) || describedByTools(name, tools),
    examples: [],
    tags: [],
    backbone: null,
    tools: tools.map(({ name, description }) => ({ name, ...field('description', description) })),
    policy: {},
    ...(runtime === undefined ? {} : { runtime }),
    ...detailsOf({ server: said?.name, version: said?.version }),
  }
}

/** Few servers describe themselves: then the names of their tools say what they are for. */
export function describedByTools(server: string, tools: readonly { readonly name: string }[]): string {
  if (tools.length === 0) return `MCP server ${server} without tools.`
  const names = tools.map(({ name }) => name)
  return `MCP server ${server} with the tools ${namesInLine(names, 30)}.`
}

function runtimeOf({ name, config, launch }: McpServerEntry): McpRuntime {
  return { kind: 'mcp', transport: launch.transport, config, server: name, display: displayOf(launch) }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Walks by hand: a hostile value could be nested deeper than the call stack is. */
function nestsDeeperThan(limit: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

/** The source of cards that lie in no store. */
const source = 'list'

/** A card of a list, and which of its tools that is, from 0. */
type ListedCard = { readonly card: ToolCard; readonly place: number }

/**
 * Cards of tools in a list, as `tools/list` gives them or with less. The list may join those of several servers, so equal names
 * stay apart. A malformed tool is left out and reported; it may have no schema, which then is no news.
 */
export function cardsOfList(tools: readonly unknown[]): {
  readonly cards: readonly ListedCard[]
  readonly problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const cards = tools.flatMap((tool, place): readonly ListedCard[] => {
    const refuse = (path: string, message: string): void => {
      problems.push({ severity: 'error', file: source, field: `tools[${place}]${path}`, message, remedy })
    }
    if (!isJsonObject(tool)) {
      refuse('', 'is no object')
      return []
    }
    const draft = toolDraft(tool, {}, (severity, path, message) => {
      if (severity === 'error') refuse(path, message)
    })
    if (draft === undefined) return []
    // Equal scores stand by id, descending: so what comes first in the list stands first.
    const id = `${source}/${String(tools.length - place).padStart(9, '0')}`
    const provenance = { reader: 'tools-list', location: source }
    return [{ card: { ...draft, id, source, provenance }, place }]
  })
  return { cards, problems }
}

const remedy = 'Mend the tool, or leave it out of the list.'
