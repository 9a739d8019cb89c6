import type { EvaluationRun } from '../../src/evaluation/evaluation-run.ts'
import type { GateRow, GoldenRun } from './golden-run.ts'

const mostLosses = 10

/** The rows as a table, and below it the queries that lost most, with what stands first now. */
export function gateReport(golden: GoldenRun, run: EvaluationRun, rows: readonly GateRow[]): string {
  const head = ['part', 'measure', 'golden', 'now', 'difference', 'allowed', '']
  const body = rows.map(({ part, measure, golden: { mean }, now, allowed, fell }) => [
    part,
    measure,
    points(mean),
    points(now),
    signed(now - mean),
    `-${points(allowed)}`,
    fell === 'no' ? '' : `FELL (${fell})`,
  ])
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]!.length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [run.name, line(head), ...body.map(line), ...losses(golden, run)].join('\n')
}

function losses(golden: GoldenRun, run: EvaluationRun): readonly string[] {
  const before = new Map((golden.outcomes ?? []).map((outcome) => [outcome.id, outcome]))
  const [headline = ''] = run.measures
  const lost = run.outcomes
    .flatMap(({ id, text, measures, candidates }) => {
      const was = before.get(id)?.measures[headline]
      const is = measures[headline]
      return was !== undefined && is !== undefined && is < was - 1e-5
        ? [{ id, text, was, is, first: candidates[0]?.id ?? 'nothing' }]
        : []
    })
    .sort((a, b) => a.is - a.was - (b.is - b.was) || (a.id < b.id ? -1 : 1))
  if (lost.length === 0) return []
  return [
    `${lost.length} queries have a lower ${headline}; the largest losses:`,
    ...lost
      .slice(0, mostLosses)
      .map(
        ({ id, text, was, is, first }) =>
          `  ${id} ${points(was)} -> ${points(is)}, first now ${first}: ${text}`,
      ),
  ]
}

const points = (share: number): string => (100 * share).toFixed(1)
const signed = (share: number): string => `${share < 0 ? '' : '+'}${points(share)}`
