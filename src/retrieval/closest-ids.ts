import type { CardKind } from '../domain/card.ts'
import type { CardIndex } from './card-index.ts'
import type { StringTable } from './string-table.ts'

/** Character trigrams of an id, lower-cased, with its ends marked. */
function trigrams(text: string): Set<string> {
  const marked = `  ${text.toLowerCase()} `
  return new Set(Array.from({ length: marked.length - 2 }, (_, index) => marked.slice(index, index + 3)))
}

/**
 * Ids that share the most character trigrams (Dice) with a mistyped one, best first. Ids without a common part are left
 * out.
 *
 * @param kind - looks among this kind of card only
 */
export function closestIds(
  indexes: { readonly [kind in CardKind]: CardIndex },
  id: string,
  limit: number,
  kind?: CardKind,
): string[] {
  const tables = kind ? [indexes[kind].ids] : Object.values(indexes).map(({ ids }) => ids)
  return closestAmong(idsOf(tables), id, limit)
}

function* idsOf(tables: readonly StringTable[]): Iterable<string> {
  for (const table of tables) for (let index = 0; index < table.size; index++) yield table.at(index)
}

/** {@link closestIds} among any ids, such as those of sources. */
export function closestAmong(ids: Iterable<string>, id: string, limit: number): string[] {
  const wanted = trigrams(id)
  const scored: { id: string; score: number }[] = []
  for (const known of ids) {
    const parts = trigrams(known)
    let common = 0
    for (const part of wanted) if (parts.has(part)) common += 1
    const score = (2 * common) / (wanted.size + parts.size)
    if (score >= leastAlike) scored.push({ id: known, score })
  }
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return scored.slice(0, limit).map(({ id: known }) => known)
}

/** Dice below which two ids have nothing to do with each other. */
const leastAlike = 0.25

/** Ids that begin with the prefix, in order, then those that hold it elsewhere. Case does not count. */
export function completeIds(ids: StringTable, prefix: string, limit: number): string[] {
  const wanted = prefix.toLowerCase()
  const beginning: string[] = []
  const holding: string[] = []
  for (let index = 0; index < ids.size && beginning.length < limit; index++) {
    const id = ids.at(index)
    const place = id.toLowerCase().indexOf(wanted)
    if (place === 0) beginning.push(id)
    else if (place > 0 && holding.length < limit) holding.push(id)
  }
  return [...beginning, ...holding].slice(0, limit)
}
