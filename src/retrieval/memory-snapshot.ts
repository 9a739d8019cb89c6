import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentHash } from '../catalog/identity.ts'
import type { Card, CardKind } from '../domain/card.ts'
import { allInstalled, type Standings } from '../trust/standing.ts'
import type { CatalogSnapshot, EmbeddingModel } from './ports.ts'
import { type CardIndex, openCardIndex, packCardIndex } from './index/card-index.ts'
import { quantisedVectors } from './index/quantised-vectors.ts'
import { vectorsOfCards } from './vectors-of-cards.ts'

/** What a catalog in memory is besides its cards. */
type MemoryOptions = {
  /** Integer >= 1. @defaultValue 1 */
  readonly generation?: number
  /** Whose words a source holds. @defaultValue all are installed */
  readonly standingOf?: Standings
}

/**
 * A catalog held in memory: for benchmarks over many small corpora, and the oracle that stores are tested against.
 *
 * @param model - embeds the cards; null leaves out dense search
 */
export async function memorySnapshot(
  cards: readonly Card[],
  model: EmbeddingModel | null = null,
  { generation = 1, standingOf = allInstalled }: MemoryOptions = {},
): Promise<CatalogSnapshot> {
  const indexOf = async (kind: CardKind): Promise<CardIndex> => {
    const own = cards.filter((card) => card.kind === kind)
    const vectors = model && quantisedVectors(model.dimensions, model.parts)
    const embedded = model ? await vectorsOfCards(model, own) : []
    embedded.forEach((vector, place) => {
      vectors?.add(own[place]!.id, vector)
    })
    await nextTurn() // packing is work of the processor alone: whoever waits meanwhile has his turn before it
    const index = openCardIndex(
      packCardIndex(own, { vectors, tokensOf: model?.ranker?.tokensOf ?? null, standingOf }),
    )
    if (index === null) throw new Error('A search image that was just packed cannot be opened.')
    return index
  }
  const byId = new Map(cards.map((card) => [card.id, card]))
  const indexes = { tool: await indexOf('tool'), agent: await indexOf('agent') }
  return {
    generation,
    indexes,
    embedding: model && { model: model.id, dimensions: model.dimensions },
    cards: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    hashes: async (ids) =>
      new Map(ids.flatMap((id) => byId.get(id) ?? []).map((card) => [card.id, contentHash(card)])),
  }
}
