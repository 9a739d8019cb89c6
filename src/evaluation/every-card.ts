import type { Card } from '../domain/card.ts'
import type { CatalogSnapshot } from '../retrieval/ports.ts'

/** All cards of a snapshot, tools first. */
export function everyCard(index: CatalogSnapshot): Promise<readonly Card[]> {
  const ids = (['tool', 'agent'] as const).flatMap((kind) => {
    const { size, ids: table } = index.indexes[kind]
    return Array.from({ length: size }, (_, document) => table.at(document))
  })
  return index.cards(ids)
}
