import { describe, expect, test } from 'vitest'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { splitRequest } from '../../../src/retrieval/query/facets.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { rankerOver, rankingModel, split, treesOf } from '../../fakes/ranking-model.ts'
import { smallCatalog } from '../small-catalog.ts'

const task = 'book a flight to Rome and then reserve a hotel room, and email the plan to Ann'
const ranking = rankingModel(rankerOver(treesOf(split('coverage', 0.5, { atMost: -1, above: 1 }))))
const models: readonly (readonly [name: string, model: EmbeddingModel | null])[] = [
  ['by words', null],
  ['by a model', hashedWordsModel()],
  ['by a learned ranker', ranking],
]

describe.each(models)('%s', (_, model) => {
  const opened = async () => {
    const snapshot =
      model === null ? await memorySnapshot(smallCatalog) : await memorySnapshot(smallCatalog, model)
    return { snapshot, model }
  }

  test.each([
    { why: 'the same search', wanted: {} },
    { why: 'another filter', wanted: { filter: { exclude: smallCatalog.slice(0, 3).map(({ id }) => id) } } },
    { why: 'other means', wanted: { ranker: 'lexical' as const } },
  ])(
    'a step of a request that was just searched for is found as if nothing had been: $why',
    async ({ wanted }) => {
      const { asked } = splitRequest(task)
      expect(asked.length).toBeGreaterThan(2)
      const context = await opened()
      const request = { kind: 'tool', k: 10 } as const
      await search(context, { ...request, query: task })
      for (const query of asked) {
        const told = await search(context, { ...request, ...wanted, query })
        expect(told).toEqual(await search(await opened(), { ...request, ...wanted, query }))
        expect(told.candidates.length).toBeGreaterThan(0)
      }
    },
  )
})
