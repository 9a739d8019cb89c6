import { isVerdictMeasure, measureTitle } from '../../evaluation/measures/measures.ts'
import {
  counted,
  interval,
  perCent,
  probability,
  signed,
  signedInterval,
} from '../../evaluation/report/numbers.ts'
import { betterThan, letterOf, tookIn } from '../../evaluation/reranking/better-than.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import type { ProbeTercile, RerankingBlock, RerankingTable } from '../../evaluation/evaluation-run.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Output } from '../terminal.ts'
import { type Column, left, right, tableLines, tableOf } from './table.ts'

/** Orders of the same candidates side by side for people: a table a part. */
export function rerankingLines(
  table: RerankingTable,
  measures: readonly string[],
  output: Output,
): readonly string[] {
  const shown = measures.filter((measure) => !isVerdictMeasure(measure))
  const failures = table.rows.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`${printableLine(name)}: ${printableLine(failure)}`],
  )
  return [
    ...table.blocks.flatMap((block) => [
      '',
      output.paint.bold(`Reranking, ${block.part === wholeRow ? 'mean of all' : printableLine(block.part)}`),
      ...blockLines(block, { table, shown }, output),
      ...(block.note === '' ? [] : [output.paint.dim(block.note)]),
    ]),
    '',
    `95% bootstrap intervals. Above: rows that this one is better than by ${measureTitle(shown[0] ?? '')} (paired randomisation`,
    'test, p < 0.05 after Holm over all pairs of rows).',
    ...failures,
  ]
}

type Shown = { readonly table: RerankingTable; readonly shown: readonly string[] }

function blockLines(block: RerankingBlock, { table, shown }: Shown, output: Output): readonly string[] {
  const [headline = '', ...others] = shown
  const asks = table.rows.some(({ asked }) => asked !== undefined)
  const columns: readonly Column[] = [
    { title: '' },
    { title: 'row', paint: output.paint.cyan, least: 24, overflow: 'wrap' },
    { title: measureTitle(headline), align: 'right' },
    ...others.map((measure): Column => ({ title: measureTitle(measure), align: 'right' })),
    { title: 'above' },
    ...(asks ? (['failed', 'requests', 'tokens'] as const) : []).map(
      (title): Column => ({ title, align: 'right' }),
    ),
    ...(table.rows.some(({ cost }) => cost !== undefined) ? [{ title: '$', align: 'right' } as const] : []),
  ]
  const own = table.rows.map(({ name }, at) => {
    const estimates = block.estimates[at] ?? {}
    const { asked, failed = 0, requests = 0, tokens = 0, cost } = tookIn(table, block, at)
    const first = estimates[headline]
    return [
      letterOf(at),
      printableLine(name),
      first === undefined ? '–' : `${perCent(first.mean)} ${interval(first)}`,
      ...others.map((measure) => perCent(estimates[measure]?.mean)),
      betterThan(block, at),
      ...(asks ? (asked === undefined ? ['', '', ''] : [failed, requests, tokens].map(counted)) : []),
      cost === undefined ? '' : cost.toFixed(4),
    ]
  })
  const published = block.published.map(({ name, values }) => [
    '',
    `published: ${name}`,
    // In line with means that have their intervals behind them.
    ...[headline, ...others].map((measure) => perCent(values[measure])),
  ])
  return tableLines(columns, [...own, ...published], output)
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
  ...tableOf(terciles, output, [
    left('variance', ({ tercile }) => tercile),
    right('probes', ({ probes }) => probes),
    right('runs', ({ runs }) => runs),
    right('win rate', ({ winRate }) => perCent(winRate)),
    ...(['won', 'lost', 'equal'] as const).map((count) => right<ProbeTercile>(count, (row) => row[count])),
    right('difference', ({ difference }) => `${signed(difference.mean)} ${signedInterval(difference)}`),
    right('p', ({ p }) => probability(p)),
  ]),
]
