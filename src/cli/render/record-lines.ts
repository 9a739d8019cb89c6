import {
  doEmptiesCount,
  gradeOf,
  isSuccess,
  type Outcome,
  reasonOf,
  type Verdict,
} from '../../domain/outcome.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { type Column, tableLines } from './table.ts'
import type { Output } from '../terminal.ts'

/** What the record holds of one card. */
type CardRecord = {
  readonly card: string
  readonly runs: number
  /** Runs that were graded, or failed before there was anything to grade; those that worked have grade 4 or 5. */
  readonly graded: number
  readonly worked: number
  /** Calls and runs for hosts that say something of it, and those that it answered. */
  readonly uses: number
  readonly answered: number
  /** Of answers, seconds; null when it never answered. */
  readonly medianSeconds: number | null
  /** ISO 8601. */
  readonly last: string
}

/** One entry per card, the one with the latest outcome first. @param outcomes - newest first */
export function recordByCard(outcomes: readonly Outcome[]): readonly CardRecord[] {
  const byCard = new Map<string, Outcome[]>()
  for (const outcome of outcomes) {
    const own = byCard.get(outcome.card)
    if (own === undefined) byCard.set(outcome.card, [outcome])
    else own.push(outcome)
  }
  return [...byCard].map(([card, all]) => {
    const own = all.filter(({ origin }) => origin !== 'use')
    const used = all.filter(({ origin, ending }) => origin === 'use' && ending !== 'cancelled')
    const empties = used.filter(({ use }) => use === 'empty').length
    const gave = used.filter(({ use, ending }) => use !== 'empty' && ending === 'answered').length
    const empty = doEmptiesCount({ worked: gave, empty: empties })
    const uses = empty === null ? used.filter(({ use }) => use !== 'empty') : used
    const graded = own.filter(isDecided)
    const seconds = [...own, ...uses]
      .filter(({ ending }) => ending === 'answered')
      .map((outcome) => outcome.seconds)
    return {
      card,
      runs: own.length,
      graded: graded.length,
      worked: graded.filter(({ verdict }) => isSuccess(verdict)).length,
      uses: uses.length,
      answered: gave + (empty === true ? empties : 0),
      medianSeconds: medianOf(seconds),
      last: all[0]!.time,
    }
  })
}

const isDecided = ({ verdict, ending }: Outcome): boolean =>
  gradeOf(verdict) !== null || ending === 'failed' || ending === 'limit'

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

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
