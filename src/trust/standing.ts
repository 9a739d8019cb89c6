import type { SourceState, Standing } from '../store/source-state.ts'
import type { Trust } from '../store/source-review.ts'
import { changesAge, isNewcomer } from './seen.ts'

/** Where a source lies, and what read it: `mixed` for a folder of several formats. */
type Place = Pick<SourceState, 'location' | 'reader'>

/** Readers of forms in which catalogs of other people's tools and agents are published. */
export const catalogReaders: ReadonlySet<string> = new Set([
  'agent-jsonl',
  'agentbase-jsonl',
  'agentselect-json',
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
