import { isBundledLocation } from '../catalog/bundled-parts.ts'
import type { Trust } from '../store/source-review.ts'
import type { Seen, SourceState, Standing } from '../store/source-state.ts'

/** Where a source lies, and what read it: `mixed` for a folder of several formats. */
type Place = Pick<SourceState, 'location' | 'reader'>

/** Readers of forms in which catalogs of other people's tools and agents are published. */
export const catalogReaders: ReadonlySet<string> = new Set([
  'agent-jsonl',
  'agentbase-jsonl',
  'agentselect-json',
  'ai-catalog',
  'docker-mcp',
  'livemcpbench',
  'lobe-agent',
  'mcp-registry-list',
  'mcp-server-json',
  'toolret-jsonl',
])

/** @param decision - what the user said; absent: nothing */
export function standingOf({ location, reader }: Place, decision: Trust | undefined): Standing {
  const isOthers = /^https?:/i.test(location) || catalogReaders.has(reader)
  if (decision === 'untrusted') return 'distrusted'
  if (!isOthers) return 'installed'
  return decision === 'trusted' ? 'accepted' : 'stranger'
}

/**
 * The standing of a source as the store remembers it. A store of an older Audition does not: there the place tells, and a
 * trust that is not the default of the place was decided by the user.
 */
export function storedStanding(state: SourceState): Standing {
  if (state.standing !== undefined) return state.standing
  const byPlace = standingOf(state, undefined)
  const isAddress = /^https?:/i.test(state.location)
  const isLive = state.reader === 'mcp-server'
  if (isAddress) return state.trust === 'trusted' ? 'accepted' : byPlace
  return state.trust === 'untrusted' && !isLive ? 'distrusted' : byPlace
}

/** Whether defences against cards that were written to be found apply to cards of such a source. */
export const isBound = (standing: Standing): boolean => standing !== 'installed' && standing !== 'accepted'

/**
 * Looks up the standing of a card by the ids of its source and its own; a source that is not known is installed. Without a card:
 * that of cards which are there as long as the source.
 */
export type Standings = (source: string, card?: string) => Standing

export const allInstalled: Standings = () => 'installed'

export function standingsOf(states: readonly SourceState[]): Standings {
  const known = new Map(
    states.map((state) => [state.id, { standing: storedStanding(state), seen: state.seen }]),
  )
  return (source, card) => {
    const found = known.get(source)
    if (found === undefined) return 'installed'
    return found.standing === 'stranger' && isNewcomer(found.seen, card) ? 'newcomer' : found.standing
  }
}

/** Whether a known source gets another standing, so that what was made of its cards is no longer right. */
export function changesStanding(before: readonly SourceState[], written: readonly SourceState[]): boolean {
  const known = new Map(before.map((state) => [state.id, state]))
  return written.some((state) => {
    const old = known.get(state.id)
    if (old === undefined) return false
    const standing = storedStanding(state)
    return standing !== storedStanding(old) || (standing === 'stranger' && changesAge(old.seen, state.seen))
  })
}

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

/**
 * Whether changes of a source are taken at once when the user said nothing: yes for the bundled catalog and for files and
 * folders on this machine, whose owner made the change or let it in; no for live servers and addresses, whose text may
 * change at any time without anybody here doing anything.
 */
export function defaultTrust({
  location,
  isLive,
}: {
  readonly location: string
  readonly isLive: boolean
}): Trust {
  if (isBundledLocation(location)) return 'trusted'
  return isLive || /^https?:/i.test(location) ? 'untrusted' : 'trusted'
}
