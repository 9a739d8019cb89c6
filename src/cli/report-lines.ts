import type { IndexReport, SourceReport } from '../app.ts'
import { countOf } from '../domain/count-of.ts'
import { printableLine } from '../domain/printable.ts'
import { shellWord } from '../domain/shell-word.ts'
import { problemLines } from './problem-lines.ts'
import { tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/** Problems shown; the rest are counted. */
const shownProblems = 20

/** An index run for people: a row per source, then failures, problems and the sum. */
export function reportLines(
  report: IndexReport,
  output: Output,
  { mode, platform }: { readonly mode: 'written' | 'dryRun'; readonly platform: string },
): readonly string[] {
  const { paint } = output
  const problems = [...report.problems, ...report.sources.flatMap((source) => source.problems)]
  const shown = problemLines(problems, output, shownProblems)
  const parts: readonly (readonly string[])[] = [
    sourceTable(report.sources, output),
    report.sources.flatMap(failureLines(paint.red, paint.dim)),
    shown.length === 0 ? [] : [paint.bold(countOf(problems.length, 'problem')), ...shown],
    notAskedLine(report.sources),
    mode === 'dryRun' ? report.sources.flatMap((source) => foundLines(source, output)) : [],
    [sumLine(report, mode), ...bundledLine(report)],
    report.sources.flatMap((source) => heldLine(source, output, { mode, platform })),
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** Whether a source, a part of one, or a place that was named could not be read. */
export const hasFailure = ({ sources, problems }: IndexReport): boolean =>
  sources.some(({ failure, unread }) => failure !== undefined || unread !== undefined) ||
  problems.some(({ severity }) => severity === 'error')

function sourceTable(sources: readonly SourceReport[], output: Output): readonly string[] {
  const { paint } = output
  const columns = [
    { title: 'source', paint: paint.cyan },
    { title: 'added', align: 'right' },
    { title: 'changed', align: 'right' },
    { title: 'unchanged', align: 'right' },
    { title: 'removed', align: 'right' },
    { title: 'state', least: 8 },
    { title: 'location', least: 12 },
  ] as const
  const rows = sources.map((source) => [
    printableLine(source.source),
    ...[source.added, source.changed, source.unchanged, source.removed].map(String),
    stateOf(source),
    printableLine(source.location),
  ])
  return tableLines(columns, rows, output)
}

function stateOf({ failure, problems, notAsked }: SourceReport): string {
  if (failure !== undefined) return 'failed'
  if (notAsked) return 'not asked'
  return problems.length === 0 ? 'ok' : countOf(problems.length, 'problem')
}

/** Servers that nobody wanted to be started are no problem, and their tools are missing or old all the same. */
function notAskedLine(sources: readonly SourceReport[]): readonly string[] {
  const { length } = sources.filter(({ notAsked }) => notAsked)
  return length === 0
    ? []
    : [
        `Not asked for tools, as --no-harvest says: ${countOf(length, 'MCP server')}. What was read of them before stays.`,
      ]
}

const failureLines =
  (red: (text: string) => string, dim: (text: string) => string) =>
  ({ source, failure, unchanged }: SourceReport): readonly string[] =>
    failure === undefined
      ? []
      : [
          `${red('failed')}  ${printableLine(source)}: ${printableLine(failure.message)}`,
          dim(`        ${printableLine(failure.remedy)}${unchanged > 0 ? ' Its old cards stay.' : ''}`),
        ]

/** Findings and held changes of one source that a dry run lists; the rest are counted. */
const shownFindings = 10

function foundLines({ findings = [], changes = [] }: SourceReport, { paint }: Output): readonly string[] {
  const lines = [
    ...findings.flatMap(({ card, findings: found }) =>
      found.map(({ severity, rule, field, message }) => {
        const mark = severity === 'hard' ? paint.red('quarantine') : paint.yellow('flag      ')
        return `${mark}  ${printableLine(card)} ${printableLine(field)}: ${rule}, ${printableLine(message)}`
      }),
    ),
    ...changes.map(({ card, change, replaces }) => {
      const was = replaces === undefined || replaces === card ? '' : ` (was ${printableLine(replaces)})`
      return `${paint.yellow('hold      ')}  ${printableLine(card)}${was}: ${changeTexts[change]}`
    }),
  ]
  const more = lines.length - shownFindings
  return more > 0 ? [...lines.slice(0, shownFindings), `… and ${more} more; --json lists them all`] : lines
}

const changeTexts = {
  text: 'it says something else than the card in search',
  name: 'it was renamed',
  server: 'another server answers',
} as const

/** One line for a source that holds cards: how many, what happens meanwhile, and what to do. */
function heldLine(
  { source, held, version }: SourceReport,
  { paint }: Output,
  { mode, platform }: { readonly mode: 'written' | 'dryRun'; readonly platform: string },
): readonly string[] {
  if (held === undefined) return []
  const { changed, quarantined } = held
  const counts = [
    changed === 0
      ? ''
      : `${changed} changed (the old ${changed === 1 ? 'one stays' : 'ones stay'} in search)`,
    quarantined === 0 ? '' : `${quarantined} quarantined`,
  ].filter((count) => count !== '')
  const name = printableLine(source)
  const bumped =
    version === undefined ? '' : ` ${printableLine(version.before)} -> ${printableLine(version.now)}`
  const next = mode === 'dryRun' ? '' : ` See: audition sources show ${shellWord(name, platform)}`
  return [
    `${paint.yellow(mode === 'dryRun' ? 'would hold' : 'held')}  ${name}${bumped}: ${counts.join(', ')}.${next}`,
  ]
}

const bundledLine = ({ bundledCardsLeft }: IndexReport): readonly string[] =>
  bundledCardsLeft === undefined
    ? []
    : [
        `The bundled catalog (${countOf(bundledCardsLeft, 'card')}) is off, now that you have sources of your own. \`audition index bundled\` switches it on.`,
      ]

const sumLine = ({ tools, agents, seconds }: IndexReport, mode: 'written' | 'dryRun'): string => {
  const counts = `${countOf(tools, 'tool')} and ${countOf(agents, 'agent')}`
  return mode === 'written'
    ? `${counts} in the store, after ${seconds.toFixed(1)} s.`
    : `${counts} would be in the store. Nothing was written (--dry-run).`
}
