import type { Seen } from '../store/source-state.ts'

/** From so many days on a card is known for long. */
export const longKnown = 14
/** Days that are counted from one run to the next, at most: a clock that was wrong once makes nobody old. */
const mostAdded = 7
/** More cards that changed in one run than this are not listed: the source begins anew. */
const mostLater = 5000

const dayMs = 24 * 60 * 60 * 1000

/** What a run made of the cards of a source. */
type SeenRun = {
  readonly now: Date
  /** The store held nothing of other people's before. */
  readonly isFirst: boolean
  /** Ids of cards whose text was not in search before. */
  readonly fresh: readonly string[]
  /** Ids of cards that leave search. */
  readonly removed: readonly string[]
}

/**
 * How long the cards of a source are known once a run has read it. A changed text begins anew: else a harmless card could wait until it is
 * old, and change then.
 *
 * @param before - absent of a source that is new
 */
export function seenAfter(before: Seen | undefined, { now, isFirst, fresh, removed }: SeenRun): Seen {
  const at = now.toISOString()
  if (before === undefined) return { days: 0, at, ...(isFirst ? { isFirst } : {}) }
  if (fresh.length > mostLater) return { days: 0, at }
  const days = daysAfter(before, now)
  const gone = new Set(removed)
  const kept = Object.entries(before.later ?? {}).filter(
    ([card, since]) => days - since < longKnown && !gone.has(card),
  )
  const later = Object.fromEntries([...kept, ...fresh.map((card) => [card, days] as const)])
  return {
    days,
    at,
    ...(before.isFirst ? { isFirst: true } : {}),
    ...(Object.keys(later).length === 0 ? {} : { later }),
  }
}

/** The same when a run found nothing new; undefined where nothing would be gained by writing it. */
export function seenAgain(before: Seen | undefined, now: Date): Seen | undefined {
  if (before === undefined || !isYoung(before)) return undefined
  const after = seenAfter(before, { now, isFirst: false, fresh: [], removed: [] })
  return Math.floor(after.days) > Math.floor(before.days) || clockIsBehind(before, now) ? after : undefined
}

const isYoung = (seen: Seen): boolean => isNewcomer(seen) || seen.later !== undefined

const clockIsBehind = ({ at }: Seen, now: Date): boolean => Date.parse(at) > now.getTime()

/** Days until now: none more where the clock went back, and a few where it leapt. */
function daysAfter({ days, at }: Seen, now: Date): number {
  const passed = (now.getTime() - Date.parse(at)) / dayMs
  return days + (passed > 0 ? Math.min(mostAdded, passed) : 0)
}

/** What a store of an older Audition knows of a source: that it was there before this one counted. */
export const seenBeforeCounting = (at: string): Seen => ({ days: 0, at, isFirst: true })

/** The same under another id of the source. */
export const seenAs = (seen: Seen, from: string, to: string): Seen =>
  seen.later === undefined
    ? seen
    : {
        ...seen,
        later: Object.fromEntries(
          Object.entries(seen.later).map(([card, since]) => [`${to}${card.slice(from.length)}`, since]),
        ),
      }

/**
 * Whether a card of a stranger is not known for long. Of a source that was not counted yet nothing tells it.
 *
 * @param card - its id; without one: those that are there as long as the source
 */
export function isNewcomer(seen: Seen | undefined, card?: string): boolean {
  if (seen === undefined) return false
  if (card !== undefined && seen.later?.[card] !== undefined) return true
  return seen.isFirst !== true && seen.days < longKnown
}

/** Whether cards that were newcomers are so no longer, so that what was made of them is no longer right. */
export function changesAge(before: Seen | undefined, after: Seen | undefined): boolean {
  if (isNewcomer(before) !== isNewcomer(after)) return true
  const now = after?.later ?? {}
  return Object.keys(before?.later ?? {}).some((card) => now[card] === undefined)
}
