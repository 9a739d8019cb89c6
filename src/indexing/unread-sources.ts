import { fileOf } from './gone-sources.ts'
import type { Opened, OpenSource } from './open-source.ts'
import type { SourceState } from '../store/source-state.ts'
import { isUnread, type Unread } from './unread.ts'

/**
 * Known sources of which nothing could be read: their file, or a folder above it, or in their folder all that their
 * cards came from. They keep their cards.
 *
 * @param found - the sources that are read
 * @param hasCardsFrom - whether cards of a source came from such places
 * @returns what could not be read of each, never empty
 */
export async function unreadSources(
  opened: readonly Opened[],
  found: readonly OpenSource[],
  states: readonly SourceState[],
  hasCardsFrom: (source: string, places: readonly Unread[]) => Promise<boolean>,
): Promise<ReadonlyMap<SourceState, readonly Unread[]>> {
  const present = new Set(found.map(({ location }) => location))
  const all = opened.flatMap(({ unread }) => unread)
  const sources = new Map<SourceState, readonly Unread[]>()
  for (const state of states) {
    if (present.has(state.location)) continue
    const file = fileOf(state.location)
    const above = all.filter((one) => isUnread(file, one))
    const within = opened.flatMap(({ location, unread }) => (location === state.location ? unread : []))
    if (above.length > 0) sources.set(state, above)
    else if (within.length > 0 && (await hasCardsFrom(state.id, within))) sources.set(state, within)
  }
  return sources
}
