import type { Card } from '../domain/card.ts'
import type { NamedValues } from '../retrieval/index/unknown-values.ts'
import type { HeldNotice } from '../trust/review/held-notices.ts'
import type { Audition } from './audition.ts'
import { returnOf } from '../catalog/bundled-parts.ts'
import { defined } from '../domain/defined.ts'

/** An id that no card in search has: ids like it, and why its card is held, where it is, or how it comes back. */
export type UnknownCard = {
  readonly id: string
  readonly closest: readonly string[]
  readonly held?: HeldNotice
  /** Of the bundled catalog, where that is not in search: what brings it back, as a sentence. */
  readonly bringBack?: string
}

/**
 * Cards by id, in the order asked, each once, and the ids that no card in search has.
 *
 * @param helped - unknown ids that are told with those like them: each is compared with every id. @defaultValue 1
 * @param closest - ids told as like one. @defaultValue 3
 */
export async function cardsNamed(
  app: Pick<Audition, 'cards' | 'closestIds' | 'held' | 'sources'>,
  ids: readonly string[],
  { helped = 1, closest = 3 }: { readonly helped?: number; readonly closest?: number } = {},
): Promise<{ readonly cards: readonly Card[]; readonly unknown: readonly UnknownCard[] }> {
  const wanted = [...new Set(ids)]
  const cards = await app.cards(wanted)
  const known = new Set(cards.map(({ id }) => id))
  const missing = wanted.filter((id) => !known.has(id))
  const held = missing.length === 0 ? [] : await app.held(missing)
  const unknown = missing.map(async (id, at): Promise<UnknownCard> => {
    const notice = held.find((one) => one.id === id)
    const bringBack = notice === undefined ? await returnOf(id, () => app.sources()) : undefined
    const isKnown = notice !== undefined || bringBack !== undefined
    const alike = at < helped && !isKnown ? await app.closestIds(id, closest) : []
    return { id, closest: alike, ...defined({ held: notice, bringBack }) }
  })
  return { cards, unknown: await Promise.all(unknown) }
}

/** Names of one kind that nothing in the store has, and all that there are. */
export type UnknownNames = {
  readonly field: 'sources' | keyof NamedValues
  readonly unknown: readonly string[]
  readonly known: readonly string[]
}

type Names = { readonly [field in UnknownNames['field']]?: readonly string[] | undefined }

/** The first kind of these names of which some are not in the store. Of sources of an empty store the search itself tells. */
export async function unknownNames(
  app: Pick<Audition, 'sources' | 'unknownValues'>,
  { sources = [], servers = [], tags = [] }: Names,
): Promise<UnknownNames | undefined> {
  const known = sources.length === 0 ? [] : (await app.sources()).map(({ id }) => id)
  const unknown = sources.filter((source) => !known.includes(source))
  if (unknown.length > 0 && known.length > 0) return { field: 'sources', unknown, known }
  if (servers.length + tags.length === 0) return undefined
  const [first] = await app.unknownValues({ servers, tags })
  return first && { field: first.filter, unknown: first.unknown, known: first.known }
}

/** What one thing is called that is named by a field. */
export const singularOf = { sources: 'source', servers: 'server', tags: 'tag' } as const
