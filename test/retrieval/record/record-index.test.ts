import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Outcome, succeeded } from '../../../src/domain/outcome.ts'
import {
  type RecordEstimate,
  type RecordedCard,
  recordEstimates,
} from '../../../src/retrieval/record/record-estimate.ts'
import { indexedOutcome, type RecordIndex, recordIndex } from '../../../src/retrieval/record/record-index.ts'
import { quantisedTask } from '../../../src/retrieval/record/task-vectors.ts'
import { graded, outcomeOf } from '../../adapters/lancedb/some-outcomes.ts'

const indexOf = (...outcomes: readonly Outcome[]) => {
  const index = recordIndex(null)
  index.add(outcomes.map((outcome) => indexedOutcome(outcome, null)))
  return index
}
const need = { texts: ['send an email to the team'], vectors: [] }

test.each([
  { why: 'a grade of 4', outcome: outcomeOf({ verdict: graded(4) }), expected: true },
  { why: 'a grade of 3', outcome: outcomeOf({ verdict: graded(3) }), expected: false },
  {
    why: 'a failure that nobody graded',
    outcome: outcomeOf({ verdict: null, ending: 'failed' }),
    expected: false,
  },
  { why: 'an answer that nobody graded', outcome: outcomeOf({ verdict: null }), expected: undefined },
  {
    why: 'a run that was called off',
    outcome: outcomeOf({ verdict: null, ending: 'cancelled' }),
    expected: undefined,
  },
])('$why is success: $expected', ({ outcome, expected }) => {
  expect(succeeded(indexedOutcome(outcome, null))).toBe(expected)
})

const recordedOf = (
  index: RecordIndex,
  asked: Parameters<typeof recordEstimates>[1]['need'],
  card: RecordedCard,
  undocumented = 1,
): RecordEstimate => recordEstimates(index, { need: asked, cards: [card], undocumented }).get(card.id)!

describe('what a record says of a card', () => {
  test('verdicts on an earlier text of the card count less, old ones less, and undocumented successes half', () => {
    const estimateOf = (outcomes: readonly Outcome[], hash?: string, documented = true) =>
      recordedOf(
        indexOf(...outcomes),
        need,
        { id: 'post/send_email', hash, documents: () => documented },
        0.5,
      ).ownEstimate
    const now = outcomeOf({ card: 'other/one', time: '2026-03-01T00:00:00.000Z' })
    const fresh = estimateOf([now, outcomeOf({ time: now.time })], 'one')
    const aged = estimateOf([now, outcomeOf({ time: '2025-03-01T00:00:00.000Z' })], 'one')
    const changed = estimateOf([now, outcomeOf({ time: now.time })], 'two')
    const undocumented = estimateOf([now, outcomeOf({ time: now.time })], 'one', false)
    for (const less of [aged, changed]) {
      expect(less).toBeLessThan(fresh)
      expect(less).toBeGreaterThan(0.5)
    }
    expect(undocumented).toBeCloseTo(0.5, 10)
  })

  test('tells similar tasks apart by their vectors, and the same text without', () => {
    const index = recordIndex({ model: 'two axes', dimensions: 2 })
    const [mail, chart] = [quantisedTask(Float32Array.of(1, 0)), quantisedTask(Float32Array.of(0, 1))]
    index.add([
      indexedOutcome(outcomeOf({ task: 'mail it' }), mail),
      indexedOutcome(outcomeOf({ task: 'draw a chart', verdict: graded(1) }), chart),
    ])
    const asked = (vectors: readonly Float32Array[], text = 'write a letter') =>
      recordedOf(index, { texts: [text], vectors }, { id: 'post/send_email' })
    const [some, most] = [asked([Float32Array.of(0.8, 0.6)]), asked([Float32Array.of(1, 0)])]
    expect(most).toMatchObject({ runs: 2, successes: 1, similarRuns: 1, similarSuccesses: 1 })
    expect(most.estimate).toBeGreaterThan(some.estimate)
    const byText = asked([], '  Draw A chart')
    expect(byText).toMatchObject({ similarRuns: 1, similarSuccesses: 0 })
    expect(byText.estimate).toBeLessThan(0.5)
  })

  test('expects of a card what similar cards did on such tasks, and counts its own verdicts once', () => {
    const [worked, failed] = [graded(5), graded(1)]
    const of = (verdict: typeof worked, task: string) =>
      indexOf(...['a/one', 'b/two', 'c/three'].map((card) => outcomeOf({ card, task, verdict })))
    const untried = { id: 'post/send_email' }
    const others = ['a/one', 'b/two', 'c/three'].map((id) => ({ id }))
    const estimates = (index: RecordIndex) => {
      const known = recordEstimates(index, {
        need: { texts: ['mail it'], vectors: [] },
        cards: [untried, ...others],
      })
      return [known.get(untried.id)!.estimate, known.get(untried.id)!.ownEstimate]
    }
    expect(estimates(of(worked, 'mail it'))[0]).toBeGreaterThan(estimates(of(worked, 'sing'))[0]!)
    expect(estimates(of(failed, 'mail it'))[0]).toBeLessThan(estimates(of(failed, 'sing'))[0]!)
    for (const index of [of(worked, 'mail it'), of(failed, 'mail it')]) expect(estimates(index)[1]).toBe(0.5)
    const index = of(worked, 'mail it')
    const asked = { texts: ['mail it'], vectors: [] }
    const alone = recordedOf(index, asked, { id: 'a/one' })
    const twice = recordEstimates(index, { need: asked, cards: [{ id: 'a/one' }] }).get('a/one')!
    expect(twice).toEqual(alone)
  })

  test('is the same in whichever order and portions outcomes came, and however often', () => {
    const some = fc.uniqueArray(
      fc.record({
        id: fc.uuid(),
        card: fc.constantFrom('a/x', 'a/y', 'b/x'),
        task: fc.constantFrom('one', 'two', 'three'),
        time: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'),
        verdict: fc.constantFrom(null, graded(1), graded(4), graded(5)),
      }),
      { maxLength: 60, selector: ({ id }) => id },
    )
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 60 }), (parts, cut) => {
        const outcomes = parts.map((part) => outcomeOf(part))
        const whole = indexOf(...outcomes)
        const pieces = indexOf(...outcomes.slice(cut).reverse())
        pieces.add(outcomes.map((outcome) => indexedOutcome(outcome, null)))
        expect(pieces.size).toBe(whole.size)
        for (const id of ['a/x', 'a/y', 'b/x', 'c/none']) {
          const asked = { texts: ['two'], vectors: [] }
          expect(recordedOf(pieces, asked, { id })).toEqual(recordedOf(whole, asked, { id }))
        }
      }),
    )
  })
})
