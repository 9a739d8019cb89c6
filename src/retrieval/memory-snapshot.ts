import type { Card, CardKind } from '../domain/card.ts'
import { rank } from '../domain/ranking.ts'
import { type CardIndex, openCardIndex, packCardIndex } from './card-index.ts'
import { embeddingText } from './card-texts.ts'
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
  return {
    generation,
    indexes,
    embedding: model && { model: model.id, dimensions: model.dimensions },
    cards: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    async nearest(kind, vector, depth, admitted) {
      const { ids } = indexes[kind]
      const found: { id: string; score: number }[] = []
      for (let document = 0; document < ids.size; document++) {
        if (admitted !== null && admitted[document] === 0) continue
        const id = ids.at(document)
        const own = vectors.get(id)
        if (own) found.push({ id, score: dot(own, vector) })
      }
      return rank(found).slice(0, depth)
    },
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
