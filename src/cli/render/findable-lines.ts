import { type Column, tableLines } from './table.ts'
import type { Output } from '../terminal.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Findability, ToolFindability } from '../../evaluation/findability/findability.ts'
import type { Measured } from '../../evaluation/findability/places.ts'

/** Tools shown; the others are in --json. */
const shownTools = 20

/** For people: each host, the tools that are found worst first, what is confused, what helps. */
export function findableLines(result: Findability, output: Output): readonly string[] {
  const { paint } = output
  const { hosts, tools } = tablesOf(result)
  const right = (title: string): Column => ({ title, align: 'right' })
  const columns = (head: readonly string[]): readonly Column[] =>
    head.map((title, index) => (index === 0 ? { title, paint: paint.cyan } : right(title)))
  return [
    headLine(result),
    '',
    ...tableLines(columns(hosts.head), hosts.rows, output),
    '',
    ...tableLines(columns(tools.head), tools.rows, output),
    paint.dim(tools.note),
    ...section(
      'Confused',
      confusionsOf(result).map(({ pair, why }) => `${pair}: ${why}`),
    ),
    ...section(
      'Suggested, and measured on requests that they were not made of',
      suggestionsOf(result).flatMap(({ what, text, gain }) => [what, `  ${text}`, `  ${gain}`]),
    ),
    ...result.notes.flatMap((note) => ['', paint.dim(`Note: ${note}`)]),
  ]
}

/** The same as Markdown, for a comment on a pull request. What tools say stands as code: it is words of others. */
export function findableMarkdown(result: Findability, min: number | undefined): readonly string[] {
  const { hosts, tools } = tablesOf(result)
  const below = result.hosts.filter(({ hit5 }) => min !== undefined && hit5 * 100 < min)
  const said = below.length === 0 ? 'reached' : `missed in ${below.map(({ title }) => title).join(', ')}`
  const named = (rows: Table['rows']) => rows.map(([first = '', ...rest]) => [code(first), ...rest])
  return [
    '### Will hosts find these tools?',
    '',
    `${headLine(result)}${min === undefined ? '' : ` Wanted: hit@5 of ${min}, ${said}.`}`,
    '',
    ...markdownTable({ head: hosts.head, rows: hosts.rows }),
    '',
    ...markdownTable({ head: tools.head, rows: named(tools.rows) }),
    '',
    tools.note,
    ...section(
      '**Confused**',
      confusionsOf(result, code).map(({ pair, why }) => `- ${pair}: ${why}`),
    ),
    ...section(
      '**Suggested, and measured on requests that they were not made of**',
      suggestionsOf(result, code).map(({ what, text, gain }) => `- ${what}: ${text}<br>${gain}`),
    ),
    ...result.notes.flatMap((note) => ['', `_${note}_`]),
  ]
}

type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
type Shown = (text: string) => string

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, '', ...lines]

function headLine({ tools, requests, among }: Findability): string {
  const written = { given: 'as given', 'by a model': 'written by a model', generated: 'generated' }
  const others = among === 0 ? 'alone' : `among ${among} of other servers`
  return `${countOf(tools.length, 'tool')} ${others}, ${countOf(requests.count, 'request')} ${written[requests.written]}.`
}

function tablesOf({ hosts, tools }: Findability) {
  const asked = tools
    .filter(({ requests }) => requests > 0)
    .map((tool) => ({ tool, worst: Math.min(...Object.values(tool.hosts).map(({ mrr }) => mrr)) }))
    .sort((a, b) => a.worst - b.worst)
    .map(({ tool }) => tool)
  const more = asked.length - Math.min(asked.length, shownTools)
  const cell = ({ hosts: of }: ToolFindability, name: string) => figuresOf(of[name]!).join(' / ')
  return {
    hosts: {
      head: ['host', 'hit@1', 'hit@5', 'MRR'],
      rows: hosts.map((host) => [host.title, ...figuresOf(host)]),
    },
    tools: {
      head: ['tool', 'requests', ...hosts.map(({ title }) => title)],
      rows: asked
        .slice(0, shownTools)
        .map((tool) => [
          printableLine(tool.tool),
          String(tool.requests),
          ...hosts.map(({ name }) => cell(tool, name)),
        ]),
      note: `hit@1 / hit@5 / MRR, the worst first${more > 0 ? `; ${more} more are in --json` : ''}. Hosts show a model the first five.`,
    },
  }
}

const figuresOf = ({ hit1, hit5, mrr }: Measured): readonly string[] => [
  (hit1 * 100).toFixed(0),
  (hit5 * 100).toFixed(0),
  mrr.toFixed(2),
]

const confusionsOf = ({ confusions, hosts }: Findability, shown: Shown = printableLine) =>
  confusions.map(({ tool, rival, isOwn, requests, hosts: by, words }) => ({
    pair: `${shown(tool)} stands behind ${shown(rival)}${isOwn ? '' : " (another server's)"}`,
    why: [
      `${countOf(requests.length, 'request')} in ${titlesOf(by, hosts)}`,
      words.length === 0 ? 'no one word causes it' : `because of ${words.map(shown).join(', ')}`,
      `for example ${shown === printableLine ? `"${printableLine(requests[0]!)}"` : shown(requests[0]!)}`,
    ].join('; '),
  }))

const suggestionsOf = ({ suggestions, hosts }: Findability, shown: Shown = printableLine) =>
  suggestions.map(({ tool, helps, field, text, drops, near, ...one }) => ({
    what: `${shown(tool)}, ${field}${drops.length > 0 ? ` without ${drops.map(shown).join(', ')}, for ${shown(helps)}` : ''}`,
    text: shown(text),
    gain: [
      `${titlesOf(one.hosts, hosts)}, ${countOf(one.requests, 'request')}: ${changeOf(one.before, one.after)}`,
      ...(near.requests === 0
        ? []
        : [`${countOf(near.requests, 'request')} of other tools: ${changeOf(near.before, near.after)}`]),
    ].join('; '),
  }))

const changeOf = (before: Measured, after: Measured): string =>
  `hit@5 ${(before.hit5 * 100).toFixed(0)} to ${(after.hit5 * 100).toFixed(0)}, MRR ${before.mrr.toFixed(2)} to ${after.mrr.toFixed(2)}`

const titlesOf = (names: readonly string[], hosts: Findability['hosts']): string =>
  hosts.flatMap(({ name, title }) => (names.includes(name) ? [title] : [])).join(', ')

/** Words of others as Markdown that nothing can break out of. */
function code(text: string): string {
  const line = printableLine(text).replaceAll('`', "'").replaceAll('|', '\\|')
  return line === '' ? '' : `\`${line}\``
}

const markdownTable = ({ head, rows }: Table): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, index) => (index === 0 ? ' --- |' : ' ---: |')).join('')}`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]
