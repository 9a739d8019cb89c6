import { createHash } from 'node:crypto'
import { bundledParts, bundledWord } from '../../catalog/bundled-parts.ts'
import { contains } from '../../domain/paths.ts'
import type { CatalogChange, CatalogWriter } from '../../store/catalog-writer.ts'
import {
  emptyReview,
  isQuarantined,
  placesIn,
  reviewOfPlace,
  type ServerIdentity,
  type SourceReview,
} from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { deciding } from '../bundled/bundled-choice.ts'
import { bundledLocationOf } from '../bundled/former-bundled.ts'
import { pinOf } from './pin.ts'
import { boundedGone, keyIn, refusedOf } from './gone-cards.ts'

/** The review of a source that was removed, found again by how its server is started or reached. */
const retiredKey = (launch: string): string =>
  `retired:${createHash('sha256').update(launch).digest('hex').slice(0, 32)}`

/** Sources that are not there any more, by whose doing. */
type Going = {
  readonly ids: readonly string[]
  /** `user`: a person forgot them. `place`: their file or entry went, which somebody else may have done. */
  readonly by: 'user' | 'place'
}

/**
 * What removing sources changes besides them. The pins of a server, and what the user decided about it, stay: it cannot
 * shake them off by going and coming back under another name. Where the user forgets it, what they allowed goes, and what
 * they refused stays. Reviews of files go with them.
 */
export async function retireSources(
  { ids, by }: Going,
  reviews: readonly SourceReview[],
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>>> {
  const going = reviews.filter(({ key }) => ids.includes(key))
  const retired = await Promise.all(
    going.flatMap((review) => (review.server === undefined ? [] : [retire(review, review.server, writer)])),
  )
  return {
    reviews: by === 'user' ? retired.map(withoutAllowed) : retired,
    removeReviews: going.map(({ key }) => key),
  }
}

/**
 * The same without what the user allowed: no text is accepted, and its changes are not trusted. What was accepted, or is in search
 * though the scan finds it at fault, does not come back by itself: it is scanned and held as it comes.
 */
function withoutAllowed({ decision, ...review }: SourceReview): SourceReview {
  const { accepted, gone } = review
  return {
    ...review,
    ...(decision === 'untrusted' ? { decision } : {}),
    accepted: [],
    gone: gone.map((one) => {
      const isFaulty = isQuarantined({ findings: one.card?.flags ?? [] })
      if (one.refused || (!isFaulty && !accepted.includes(one.pin))) return one
      return { key: one.key, pin: isFaulty ? one.pin : '' }
    }),
  }
}

/**
 * Forgets sources and their cards; see {@link retireSources}. What is of the bundled catalog stays away, until the user names
 * it again.
 *
 * @param words - ids of sources; `bundled` for all of the bundled catalog
 * @param bundledFolder - where that lies in this installation
 */
export async function removeSources(
  writer: CatalogWriter,
  words: readonly string[],
  bundledFolder?: string,
): Promise<void> {
  const isWhole = words.includes(bundledWord)
  const ids: string[] = []
  const locations = new Set<string>(isWhole ? bundledParts : [])
  for (const state of await writer.sources()) {
    const location = await bundledLocationOf(state, bundledFolder, writer)
    if (!words.includes(state.id) && !(isWhole && location !== undefined)) continue
    ids.push(state.id)
    if (location !== undefined && !isWhole) locations.add(location)
  }
  const reviews = await writer.reviews()
  const retired = await retireSources({ ids, by: 'user' }, reviews, writer)
  const decided = deciding([...locations], 'removed', reviews)
  const places = placesWithout(ids, await writer.sources(), reviews)
  await writer.commit({
    put: [],
    remove: [],
    sources: [],
    removeSources: ids,
    reviews: [...retired.reviews, ...decided.reviews, ...places.reviews],
    removeReviews: [...retired.removeReviews, ...decided.removeReviews, ...places.removeReviews],
  })
}

/** Folders that a person named: what was removed of one stays away, and one without sources is forgotten. */
function placesWithout(
  ids: readonly string[],
  states: readonly SourceState[],
  reviews: readonly SourceReview[],
): Required<Pick<CatalogChange, 'reviews' | 'removeReviews'>> {
  const change = { reviews: [] as SourceReview[], removeReviews: [] as string[] }
  for (const place of placesIn(reviews).filter(({ isNamed }) => isNamed === true)) {
    const within = states.filter(({ location }) => contains({ folder: place.folder, path: location }))
    const gone = within.filter(({ id }) => ids.includes(id)).map(({ location }) => location)
    if (gone.length === 0) continue
    const review = reviewOfPlace({ ...place, without: [...(place.without ?? []), ...gone] })
    if (gone.length === within.length) change.removeReviews.push(review.key)
    else change.reviews.push(review)
  }
  return change
}

async function retire(
  { key, decision, accepted, held, gone }: SourceReview,
  server: ServerIdentity,
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<SourceReview> {
  const cards = await writer.cards([...(await writer.hashes(key)).keys()])
  return {
    ...emptyReview(retiredKey(server.launch)),
    server,
    ...(decision === undefined ? {} : { decision }),
    accepted,
    gone: boundedGone([
      ...gone,
      ...cards.map((card) => ({ key: keyIn(card), pin: pinOf(card, server), card })),
      ...refusedOf(held),
    ]),
  }
}

/**
 * The review that a source begins with. One that is new, and whose server was known under another id, begins with the pins
 * and decisions of that one.
 *
 * @param source.launch - how its server is started or reached; absent for files
 */
export async function firstReview(
  { id, launch }: { readonly id: string; readonly launch: string | undefined },
  { states, reviews }: { readonly states: readonly SourceState[]; readonly reviews: readonly SourceReview[] },
  writer: Pick<CatalogWriter, 'hashes' | 'cards'>,
): Promise<{ readonly review: SourceReview; readonly adopted?: string }> {
  const own = reviews.find(({ key }) => key === id)
  if (own !== undefined) return { review: own }
  const isNew = states.every((state) => state.id !== id)
  if (!isNew || launch === undefined) return { review: emptyReview(id) }
  const retired = reviews.find(({ key }) => key === retiredKey(launch))
  if (retired !== undefined) return { review: { ...retired, key: id }, adopted: retired.key }
  const sibling = reviews.find(({ key, server }) => key !== id && server?.launch === launch)
  if (sibling?.server === undefined) return { review: emptyReview(id) }
  return { review: { ...(await retire(sibling, sibling.server, writer)), key: id } }
}
