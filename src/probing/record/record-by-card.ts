import { median } from '../../domain/statistics.ts'
import { type BriefOutcome, doEmptiesCount, succeeded } from '../../domain/outcome.ts'

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
export function recordByCard(outcomes: readonly BriefOutcome[]): readonly CardRecord[] {
  const byCard = new Map<string, BriefOutcome[]>()
  for (const outcome of outcomes) {
    const own = byCard.get(outcome.card)
    if (own === undefined) byCard.set(outcome.card, [outcome])
    else own.push(outcome)
  }
  return [...byCard].map(([card, all]) => {
    const own = all.filter(({ isUse }) => isUse !== true)
    const used = all.filter(({ isUse, ending }) => isUse === true && ending !== 'cancelled')
    const empties = used.filter(({ ending }) => ending === 'empty').length
    const gave = used.filter(({ ending }) => ending === 'answered').length
    const empty = doEmptiesCount({ worked: gave, empty: empties })
    const uses = empty === null ? used.filter(({ ending }) => ending !== 'empty') : used
    const decided = own.map(succeeded).filter((success) => success !== undefined)
    const seconds = [...own, ...uses]
      .filter(({ ending }) => ending === 'answered' || ending === 'empty')
      .map((outcome) => outcome.seconds)
    return {
      card,
      runs: own.length,
      graded: decided.length,
      worked: decided.filter(Boolean).length,
      uses: uses.length,
      answered: gave + (empty === true ? empties : 0),
      medianSeconds: median(seconds),
      last: new Date(all[0]!.time).toISOString(),
    }
  })
}
