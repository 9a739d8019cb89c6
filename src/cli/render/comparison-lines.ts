import { left, right, tableOf } from './table.ts'
import { fitText, wrapText } from './text.ts'
import type { Output } from '../terminal.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { perCent, probability } from '../../evaluation/report/numbers.ts'
import type { Comparison, QueryDifference } from '../../evaluation/evaluation-run.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'
import { type SearchFinding, findingTitles } from '../../evaluation/self/findings.ts'

/** Queries shown of each list; the report has more. */
const shownQueries = 5
/** Ids named of what was wanted and of what stood above. */
const shownIds = 3

/** Two runs side by side for people: differences with p-values, then the worst losses and the best gains. */
export function comparisonLines(comparison: Comparison, output: Output): readonly string[] {
  const { paint } = output
  const { baseline, candidate } = comparison
  return [
    paint.bold(`Against ${printableLine(baseline)}`),
    ...differenceTable(comparison, output),
    '',
    `Points of ${printableLine(candidate)} over ${printableLine(baseline)}, 95% bootstrap interval; p of a paired`,
    'randomisation test, corrected by Holm over the parts of a measure.',
    ...unmatchedLines(comparison),
    ...queryLines('Worst regressions', comparison.regressions, output),
    ...queryLines('Best wins', comparison.wins, output),
  ]
}

/** Parts named of those that have queries in one run only. */
const shownParts = 8

function unmatchedLines({ unmatched, unmatchedByPart }: Comparison): readonly string[] {
  if (unmatched === 0) return []
  const more = unmatchedByPart.length - shownParts
  return [
    `Left out: ${countOf(unmatched, 'query', 'queries')} that only one of the runs has:`,
    ...unmatchedByPart
      .slice(0, shownParts)
      .map(
        ({ part, baseline, candidate }) =>
          `  ${printableLine(part)}: ${baseline} only before, ${candidate} only now`,
      ),
    ...(more > 0 ? [`  and ${countOf(more, 'part')} more`] : []),
  ]
}

/** Every part by the headline; by the other measures only the whole: the report has the rest. */
function differenceTable({ rows }: Comparison, output: Output): readonly string[] {
  const headline = rows[0]?.measure
  const shown = rows.filter(({ part, measure }) => measure === headline || part === wholeRow)
  return tableOf(shown, output, [
    left('part', ({ part }) => (part === wholeRow ? 'mean of parts' : part), {
      paint: output.paint.cyan,
      least: 10,
    }),
    left('measure', ({ measure }) => measureTitle(measure)),
    right('before', ({ baseline }) => perCent(baseline)),
    right('now', ({ candidate }) => perCent(candidate)),
    right(
      'difference',
      ({ difference: { mean, low, high } }) => `${signed(mean)} [${signed(low)}, ${signed(high)}]`,
    ),
    right('p', ({ p }) => probability(p)),
    right('p (Holm)', ({ pHolm }) => `${probability(pHolm)}${pHolm < 0.05 ? ' *' : ''}`),
  ])
}

function queryLines(
  title: string,
  differences: readonly QueryDifference[],
  { columns, paint }: Output,
): readonly string[] {
  if (differences.length === 0) return []
  const room = Math.max(40, columns ?? 120) - 4
  const more = differences.length - shownQueries
  return [
    '',
    paint.bold(title),
    ...differences
      .slice(0, shownQueries)
      .flatMap(({ id, text, baseline, candidate, relevant, above }) => [
        `${perCent(baseline)} -> ${perCent(candidate)}  ${paint.cyan(printableLine(id))}`,
        `    ${fitText(printableLine(text), room)}`,
        `    ${fitText(`wanted ${idsOf(relevant)}`, room)}`,
        ...(above.length === 0 ? [] : [`    ${fitText(`above it ${idsOf(above)}`, room)}`]),
      ]),
    ...(more > 0 ? [paint.dim(`${more} more in the report.`)] : []),
  ]
}

const idsOf = (ids: readonly string[]): string =>
  [
    ...ids.slice(0, shownIds).map(printableLine),
    ...(ids.length > shownIds ? [`and ${ids.length - shownIds} more`] : []),
  ].join(', ')

const signed = (share: number): string => `${share >= 0 ? '+' : ''}${perCent(share)}`

/** Findings shown of each kind; the rest are counted. */
const shownOfKind = 5

/** What keeps cards from being found, by kind, worst first; with the fix under each kind. */
export function findingLines(findings: readonly SearchFinding[], output: Output): readonly string[] {
  const { paint } = output
  if (findings.length === 0) return ['', 'Nothing keeps a card from being found.']
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  const room = Math.max(40, output.columns ?? 120) - 4
  return kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind)
    const more = own.length - shownOfKind
    const remedies = [...new Set(own.map(({ remedy }) => printableLine(remedy)))]
    return [
      '',
      paint.bold(`${findingTitles[kind]} (${own.length})`),
      ...own.slice(0, shownOfKind).flatMap((finding) => findingText(finding, room, paint.cyan)),
      ...(more > 0 ? [`  and ${more} more: --json lists them all`] : []),
      ...remedies.flatMap((remedy) => wrapText(`Fix: ${remedy}`, room).map((line) => paint.dim(`  ${line}`))),
    ]
  })
}

function findingText(
  { card, message, others }: SearchFinding,
  room: number,
  paint: (text: string) => string,
): string[] {
  const instead = others
    .slice(0, 3)
    .map(printableLine)
    .filter((other) => !message.includes(other))
  return [
    `  ${paint(printableLine(card))}`,
    ...wrapText(printableLine(message), room).map((line) => `    ${line}`),
    ...(instead.length === 0 ? [] : wrapText(`see ${instead.join(', ')}`, room).map((line) => `    ${line}`)),
  ]
}
