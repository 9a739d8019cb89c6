import { mayNotFit, type PassRateReport } from '../../compose/evaluating/pass-rating.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { interval, perCent, probability, signed, signedInterval } from '../../evaluation/report/numbers.ts'
import type { Output } from '../terminal.ts'
import { type Column, tableLines } from './table.ts'
import { apart } from './text.ts'

/** What a model solved with each way of choosing its tools. @param k - tools that a search gave */
export function passRateLines(report: PassRateReport, k: number, output: Output): readonly string[] {
  const { model, servers, rows, pairs, completeness, leftOut, knownAnswers, stopped, left, spent } = report
  const nameOf = (toolset: string): string => (toolset === 'retrieved' ? `retrieved, first ${k}` : toolset)
  const right = (title: string): Column => ({ title, align: 'right' })
  const table = tableLines(
    [
      { title: 'tools', paint: output.paint.cyan },
      ...['runs', 'pass rate', 'ungraded', 'at a limit', 'tokens', 'cost', 'per solved'].map(right),
    ],
    rows.map((row) => [
      nameOf(row.toolset),
      String(row.runs),
      row.rate.queries === 0 ? '–' : `${perCent(row.rate.mean)} ${interval(row.rate)}`,
      String(row.ungraded),
      String(row.limited),
      row.tokens === null ? '–' : String(Math.round(row.tokens)),
      dollars(row.cost),
      dollars(row.costPerSolved),
    ]),
    output,
  )
  const tests = tableLines(
    [{ title: 'compared' }, ...['difference', 'won', 'lost', 'p', 'p (Holm)'].map(right)],
    pairs.map(({ toolset, other, difference, won, lost, p, pHolm }) => [
      `${nameOf(toolset)} against ${nameOf(other)}`,
      `${signed(difference.mean)} ${signedInterval(difference)}`,
      String(won),
      String(lost),
      probability(p),
      `${probability(pHolm)}${pHolm < 0.05 ? ' *' : ''}`,
    ]),
    output,
  )
  return apart([
    [`${printableLine(model)} over ${servers} servers`],
    table,
    pairs.length === 0 ? [] : tests,
    [
      'Per cent of the judged runs, with 95% Wilson intervals; of differences they are bootstrap intervals. Tokens and cost are means of a run.',
      ...(completeness === null
        ? []
        : [`The search gave all that is needed for ${perCent(completeness)}% of the tasks.`]),
      ...(leftOut.length === 0
        ? []
        : [
            `Left out of what the search gave: tools of ${leftOut.map(printableLine).join(', ')}, which may not be started. \`audition allow\` with an id allows it.`,
          ]),
      ...(knownAnswers === 0 ? [] : [mayNotFit(countOf(knownAnswers, 'task'))]),
      ...(stopped === null ? [] : [`Stopped (${stopped}): ${countOf(left, 'run')} left out.`]),
      `Took ${spent.seconds.toFixed(1)} s.`,
    ],
  ])
}

const dollars = (amount: number | null): string => (amount === null ? '–' : `$${amount.toFixed(4)}`)
