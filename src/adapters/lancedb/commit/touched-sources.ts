import type { CatalogChange } from '../../../store/catalog-writer.ts'
import type { Head, RecentCommit } from '../schemas.ts'

/** Commits that a head remembers: a writer that was overtaken by more reads and plans anew. */
const keptCommits = 32
/** Sources that one commit is remembered with. */
const keptSources = 64

/** The sources that a change writes, by id, and keys of reviews. */
export function touchedSources(change: CatalogChange): ReadonlySet<string> {
  const { put, remove, sources, removeSources, reviews = [], removeReviews = [] } = change
  return new Set([
    ...put.map(({ source }) => source),
    ...remove.map((id) => id.slice(0, id.indexOf('/'))),
    ...sources.map(({ id }) => id),
    ...removeSources,
    ...reviews.map(({ key }) => key),
    ...removeReviews,
  ])
}

/** What a head remembers once a commit that changed these sources took its place. */
export function recentAfter(
  before: Head | null,
  commit: string,
  touched: ReadonlySet<string>,
): readonly RecentCommit[] {
  const sources = touched.size > keptSources ? null : [...touched]
  return [{ commit, sources }, ...(before?.recent ?? [])].slice(0, keptCommits)
}

/**
 * Whether a change that was planned on one head says the same on a later one: nothing that came between touched a source of it. A
 * change names only what differs from what was read, so that with another state of its sources it would be wrong.
 */
export function holdsOn(now: Head | null, planned: Head | null, touched: ReadonlySet<string>): boolean {
  if (now === null || (planned !== null && now.store !== planned.store)) return false
  const at = now.recent.findIndex(({ commit }) => commit === planned?.commit)
  // Planned on an empty store, all that was ever committed came between.
  const isKnown = planned === null ? now.recent.length < keptCommits : at >= 0
  const between = planned === null ? now.recent : now.recent.slice(0, at)
  return isKnown && between.every(({ sources }) => sources?.every((one) => !touched.has(one)) === true)
}

/** Whether a commit is among those that a head stands on. */
export const includesCommit = (head: Head | null, commit: string): boolean =>
  head?.recent.some((one) => one.commit === commit) === true
