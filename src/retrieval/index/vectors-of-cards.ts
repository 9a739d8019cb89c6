import type { Card } from '../../domain/card.ts'
import { embeddingText } from '../text/card-texts.ts'
import type { EmbeddingModel } from '../ports.ts'

/** One unit vector per card, in order, by what the model reads of it where it chooses that itself. */
export const vectorsOfCards = (
  model: EmbeddingModel,
  cards: readonly Card[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> =>
  model.embedCards ? model.embedCards(cards) : model.embed(cards.map(embeddingText), 'document', signal)
