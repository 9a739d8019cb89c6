import { gradeOf, reasonOf, type Verdict } from '../../domain/outcome.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { perCent } from '../../evaluation/report/numbers.ts'
import type { Agreement, Calibration, JudgedAnswer } from '../../probing/judges/calibrate-judge.ts'
import type { calibrateJudges, ComparisonCheck } from '../../probing/judges/several-judges.ts'
import { left, right, tableOf } from './table.ts'
import type { Output } from '../terminal.ts'

/** Answers shown of those that judge and label grade differently, and of those that got no grade. */
const mostShown = 5

/** A calibration for people: agreement, confusions, the worst misses, refusals. */
export function calibrationLines(calibration: Calibration, output: Output): readonly string[] {
  const { byJudge, confusion, misses, ungraded, judge } = calibration
  const rows =
    byJudge.length === 0 ? [{ ...calibration, judge }] : [...byJudge, { ...calibration, judge: 'all' }]
  return [
    ...agreementTable(rows, output),
    '',
    'Grades given (columns) by label (rows):',
    ...confusionTable(confusion, output),
    ...listed('Graded otherwise, the worst first:', misses),
    ...listed('Not graded:', ungraded),
  ]
}

/** Several judges on the same answers, and the one that compares answers. */
export function severalJudgesLines(
  {
    several,
    comparison,
  }: {
    readonly several: Awaited<ReturnType<typeof calibrateJudges>> | null
    readonly comparison: ComparisonCheck | null
  },
  output: Output,
): readonly string[] {
  const lines: string[] = []
  if (several !== null) {
    const { judges, agreement } = several
    const { answers, fleissKappa, fleissKappaOfSuccess, middle } = agreement
    const rows = judges.length < 2 ? judges : [...judges, { ...middle, judge: 'middle of all' }]
    lines.push(...agreementTable(rows, output))
    for (const { judge, ungraded } of judges)
      lines.push(...listed(`Not graded by ${printableLine(judge)}:`, ungraded))
    if (judges.length === 1)
      lines.push(
        '',
        'Only one judge was asked: agreement takes two. Name a second model in AUDITION_LLM, with a comma between them.',
      )
    if (judges.length > 1)
      lines.push(
        '',
        `Fleiss' kappa of ${judges.length} judges over ${countOf(answers, 'answer')} that all graded: ` +
          `${twoDecimals(fleissKappa)} on grades, ${twoDecimals(fleissKappaOfSuccess)} on success.`,
      )
  }
  if (comparison !== null) {
    const { judge, tasks, unordered, right, equal, wrong } = comparison
    const pairs = right + equal + wrong
    lines.push(
      ...(lines.length === 0 ? [] : ['']),
      `${printableLine(judge)}, comparing: of ${countOf(pairs, 'pair')} of answers to one task ${right} in the right order, ${equal} at the same place, ` +
        `${wrong} in the wrong order (${perCent(pairs === 0 ? undefined : (right + equal / 2) / pairs)} %); ` +
        `${countOf(tasks, 'task')}, ${unordered} without an order.`,
    )
  }
  return lines
}

function agreementTable(
  rows: readonly (Agreement & { readonly judge: string })[],
  output: Output,
): readonly string[] {
  return tableOf(rows, output, [
    left('judge', ({ judge }) => judge, { paint: output.paint.cyan }),
    right('graded', ({ count }) => count),
    right('ungraded', ({ refused }) => refused),
    right('same grade %', ({ accuracy }) => perCent(accuracy ?? undefined)),
    right('kappa', ({ kappa }) => twoDecimals(kappa)),
    right('weighted kappa', ({ quadraticKappa }) => twoDecimals(quadraticKappa)),
    right('success %', ({ success }) => perCent(success.accuracy ?? undefined)),
    right('kappa of success', ({ success }) => twoDecimals(success.kappa)),
  ])
}

function confusionTable(confusion: Agreement['confusion'], output: Output): readonly string[] {
  return tableOf(confusion, output, [
    left('', (_, at) => at + 1, { paint: output.paint.cyan }),
    ...confusion.map((_, given) => right<readonly number[]>(String(given + 1), (row) => row[given] || '·')),
  ])
}

function listed(title: string, answers: readonly JudgedAnswer[]): readonly string[] {
  if (answers.length === 0) return []
  const more = answers.length - mostShown
  return [
    '',
    title,
    ...answers.slice(0, mostShown).map(missLine),
    ...(more > 0 ? [`  and ${more} more; --json has all`] : []),
  ]
}

function missLine({ labelled: { line, grade }, verdict }: JudgedAnswer): string {
  const own = gradeOf(verdict)
  const given = own === null ? '' : `, graded ${own}`
  return `  line ${line}, label ${grade}${given}: ${printableLine(whyOf(verdict))}`
}

/** A verdict's reason; why there is no grade, where there is none. */
function whyOf(verdict: Verdict | null): string {
  return verdict === null ? 'it has no reference, and AUDITION_LLM names no model' : reasonOf(verdict)
}

const twoDecimals = (value: number | null): string =>
  value === null ? '–' : value.toFixed(2).replace(/^-0\.00$/, '0.00')
