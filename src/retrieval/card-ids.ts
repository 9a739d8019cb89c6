import type { CardKind } from '../domain/card.ts'
import { closestIds } from '../domain/text/closest-ids.ts'
import type { CatalogEngine } from './ports.ts'
import type { CardIndex } from './index/card-index.ts'
import { stringsIn } from './index/string-table.ts'

/**
 * Ids of cards that are most like a mistyped one, best first.
 *
 * @param options.limit - at most so many
 * @param options.kind - looks among this kind of card only
 */
export function closestCardIds(
  indexes: { readonly [kind in CardKind]: CardIndex },
  id: string,
  { limit, kind }: { readonly limit: number; readonly kind?: CardKind | undefined },
): string[] {
  return closestIds(idsOf(kind ? [indexes[kind]] : Object.values(indexes)), id, limit)
}

function* idsOf(indexes: readonly Pick<CardIndex, 'ids'>[]): Iterable<string> {
  for (const { ids } of indexes) yield* stringsIn(ids)
}

/** The same in an engine: among ids that hold some letters of the mistyped one. */
export async function closestIdsIn(
  engine: CatalogEngine,
  id: string,
  { limit, kind }: { readonly limit: number; readonly kind?: CardKind | undefined },
): Promise<string[]> {
  const words = id.split(/[^\p{L}\p{N}]+/u).sort((a, b) => b.length - a.length)
  const parts = words.slice(0, 3).map((word) => word.slice(0, 4))
  const found = await Promise.all(parts.map((holding) => engine.ids({ kind, holding, limit: mostNear })))
  return closestIds(new Set(found.flat()), id, limit)
}

/** Ids that are compared with a mistyped one. */
const mostNear = 1000

/**
 * Ids that begin with the prefix, in order, then those that hold it elsewhere. Case does not count.
 *
 * @param ids - in order
 */
export function completeIds(ids: Iterable<string>, prefix: string, limit: number): string[] {
  const wanted = prefix.toLowerCase()
  const beginning: string[] = []
  const holding: string[] = []
  for (const id of ids) {
    if (beginning.length >= limit) break
    const place = id.toLowerCase().indexOf(wanted)
    if (place === 0) beginning.push(id)
    else if (place > 0 && holding.length < limit) holding.push(id)
  }
  return [...beginning, ...holding].slice(0, limit)
}

/** The same in an engine, which gives some of those that hold it: what begins with it is asked for apart. */
export async function completeIdsIn(
  engine: CatalogEngine,
  prefix: string,
  { limit, kind }: { readonly limit: number; readonly kind: CardKind },
): Promise<string[]> {
  const found = await Promise.all([
    engine.ids({ kind, limit, beginning: prefix }),
    engine.ids({ kind, limit, holding: prefix }),
  ])
  return completeIds(new Set(found.flat()), prefix, limit)
}
