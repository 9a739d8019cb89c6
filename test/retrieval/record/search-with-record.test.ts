import { describe, expect, test } from 'vitest'
import { contentHash } from '../../../src/catalog/identity.ts'
import type { SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { indexedOutcome, recordIndex } from '../../../src/retrieval/record/record-index.ts'
import { weighedBy } from '../../../src/retrieval/record/weigh-search.ts'
import { graded, outcomeOf } from '../../adapters/lancedb/some-outcomes.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const description = 'Converts an amount of money from one currency to another at the rate of today'
const pair = ['one/convert_money', 'two/convert_money'].map((id) =>
  toolCard(id, { name: 'convert_money', description }),
)
const snapshot = await memorySnapshot([
  ...pair,
  toolCard('one/weather', { name: 'weather', description: 'The weather of a city' }),
])
const request: SearchRequest = { kind: 'tool', query: 'convert money to another currency' }
const recordOf = (...graded_: readonly (readonly [number, 1 | 2 | 3 | 4 | 5])[]) => {
  const record = recordIndex(null)
  record.add(
    graded_.map(([at, grade]) =>
      indexedOutcome(
        outcomeOf({
          card: pair[at]!.id,
          cardHash: contentHash(pair[at]!),
          task: 'convert money, 5 EUR to USD',
          verdict: graded(grade),
        }),
        null,
      ),
    ),
  )
  return record
}

describe('search with a track record', () => {
  test('is byte for byte as without when there is none, or nothing was recorded of what was found', async () => {
    const without = JSON.stringify(await search({ snapshot, model: null }, request))
    const empty = recordIndex(null)
    const others = recordIndex(null)
    others.add([indexedOutcome(outcomeOf({ card: 'elsewhere/tool' }), null)])
    for (const record of [empty, others])
      expect(
        JSON.stringify(await search({ snapshot, model: null, ...weighedBy(record, snapshot) }, request)),
      ).toBe(without)
  })

  test.each([
    { sound: 0, broken: 1 },
    { sound: 1, broken: 0 },
  ])(
    'of two equal descriptions the one that worked leads and stands for both ($sound)',
    async ({ sound, broken }) => {
      const record = recordOf([sound, 5], [broken, 1])
      const { candidates } = await search({ snapshot, model: null, ...weighedBy(record, snapshot) }, request)
      expect(candidates[0]!.card.id).toBe(pair[sound]!.id)
      const ranking = await search(
        { snapshot, model: null, ...weighedBy(record, snapshot) },
        { ...request, pack: 'ranking' },
      )
      const ids = ranking.candidates.map(({ card }) => card.id)
      expect(ids.indexOf(pair[sound]!.id)).toBeLessThan(ids.indexOf(pair[broken]!.id))
    },
  )

  test('tells runs, successes, time and estimate of the candidates that were run, and nothing of others', async () => {
    const record = recordOf([0, 5], [0, 4], [0, 2])
    const { candidates } = await search(
      { snapshot, model: null, ...weighedBy(record, snapshot) },
      { ...request, pack: 'ranking' },
    )
    const signalOf = (id: string) => candidates.find(({ card }) => card.id === id)!.signals.record
    expect(signalOf(pair[0]!.id)).toMatchObject({ runs: 3, successes: 2, similarRuns: 0, medianSeconds: 1.5 })
    expect(signalOf(pair[1]!.id)).toBeUndefined()
  })
})
