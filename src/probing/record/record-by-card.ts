import { doEmptiesCount, gradeOf, isSuccess, type Outcome } from '../../domain/outcome.ts'

/** What the record holds of one card. */
export type CardRecord = {
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
