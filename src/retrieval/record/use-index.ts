import type { CardKind } from '../../domain/card.ts'
import { type BriefOutcome, doEmptiesCount } from '../../domain/outcome.ts'
import type { UseSummary } from '../answer.ts'
import { ageWeight, type Tally } from './success-estimate.ts'

/** What a search needs of a use. */
type IndexedUse = Pick<BriefOutcome, 'id' | 'card' | 'seconds' | 'ending' | 'time'>

/** Calls and runs for callers, which nobody judged: of each card the newest. Kept apart from what was judged. */
export type UseIndex = {
  add(use: IndexedUse): void
  /** None for a card that was never used. */
  summary(card: string): UseSummary | undefined
  availability(card: string, kind: CardKind, settings?: UseSettings): number
  cards(): Iterable<string>
}

/**
 * How uses weigh. Chosen by replay (`npm run bench -- uses`): they tell surely whether something answers at all, and nothing of how well it
 * serves, so that they take away and never add.
 */
export type UseSettings = {
  /** The share of uses that work, as expected before any. @defaultValue 0.9 */
  readonly expected: number
  /** What that weighs, in uses. @defaultValue 4 */
  readonly strength: number
  /** Power of the factor; 0 leaves uses out. @defaultValue 2 */
  readonly weight: number
  /** Days in which a use loses half its weight. @defaultValue 14 */
  readonly halfLifeDays: number
  /** From so many seconds on a tool's answer counts less: a third for three times as long. Agents may take their time. @defaultValue 10 */
  readonly slowSeconds: number
}

export const useDefaults: UseSettings = {
  expected: 0.9,
  strength: 4,
  weight: 2,
  halfLifeDays: 14,
  slowSeconds: 10,
}

/** A card of which at least every second use works loses nothing. */
const enough = 0.5
/** Newest uses of a card that are read. */
const mostKept = 32
const dayMs = 86_400_000

/** @param worked - null: it answered, and there was nothing in it */
type Kept = {
  readonly day: number
  readonly id: string
  readonly worked: boolean | null
  readonly seconds: number
}

type Counts = { worked: number; empty: number; failed: number }

export function useIndex(): UseIndex {
  const byCard = new Map<string, Kept[]>()
  const totals = new Map<string, Counts>()
  let newestDay = Number.NEGATIVE_INFINITY

  return {
    add({ id, card, ending, seconds, time }) {
      const total = totals.get(card) ?? { worked: 0, empty: 0, failed: 0 }
      totals.set(card, total)
      if (ending === 'cancelled') return // refused, or asked wrongly: it says nothing of the card
      const worked = ending === 'empty' ? null : ending === 'answered'
      total[worked === null ? 'empty' : worked ? 'worked' : 'failed'] += 1
      const day = time / dayMs
      newestDay = Math.max(newestDay, day)
      const kept = byCard.get(card) ?? []
      byCard.set(card, kept)
      const at = kept.findIndex((one) => one.day < day || (one.day === day && one.id < id))
      kept.splice(at < 0 ? kept.length : at, 0, { day, id, worked, seconds })
      if (kept.length > mostKept) kept.pop()
    },
    summary(card) {
      const total = totals.get(card)
      if (total === undefined) return undefined
      const { worked, empty, failed } = total
      const counts = doEmptiesCount(total)
      return {
        uses: worked + failed + (counts === null ? 0 : empty),
        worked: worked + (counts === true ? empty : 0),
      }
    },
    availability(card, kind, settings = useDefaults) {
      const kept = byCard.get(card)
      if (kept === undefined || settings.weight === 0) return 1
      return availabilityOf(talliedBy(kept, newestDay, { ...settings, isTool: kind === 'tool' }), settings)
    },
    cards: () => totals.keys(),
  }
}

function talliedBy(
  kept: readonly Kept[],
  newestDay: number,
  { halfLifeDays, slowSeconds, isTool }: UseSettings & { readonly isTool: boolean },
): Tally {
  const tally = { weight: 0, successes: 0 }
  const of = (worked: boolean | null): number => kept.filter((one) => one.worked === worked).length
  const empties = doEmptiesCount({ worked: of(true), empty: of(null) })
  for (const { day, worked, seconds } of kept) {
    const didWork = worked ?? empties
    if (didWork === null) continue
    const weight = ageWeight(newestDay - day, halfLifeDays)
    tally.weight += weight
    if (didWork) tally.successes += weight * (isTool ? Math.min(1, slowSeconds / seconds) : 1)
  }
  return tally
}

/** What a score is multiplied by, 0..1: 1 as long as at least half of the uses work, by all that is known. */
function availabilityOf(
  { weight, successes }: Tally,
  { expected, strength, weight: power }: UseSettings,
): number {
  const works = (successes + strength * expected) / (weight + strength)
  return Math.min(1, works / enough) ** power
}
