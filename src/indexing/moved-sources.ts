import type { Card } from '../domain/card.ts'
import { contentHash } from '../catalog/identity.ts'
import type { ReadPart } from './plan-source.ts'
import type { CatalogWriter } from '../store/catalog-writer.ts'
import type { SourceState } from '../store/source-state.ts'

/** Sources that a run read first and that hold, card by card, just what a known source holds: by id, that source. */
export async function movedSources(
  parts: readonly ReadPart[],
  states: readonly SourceState[],
  writer: Pick<CatalogWriter, 'hashes'>,
): Promise<ReadonlyMap<string, SourceState>> {
  const moved = new Map<string, SourceState>()
  for (const { id, source, state, result } of parts) {
    if (state !== undefined || result.outcome !== 'read' || result.cards.length === 0) continue
    const { cards } = result
    for (const other of states) {
      if (other.reader !== source.reader || other.tools + other.agents !== cards.length) continue
      const hashes = await writer.hashes(other.id)
      if (!cards.every((card) => isIn(hashes, asOf(card, other.id)))) continue
      moved.set(id, other)
      break
    }
  }
  return moved
}

const isIn = (hashes: ReadonlyMap<string, string>, card: Card): boolean =>
  hashes.get(card.id) === contentHash(card)

const asOf = (card: Card, source: string): Card => ({
  ...card,
  id: `${source}${card.id.slice(card.source.length)}`,
  source,
})
