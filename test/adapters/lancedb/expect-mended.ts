import { expect } from 'vitest'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import type { Card } from '../../../src/domain/card.ts'
import { repaired, searchedCards, storedCards } from './damaged-stores.ts'

/** Checks that a store is well. @returns its cards, each as it was stored */
export async function expectMended(home: string): Promise<readonly Card[]> {
  expect(await diagnoseStore(home)).toMatchObject({ state: 'ready' })
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  const cards = await searchedCards(home)
  const known = new Map(storedCards.map((card) => [card.id, card]))
  for (const card of cards) expect(card).toEqual(known.get(card.id))
  return cards
}
