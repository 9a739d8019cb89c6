import { randomUUID } from 'node:crypto'
import type { CardKind } from '../../../domain/card.ts'
import { imageVersion } from '../../../retrieval/index/card-index.ts'
import { hasAllParts } from '../../../retrieval/vectors-of-cards.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import type { CatalogChange } from '../../../store/catalog-writer.ts'
import { cardKinds, type StoreHead, type RecentCommit, storeLayout } from '../schemas.ts'
import { isRemote, type StoreLocation } from '../store-location.ts'
import { namedBy, retiredAfter } from './retired.ts'

/** What a commit wrote, and what it leaves. */
type Written = Pick<StoreHead, 'commit' | 'digests' | 'names' | 'versions' | 'state' | 'states'> & {
  readonly counts: CardCounts
  /** Whether readers load a new generation: states of sources alone do not make one. */
  readonly isChanged: boolean
}

/** The head that takes the place of another. */
export function headAfter(
  head: StoreHead | null,
  { counts, isChanged, commit, ...written }: Written,
  {
    location,
    model,
    change,
  }: {
    readonly location: StoreLocation
    readonly model: EmbeddingModel | null
    readonly change: CatalogChange
  },
): StoreHead {
  return {
    commit,
    layout: storeLayout,
    store: head?.store ?? randomUUID(),
    generation: (head?.generation ?? 0) + (isChanged ? 1 : 0),
    image: imageVersion,
    ...written,
    tools: counts.tool,
    agents: counts.agent,
    embedding: model && embeddingOf(model, counts),
    recent: recentAfter(head, commit, touchedSources(change)),
    retired: isRemote(location) ? retiredAfter(head, namedBy(written), new Date()) : [],
  }
}

/** What the vectors of a commit are, with so many cards of each kind. */
function embeddingOf(model: EmbeddingModel, counts: CardCounts): StoreHead['embedding'] {
  const { id, dimensions, parts } = model
  const unread = unreadOf(model, counts)
  return { model: id, dimensions, ...(parts ? { parts } : {}), ...(unread.length > 0 ? { unread } : {}) }
}

const unreadOf = (model: EmbeddingModel, counts: CardCounts): readonly CardKind[] =>
  cardKinds.filter((kind) => !hasAllParts(model, counts[kind]))

type CardCounts = { readonly [kind in CardKind]: number }

/** Whether the store was committed with the vectors that this model would make, and with search images of this Audition. */
export function isCurrent(head: StoreHead | null, model: EmbeddingModel | null): boolean {
  if (head === null || head.image !== imageVersion) return false
  const { embedding } = head
  if (model === null || embedding === null) return embedding === model
  const unread = unreadOf(model, { tool: head.tools, agent: head.agents })
  return embedding.model === model.id && String(embedding.unread ?? []) === String(unread)
}

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
  before: StoreHead | null,
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
export function holdsOn(
  now: StoreHead | null,
  planned: StoreHead | null,
  touched: ReadonlySet<string>,
): boolean {
  if (now === null) return planned === null
  if (planned !== null && now.store !== planned.store) return false
  const at = now.recent.findIndex(({ commit }) => commit === planned?.commit)
  // Planned on an empty store, all that was ever committed came between.
  const isKnown = planned === null ? now.recent.length < keptCommits : at >= 0
  const between = planned === null ? now.recent : now.recent.slice(0, at)
  return isKnown && between.every(({ sources }) => sources?.every((one) => !touched.has(one)) === true)
}

/** Whether a commit is among those that a head stands on. */
export const includesCommit = (head: StoreHead | null, commit: string): boolean =>
  head?.recent.some((one) => one.commit === commit) === true
