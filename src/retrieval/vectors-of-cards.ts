import type { Card } from '../domain/card.ts'
import type { Sending } from '../store/catalog-writer.ts'
import { cardInEnglish } from './glossary/card-in-english.ts'
import type { EmbeddingModel } from './ports.ts'
import { embeddingText } from './text/card-texts.ts'

/** Whether cards of a kind of which there are so many have all parts of a vector. */
export const hasAllParts = ({ mostCards }: EmbeddingModel, cardsOfKind: number): boolean =>
  mostCards === undefined || cardsOfKind <= mostCards

const textOf = (card: Card): string => embeddingText(cardInEnglish(card))

/** What embedding cards would send to others, none where all are kept and nobody agreed to send requests; null where nothing is sent. */
export function sendingOf({ service }: EmbeddingModel, cards: readonly Card[]): Sending | null {
  const sending = cards.length === 0 ? undefined : service?.sendingOf(cards.map(textOf))
  return sending === undefined || (sending.texts === 0 && sending.isAgreed) ? null : sending
}

type CardVectorsOptions = {
  /** How many there are of the cards' kind in all. @defaultValue as many as are given */
  readonly cardsOfKind?: number
  readonly signal?: AbortSignal | undefined
}

/** One unit vector per card of one kind, in order, by what the model reads of it where it chooses that itself. */
export async function vectorsOfCards(
  model: EmbeddingModel,
  cards: readonly Card[],
  { cardsOfKind = cards.length, signal }: CardVectorsOptions = {},
): Promise<readonly Float32Array[]> {
  const { plain, parts, dimensions } = model
  if (plain === undefined || parts === undefined || hasAllParts(model, cardsOfKind))
    return model.embedCards
      ? model.embedCards(cards.map(cardInEnglish))
      : model.embed(cards.map(textOf), 'document', signal)
  const first = await vectorsOfCards(plain, cards, { signal })
  return first.map((vector) => {
    const whole = new Float32Array(dimensions)
    whole.set(vector.map((value) => value / Math.sqrt(parts.length)))
    return whole
  })
}
