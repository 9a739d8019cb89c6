import { expect, test } from 'vitest'
import { textsOfCard } from '../../src/trust/scan/card-texts.ts'
import { scanText } from '../../src/trust/scan/scan-text.ts'
import { bundledCards } from '../attacks/descriptions/learn/ordinary-texts.ts'

test('no card that comes with the package is flagged: not the first that a user sees', () => {
  const cards = bundledCards()
  expect(cards.length).toBeGreaterThan(140)
  const found = cards.flatMap((card) =>
    textsOfCard(card)
      .flatMap(scanText)
      .map(({ rule, excerpt }) => ({ card: card.name, rule, excerpt })),
  )
  expect(found).toEqual([])
})
