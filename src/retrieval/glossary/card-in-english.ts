import type { Card } from '../../domain/card.ts'
import { englishOf, withEnglish } from './english-of.ts'

/** A card is embedded, packed and counted. */
const known = new WeakMap<Card, Card>()

/** A card as it is found: what it says of itself in another language stands there in English too. An English one is itself. */
export function cardInEnglish(card: Card): Card {
  const before = known.get(card)
  if (before !== undefined) return before
  const made = madeEnglish(card)
  known.set(card, made)
  return made
}

function madeEnglish(card: Card): Card {
  const english = englishOf([card.name, card.title, card.description].filter(Boolean).join('\n'))
  if (english === undefined) return card
  return {
    ...card,
    description: `${card.description}\n${english}`.trim(),
    examples: card.examples.map(withEnglish),
  }
}
