import type { Card } from '../../domain/card.ts'
import { embeddingText, textsOf } from '../text/card-texts.ts'
import type { EmbeddingModel } from '../ports.ts'

/** One unit vector per card, in order, by its fields where the model reads them apart. */
export const vectorsOfCards = (
  model: EmbeddingModel,
  cards: readonly Card[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> =>
  model.embedCards
    ? model.embedCards(cards.map(textsOf))
    : model.embed(cards.map(embeddingText), 'document', signal)
