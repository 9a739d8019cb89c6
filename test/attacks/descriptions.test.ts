import { describe, expect, test } from 'vitest'
import { descriptions } from './descriptions/suite.ts'
import { readPart } from './descriptions/corpus.ts'
import { attackParts, honestParts } from './descriptions/measure.ts'

const quickly = {
  data: null,
  quick: true,
  cards: null,
  state: null,
  tools: () => [],
  sizes: [],
  log: () => undefined,
  corpus: () => '',
  corpusOf: () => '',
  queries: () => [],
  store: async () => '',
  keep: () => undefined,
  scratch: () => '',
  remove: () => undefined,
}

describe('poisoned descriptions', () => {
  test('the suite keeps its floors without the published catalogs', async () => {
    const { floors } = await descriptions.run(quickly)
    expect(floors.filter(({ outcome }) => outcome === 'missed')).toEqual([])
    expect(floors.filter(({ outcome }) => outcome === 'ok')).toHaveLength(8)
  })

  test('the corpus is as large as it is said to be, and no card is in it twice', () => {
    const attacks = attackParts.flatMap(readPart)
    const honest = honestParts.flatMap(readPart)
    expect(attacks.length).toBeGreaterThanOrEqual(250)
    expect(new Set(attacks.map((sample) => sample.class)).size).toBeGreaterThanOrEqual(12)
    expect(honest.length).toBeGreaterThanOrEqual(550)
    const texts = [...attacks, ...honest].map(({ card }) => `${card.id} ${card.description}`)
    expect(new Set(texts).size).toBe(texts.length)
  })
})
