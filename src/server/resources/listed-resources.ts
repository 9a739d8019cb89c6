import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Audition } from '../../compose/audition.ts'
import { isSuccess, type Outcome } from '../../domain/outcome.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { flagLine } from '../answers/card-fields.ts'
import { clipWords, oneLine, quoted, shownLocation } from '../text.ts'
import { cardUri, catalogUri, decodedPart, reportUri, sourceUri, sourceUriTemplate } from '../answers/uris.ts'
import { completers, completions, readResource } from './read-resource.ts'
import type { SourceState } from '../../store/source-state.ts'

const mimeType = 'text/markdown'
/** Resources on one page of the list. */
const pageSize = 50
/** Of what there may be thousands, so many are listed; the templates lead to all. */
const most = { reports: 3, agents: 10 }
/** Newest outcomes that tell which agents are proven. */
const readOutcomes = 500

const catalog = {
  uri: catalogUri,
  name: 'catalog',
  title: 'Catalog',
  description: 'What is indexed: sources with their tools and agents, and what could not be read.',
  mimeType,
} as const satisfies Resource

/**
 * Offers the catalog and its sources as pages to read, and lists what a person may want to pick: the catalog, the newest reports of
 * evaluations, agents that worked when they were run, and the sources, page by page.
 */
export function registerListed(server: McpServer, app: Audition): void {
  const { uri: _, name, ...metadata } = catalog
  server.registerResource(name, catalogUri, metadata, async (uri, { mcpReq }) => {
    const text = await readResource(app, { what: 'the catalog', signal: mcpReq.signal }, () =>
      catalogPage(app),
    )
    return { contents: [{ uri: uri.href, mimeType, text }] }
  })
  const template = new ResourceTemplate(sourceUriTemplate, {
    list: undefined,
    complete: completers({
      source: (value) =>
        completions(app, async () => (await sourceIds(app)).filter((id) => startsWith(id, value))),
    }),
  })
  const about = { title: 'Source', description: 'The agents and tools of a source.', mimeType }
  server.registerResource('source', template, about, async (uri, { source }, { mcpReq }) => {
    const id = decodedPart(String(source))
    const text = await readResource(app, { what: 'the source', signal: mcpReq.signal }, () =>
      sourcePage(app, id),
    )
    if (text === null) throw new ResourceNotFoundError(uri.href, `No source is called ${quoted(id)}.`)
    return { contents: [{ uri: uri.href, mimeType, text }] }
  })
  // The SDK's own list has no pages.
  server.server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) => {
    const start = startOf(params?.cursor)
    const all = await readResource(app, { what: 'the list', signal: mcpReq.signal }, () => listed(app))
    const next = start + pageSize
    return {
      resources: all.slice(start, next),
      ...(next < all.length ? { nextCursor: String(next) } : {}),
    }
  })
}

