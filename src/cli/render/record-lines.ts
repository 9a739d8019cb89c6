import { gradeOf, type Outcome, reasonOf, type Verdict } from '../../domain/outcome.ts'
import type { CardRecord } from '../../probing/record/record-by-card.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { type Column, tableLines } from './table.ts'
import type { Output } from '../terminal.ts'

/** A row per card. */
export function cardRecordLines(records: readonly CardRecord[], output: Output): readonly string[] {
  const isUsed = records.some(({ uses }) => uses > 0)
  const columns: readonly Column[] = [
    { title: 'card', paint: output.paint.cyan },
    { title: 'runs', align: 'right' },
    { title: 'graded', align: 'right' },
    { title: 'worked', align: 'right' },
    ...(isUsed
      ? ([
          { title: 'uses', align: 'right' },
          { title: 'answered', align: 'right' },
        ] as const)
      : []),
    { title: 'median', align: 'right' },
    { title: 'last' },
  ]
  const rows = records.map(({ card, runs, graded, worked, uses, answered, medianSeconds, last }) => [
    printableLine(card),
    String(runs),
    String(graded),
    shareText(worked, graded),
    ...(isUsed ? [String(uses), shareText(answered, uses)] : []),
    medianSeconds === null ? '–' : `${medianSeconds.toFixed(1)} s`,
    minute(last),
  ])
  return tableLines(columns, rows, output)
}

const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} (${Math.round((100 * part) / whole)} %)`

/** A row per outcome of one card. */
export function outcomeLines(outcomes: readonly Outcome[], output: Output): readonly string[] {
  const columns: readonly Column[] = [
    { title: 'time' },
    { title: 'grade', align: 'right' },
    { title: 'took', align: 'right' },
    { title: 'ended' },
    { title: 'task', least: 16 },
    { title: 'verdict', least: 16 },
  ]
  const rows = outcomes.map(({ time, verdict, seconds, ending, task, use }) => [
    minute(time),
    String(gradeOf(verdict) ?? '–'),
    `${seconds.toFixed(1)} s`,
    use ?? ending,
    printableLine(task) || '–',
    use === undefined ? printableLine(saidOf(verdict)) : 'a use, which nobody judged',
  ])
  return tableLines(columns, rows, output)
}

const saidOf = (verdict: Verdict | null): string =>
  verdict === null ? 'not graded' : `${gradeOf(verdict) === null ? 'not graded: ' : ''}${reasonOf(verdict)}`

/** To the minute, in UTC. */
const minute = (time: string): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
