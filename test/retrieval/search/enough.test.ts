import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { enoughCandidates } from '../../../src/retrieval/search/pack.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const of = (scores: readonly number[]): number =>
  enoughCandidates((k) => scores.slice(0, k).map((score) => ({ score })))

describe('enough candidates', () => {
  test.each([
    { why: 'one is sure', scores: [0.9, 0.01, 0.01, 0.01, 0.001], enough: 3 },
    { why: 'two are likely', scores: [0.5, 0.45, 0.02, 0.01, 0.01], enough: 3 },
    { why: 'six are as likely', scores: [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.001, 0.001], enough: 6 },
    { why: 'nothing tells them apart', scores: Array.from({ length: 40 }, () => 0.1), enough: 19 },
    { why: 'there are two', scores: [0.5, 0.4], enough: 2 },
    { why: 'none has a chance', scores: [0, 0, 0, 0], enough: 3 },
    { why: 'scores fell below nothing', scores: [0.4, -0.2, -0.3, -0.5], enough: 3 },
  ])('are $enough where $why', ({ scores, enough }) => expect(of(scores)).toBe(enough))

  test('are as many whatever the scores are multiplied by', () => {
    const score = fc.double({ min: 1e-6, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(0.5, 0.25),
        (list, by) => {
          const sorted = list.toSorted((a, b) => b - a)
          expect(of(sorted.map((one) => one * by))).toBe(of(sorted))
        },
      ),
    )
  })
})

test('a search by words gives the usual five', async () => {
  const cards = Array.from({ length: 12 }, (_, at) =>
    toolCard(`a/list${at}`, { description: `list things ${at}` }),
  )
  const found = await search(
    { snapshot: await memorySnapshot(cards), model: null },
    { kind: 'tool', query: 'list things', enough: true, pack: 'ranking' },
  )
  expect(found.candidates).toHaveLength(5)
})
