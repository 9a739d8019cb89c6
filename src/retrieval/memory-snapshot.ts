import type { Card, CardKind } from '../domain/card.ts'
import { type CardIndex, openCardIndex, packCardIndex } from './card-index.ts'
import { embeddingText } from './card-texts.ts'
import { type VectorRows, vectorRows } from './exact-nearest.ts'
import type { CatalogSnapshot, EmbeddingModel } from './ports.ts'

/**
 * A catalog held in memory: for benchmarks over many small corpora, and the oracle that stores are tested against.
 * Dense search is exact.
 *
 * @param model - embeds the cards; null leaves out dense search
 */
export async function memorySnapshot(
  cards: readonly Card[],
  model: EmbeddingModel | null = null,
  generation = 1,
): Promise<CatalogSnapshot> {
  const ofKind = (kind: CardKind): Card[] => cards.filter((card) => card.kind === kind)
  const indexOf = (kind: CardKind): CardIndex => {
    const index = openCardIndex(packCardIndex(ofKind(kind)))
    if (index === null) throw new Error('A search image that was just packed cannot be opened.')
    return index
  }
  const byId = new Map(cards.map((card) => [card.id, card]))
  const indexes = { tool: indexOf('tool'), agent: indexOf('agent') }
  const vectors = new Map<string, Float32Array>()
  if (model) {
    const embedded = await model.embed(cards.map(embeddingText), 'document')
    cards.forEach(({ id }, place) => {
      vectors.set(id, embedded[place]!)
    })
  }
  const rowsOf = (kind: CardKind): VectorRows => {
    const { ids } = indexes[kind]
    const own = Array.from({ length: ids.size }, (_, document) => vectors.get(ids.at(document)))
    return vectorRows(own, model?.dimensions ?? 0)
  }
  const rows = { tool: rowsOf('tool'), agent: rowsOf('agent') }
  return {
    generation,
    indexes,
    embedding: model && { model: model.id, dimensions: model.dimensions },
    cards: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    async nearest(kind, vector, depth, admitted) {
      if (model === null) return []
      const { ids } = indexes[kind]
      const found = rows[kind].nearest(vector, depth, admitted)
      return found.map(({ document, score }) => ({ id: ids.at(document), score }))
    },
  }
}
