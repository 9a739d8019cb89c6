import type { IndexReport, SourceReport } from '../app.ts'
import { printableLine } from '../domain/printable.ts'
import { problemLines } from './problem-lines.ts'
import { tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/** Problems shown; the rest are counted. */
const shownProblems = 20

/** An index run for people: a row per source, then failures, problems and the sum. */
export function reportLines(
  report: IndexReport,
  output: Output,
  mode: 'written' | 'dryRun',
): readonly string[] {
  const { paint } = output
  const problems = [...report.problems, ...report.sources.flatMap((source) => source.problems)]
  const shown = problemLines(problems, output, shownProblems)
  const parts: readonly (readonly string[])[] = [
    sourceTable(report.sources, output),
    report.sources.flatMap(failureLines(paint.red, paint.dim)),
    shown.length === 0 ? [] : [paint.bold(countOf(problems.length, 'problem')), ...shown],
    [sumLine(report, mode)],
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** Whether a source, or a place that was named, gave nothing at all. */
export const hasFailure = ({ sources, problems }: IndexReport): boolean =>
  sources.some(({ failure }) => failure !== undefined) ||
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
    source.failure === undefined ? problemCount(source) : 'failed',
    printableLine(source.location),
  ])
  return tableLines(columns, rows, output)
}

const problemCount = ({ problems }: SourceReport): string =>
  problems.length === 0 ? 'ok' : countOf(problems.length, 'problem')

const failureLines =
  (red: (text: string) => string, dim: (text: string) => string) =>
  ({ source, failure }: SourceReport): readonly string[] =>
    failure === undefined
      ? []
      : [
          `${red('failed')}  ${printableLine(source)}: ${printableLine(failure.message)}`,
          dim(`        ${printableLine(failure.remedy)} Its old cards stay.`),
        ]

const sumLine = ({ tools, agents, seconds }: IndexReport, mode: 'written' | 'dryRun'): string => {
  const counts = `${countOf(tools, 'tool')} and ${countOf(agents, 'agent')}`
  return mode === 'written'
    ? `${counts} in the store, after ${seconds.toFixed(1)} s.`
    : `${counts} would be in the store. Nothing was written (--dry-run).`
}

const countOf = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
