import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { orderTitles } from '../../evaluation/order-agreement.ts'
import type { OrderedTask, OrderReport } from '../ask/compare-order.ts'
import { notRunLines } from '../ask/permission.ts'
import type { Output } from '../terminal.ts'
import { tableLines } from './table.ts'
import { apart } from './text.ts'

/** How far search agrees with what execution showed: task by task, and over all beside a random order and the paper. */
export function orderLines(
  report: OrderReport,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  const { tasks, comparer, stopped } = report
  const counted = tasks.filter(({ leftOut }) => leftOut === null).length
  return apart([
    ...tasks.map((task) => taskLines(task, output, platform)),
    counted === 0 ? [] : summary(report, counted, output),
    [
      comparer === null
        ? 'Equal grades stay equal: set AUDITION_LLM, and a model compares their answers.'
        : `Answers of equal grades are compared by ${printableLine(comparer)}.`,
      ...(stopped === null ? [] : [`Stopped early (${stopped}).`]),
    ],
  ])
}

function taskLines(
  { task, candidates, leftOut }: OrderedTask,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  const columns = [
    { title: 'rank', align: 'right' },
    { title: 'agent', paint: output.paint.cyan },
    { title: 'grade', align: 'right' },
    { title: 'place', align: 'right' },
  ] as const
  const rows = candidates.map(({ rank, card, grade, place }) => [
    `${rank}`,
    printableLine(card),
    grade === null ? '–' : `${grade}`,
    place === null ? '–' : `${place}`,
  ])
  return [
    output.paint.bold(printableLine(task)),
    ...tableLines(columns, rows, output),
    ...candidates.flatMap(({ card, notRun }) =>
      notRun === null
        ? []
        : [`${printableLine(card)} was not run: ${notRunLines(card, notRun, platform).join(' ')}`],
    ),
    ...(leftOut === null ? [] : [output.paint.yellow(`Left out: ${leftOut}.`)]),
  ]
}

function summary(
  { ranked, random, published }: OrderReport,
  counted: number,
  output: Output,
): readonly string[] {
  const columns = [
    { title: `over ${countOf(counted, 'task')}` },
    ...(['search', 'random', 'paper', 'paper, random'] as const).map((title) => ({
      title,
      align: 'right' as const,
    })),
  ]
  const said = (value: number): string => value.toFixed(3).replace(/^-(?=0\.000$)/, '')
  const rows = orderTitles.map(([name, title]) => {
    const { mean, low, high } = ranked[name]
    return [
      title,
      counted < 2 ? said(mean) : `${said(mean)} [${said(low)}, ${said(high)}]`,
      said(random[name]),
      said(published.ranked[name]),
      said(published.random[name]),
    ]
  })
  return tableLines(columns, rows, output)
}