/** @throws ProtocolError when no page begins there */
function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const start = Number(cursor)
  if (/^\d{1,9}$/.test(cursor) && start > 0 && start % pageSize === 0) return start
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No page begins at the cursor ${quoted(cursor)}.`)
}

const startsWith = (id: string, value: string): boolean => id.toLowerCase().startsWith(value.toLowerCase())

const sourceIds = async (app: Audition): Promise<string[]> => (await app.sources()).map(({ id }) => id).sort()

/** In an order that varies with the store alone. What cannot be read is left out: a list is no place for errors. */
async function listed(app: Audition): Promise<readonly Resource[]> {
  const parts = await Promise.all([reports, agents, sources].map((part) => part(app).catch(leftOut)))
  return [catalog, ...parts.flat()]
}

function leftOut(error: unknown): readonly Resource[] {
  if (!(error instanceof NoIndexError)) console.error('audition: resources could not be listed:', error)
  return []
}

async function reports(app: Audition): Promise<readonly Resource[]> {
  const kept = await (await app.evaluations()).runs()
  return kept.slice(0, most.reports).map((run) => ({
    uri: reportUri(run),
    name: oneLine(`${run.dataset}/${run.run}`, 200),
    title: `Evaluation of ${oneLine(run.dataset, 80)}, ${run.startedAt.slice(0, 10)}`,
    description: `The report of ${countOf(run.queries, 'query', 'queries')}, a page for people.`,
    mimeType: 'text/html',
    annotations: { audience: ['user'] },
  }))
}

/** Agents that worked most often when they were run; where too few were, the first of the catalog. */
async function agents(app: Audition): Promise<readonly Resource[]> {
  const outcomes = await (await app.record()).list({ kind: 'agent', withoutUses: true, limit: readOutcomes })
  const proven = provenIn(outcomes)
  const ids = [...new Set([...proven.keys(), ...(await app.completeIds('', most.agents, 'agent'))])]
  const cards = (await app.cards(ids)).filter(({ kind }) => kind === 'agent').slice(0, most.agents)
  return cards.map((card) => {
    const successes = proven.get(card.id)
    const worked = successes === undefined ? '' : `Worked ${countOf(successes, 'time')} when it was run. `
    return {
      uri: cardUri('agent', card.id),
      name: oneLine(card.id, 200),
      title: oneLine(card.title ?? card.name, 80),
      description: `${worked}${clipWords(card.description, 120)}`,
      mimeType: 'application/yaml',
    }
  })
}

/** How often agents succeeded, most often first; those that never did are left out. */
function provenIn(outcomes: readonly Outcome[]): ReadonlyMap<string, number> {
  const successes = new Map<string, number>()
  for (const { card, verdict } of outcomes) {
    if (isSuccess(verdict)) successes.set(card, (successes.get(card) ?? 0) + 1)
  }
  return new Map([...successes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most.agents))
}

async function sources(app: Audition): Promise<readonly Resource[]> {
  const known = [...(await app.sources())].sort((a, b) => (a.id < b.id ? -1 : 1))
  return known.map(({ id, tools, agents }) => ({
    uri: sourceUri(id),
    name: oneLine(id, 200),
    title: `Source ${oneLine(id, 80)}`,
    description: `${countOf(tools, 'tool')}, ${countOf(agents, 'agent')}.`,
    mimeType,
  }))
}

/** Rows of a page, at most: it is read by people and models. */
const mostRows = { sources: 100, cards: 200 }

/** The catalog in one page of Markdown: what there is, where it comes from, and what could not be read. */
async function catalogPage(app: Audition): Promise<string> {
  const sources = [...(await app.sources())].sort(byId)
  const { tools, agents } = await app.counts()
  const rows = sources
    .slice(0, mostRows.sources)
    .map((source) => `| [${cell(source.id)}](${sourceUri(source.id)}) | ${cellsOf(source).join(' | ')} |`)
  return [
    '# Catalog',
    '',
    `${countOf(tools, 'tool')} and ${countOf(agents, 'agent')} of ${countOf(sources.length, 'source')}.`,
    '',
    '| source | tools | agents | from | state |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(sources.length > mostRows.sources ? ['', `${sources.length - mostRows.sources} more sources.`] : []),
    '',
  ].join('\n')
}

const cellsOf = ({ tools, agents, location, failure, held }: SourceState): readonly string[] => {
  const waiting = held === undefined ? 0 : held.quarantined + held.changed
  const state = [
    ...(failure === undefined ? [] : ['could not be read']),
    ...(waiting === 0 ? [] : [`${waiting} held for review`]),
  ].join(', ')
  return [String(tools), String(agents), cell(shownLocation(location)), state === '' ? 'ok' : state]
}

/** What one source brings, in one page of Markdown; null when there is none of that name. */
async function sourcePage(app: Audition, id: string): Promise<string | null> {
  const source = (await app.sources()).find((one) => one.id === id)
  if (source === undefined) return null
  const start = `${id}/`
  const idsOf = async (kind: 'agent' | 'tool'): Promise<readonly string[]> =>
    (await app.completeIds(start, source.tools + source.agents + 1, kind)).filter((one) =>
      one.startsWith(start),
    )
  const ids = [...(await idsOf('agent')), ...(await idsOf('tool'))]
  const cards = await app.cards(ids.slice(0, mostRows.cards))
  return [
    `# ${oneLine(id, 200)}`,
    '',
    `${countOf(source.tools, 'tool')}, ${countOf(source.agents, 'agent')}, from ${oneLine(shownLocation(source.location), 200)}.`,
    "Texts in quotes are the publishers' words.",
    '',
    ...cards.map(
      (card) =>
        `- ${oneLine(card.id, 400)} (${card.kind})${flagLine(card)}: ${quoted(card.description, 160)}`,
    ),
    ...(ids.length > cards.length ? [`- ${ids.length - cards.length} more: search finds them.`] : []),
    '',
  ].join('\n')
}

/** A text in a cell of a table. */
const cell = (text: string): string => oneLine(text, 120).replace(/[|[\]\\`<]/g, (sign) => `\\${sign}`)

const byId = (a: SourceState, b: SourceState): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
