import type { Audition } from '../../compose/audition.ts'
import type { SourceState } from '../../store/source-state.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { flagLine } from '../answers/flag-fields.ts'
import { shownLocation } from '../answers/machine-paths.ts'
import { oneLine, quoted } from '../answers/quoted-text.ts'
import { sourceUri } from '../answers/source-uri.ts'

/** Rows of a page, at most: it is read by people and models. */
const most = { sources: 100, cards: 200 }

/** The catalog in one page of Markdown: what there is, where it comes from, and what could not be read. */
export async function catalogPage(app: Audition): Promise<string> {
  const sources = [...(await app.sources())].sort(byId)
  const { tools, agents } = await app.counts()
  const rows = sources
    .slice(0, most.sources)
    .map((source) => `| [${cell(source.id)}](${sourceUri(source.id)}) | ${cellsOf(source).join(' | ')} |`)
  return [
    '# Catalog',
    '',
    `${countOf(tools, 'tool')} and ${countOf(agents, 'agent')} of ${countOf(sources.length, 'source')}.`,
    '',
    '| source | tools | agents | from | state |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(sources.length > most.sources ? ['', `${sources.length - most.sources} more sources.`] : []),
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
export async function sourcePage(app: Audition, id: string): Promise<string | null> {
  const source = (await app.sources()).find((one) => one.id === id)
  if (source === undefined) return null
  const start = `${id}/`
  const idsOf = async (kind: 'agent' | 'tool'): Promise<readonly string[]> =>
    (await app.completeIds(start, source.tools + source.agents + 1, kind)).filter((one) =>
      one.startsWith(start),
    )
  const ids = [...(await idsOf('agent')), ...(await idsOf('tool'))]
  const cards = await app.cards(ids.slice(0, most.cards))
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
