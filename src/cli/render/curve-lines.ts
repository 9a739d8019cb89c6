import type { RunCurves } from '../../evaluation/curves.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'
import { interval, perCent, probability, signed, signedInterval } from '../../evaluation/report/numbers.ts'
import type { ProbeTercile } from '../../evaluation/runs/evaluation-run.ts'
import type { Output } from '../terminal.ts'
import { type Column, tableLines } from './table.ts'

const right = (title: string): Column => ({ title, align: 'right' })

/** Grades by rank beside an oracle's, and the headline by how often cards are wanted. */
export function curveLines(
  { gainByRank, popularity }: RunCurves,
  headline: string,
  output: Output,
): readonly string[] {
  const { bold } = output.paint
  return [
    bold('Mean grade by rank, beside the best order of all that is judged'),
    ...tableLines(
      ['rank', 'ranking', 'oracle', 'share up to here'].map(right),
      gainByRank.map(({ rank, gain, oracle, share }) => [
        String(rank),
        gain.toFixed(3),
        oracle.toFixed(3),
        perCent(share),
      ]),
      output,
    ),
    '',
    bold(`${measureTitle(headline)} by the queries that want the most wanted card of a query`),
    ...tableLines(
      ['wanted by', 'queries', measureTitle(headline)].map(right),
      popularity.map(({ least, most, estimate }) => [
        least === most ? String(least) : `${least} to ${most}`,
        String(estimate.queries),
        `${perCent(estimate.mean)} ${interval(estimate)}`,
      ]),
      output,
    ),
  ]
}

/** What probes told a ranking, by how much they told candidates apart. */
export const tercileLines = (
  terciles: readonly ProbeTercile[],
  measure: string,
  output: Output,
): readonly string[] => [
  output.paint.bold(
    `Probes by the variance of their grades: queries that a record of them alone ranks better by ${measureTitle(measure)}`,
  ),
  ...tableLines(
    [
      { title: 'variance' },
      ...['probes', 'runs', 'win rate', 'won', 'lost', 'equal', 'difference', 'p'].map(right),
    ],
    terciles.map(({ tercile, probes, runs, winRate, won, lost, equal, difference, p }) => [
      tercile,
      ...[probes, runs].map(String),
      perCent(winRate),
      ...[won, lost, equal].map(String),
      `${signed(difference.mean)} ${signedInterval(difference)}`,
      probability(p),
    ]),
    output,
  ),
]
