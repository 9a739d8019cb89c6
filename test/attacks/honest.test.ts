import { afterAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../src/compose/open-models.ts'
import { honestCards, honestCases } from './honest/honest-sources.ts'
import { type Guise, guises, harmOf, honestOutcomes, mostLost, mostMoved } from './honest/measure.ts'

const model = await staticModel(builtInModel)
afterAll(() => model.close())

test('there are enough honest cases of every kind, and each is served by a card', () => {
  expect(honestCases.length).toBeGreaterThanOrEqual(300)
  const known = new Set(honestCards.map(({ id }) => id))
  expect(known.size).toBe(honestCards.length)
  expect(honestCases.flatMap(({ serves }) => serves).filter((id) => !known.has(id))).toEqual([])
  const counts = new Map<string, number>()
  for (const { kind } of honestCases) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  expect(counts.size).toBe(9)
  for (const [kind, count] of counts) expect(count, kind).toBeGreaterThanOrEqual(10)
})

describe.each(Object.keys(guises) as Guise[])('honest sources, %s', (guise) => {
  test.each([
    { by: 'words alone', embedding: null, pack: 'ranking' },
    { by: 'words alone', embedding: null, pack: 'diverse' },
    { by: 'the model that ships', embedding: model, pack: 'ranking' },
    { by: 'the model that ships', embedding: model, pack: 'diverse' },
  ] as const)('lose next to nothing by the defences: $by, $pack', async ({ embedding, pack }) => {
    const { lost, moved } = harmOf(await honestOutcomes(guise, embedding, pack))
    expect(lost).toBeLessThanOrEqual(mostLost)
    expect(moved).toBeLessThanOrEqual(mostMoved)
  })
})
