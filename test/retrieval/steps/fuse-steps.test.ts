import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Retrieved } from '../../../src/retrieval/rank/ranked-card.ts'
import { fuseSteps } from '../../../src/retrieval/rank/fuse-steps.ts'

const gain = { learned: 0.5, plain: 0.2 }
type Scores = { readonly [document: number]: number }

const listOf = (scores: Scores) =>
  new Map(Object.entries(scores).map(([document, score]) => [Number(document), score]))

/** What a learned ranker found: probabilities. */
const learned = (scores: Scores): Retrieved => ({
  lexical: new Map(),
  dense: new Map(),
  alone: new Map(),
  fused: listOf(scores),
  answerable: 0.5,
  probe: { terms: 1, weight: 1 } as Retrieved['probe'],
})

/** What words found: scores are scaled by the best. */
function byWords(scores: Scores): Retrieved {
  const best = Math.max(...Object.values(scores))
  const lexical = listOf(scores)
  const fused = new Map([...lexical].map(([document, score]) => [document, score / best]))
  return { ...learned({}), lexical, fused, answerable: undefined }
}

const order = (scores: ReadonlyMap<number, number>): number[] =>
  [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([document]) => document)

describe('fuseSteps', () => {
  test('a request of one step is ranked as it is', () => {
    const whole = learned({ 1: 0.7, 2: 0.2 })
    expect(fuseSteps(whole, [], gain)).toBe(whole.fused)
  })

  test('where nearly all is a story, what only the story speaks for stands behind what is asked for', () => {
    const story = { 1: 0.9, 2: 0.4, 3: 0.3 }
    const asked = { 1: 0.01, 2: 0.7 }
    expect(order(fuseSteps(learned(story), [learned(asked)], gain))).toEqual([1, 2, 3])
    expect(order(fuseSteps(learned(story), [learned(asked)], { ...gain, story: 0.9 }))).toEqual([2, 1, 3])
    expect(order(fuseSteps(byWords(story), [byWords(asked)], gain))).toEqual([1, 2, 3])
    expect(order(fuseSteps(byWords(story), [byWords(asked)], { ...gain, story: 0.9 }))).toEqual([2, 1, 3])
  })

  test('steps that may gain nothing change nothing, however much is a story', () => {
    const whole = learned({ 1: 0.9, 2: 0.4 })
    expect(fuseSteps(whole, [learned({ 2: 0.9 })], { learned: 0, plain: 0, story: 0.9 })).toEqual(whole.fused)
  })

  test('what a step is surer of comes before what nothing is sure of, and after what the request is sure of', () => {
    const whole = learned({ 1: 0.9, 2: 0.4, 3: 0.3, 4: 0.1 })
    const steps = [learned({ 1: 0.9, 2: 0.2 }), learned({ 4: 0.8, 3: 0.1 })]
    expect(order(fuseSteps(whole, steps, gain))).toEqual([1, 2, 4, 3])
    expect(order(fuseSteps(whole, [steps[0]!, learned({ 4: 0.97 })], gain))).toEqual([1, 4, 2, 3])
  })

  test('steps that know no better change nothing', () => {
    const whole = learned({ 1: 0.9, 2: 0.4, 3: 0.3 })
    const steps = [learned({ 1: 0.8, 3: 0.35 }), learned({ 2: 0.45, 1: 0.1 })]
    expect(fuseSteps(whole, steps, gain)).toEqual(whole.fused)
  })

  test('a card that only a step found comes in', () => {
    const fused = fuseSteps(learned({ 1: 0.9 }), [learned({ 1: 0.9 }), learned({ 2: 0.95 })], gain)
    expect(order(fused)).toEqual([1, 2])
    expect(fused.get(2)).toBeLessThan(0.5)
  })

  test('by words, the best step has its share of the score', () => {
    const whole = byWords({ 1: 12, 2: 6, 3: 5 })
    const fused = fuseSteps(whole, [byWords({ 3: 14, 1: 7 }), byWords({ 3: 2 })], gain)
    expect(order(fused)).toEqual([1, 3, 2])
    expect(fused.get(1)).toBe(1)
    expect(fused.get(3)! / fused.get(2)!).toBeCloseTo((0.8 * (5 / 12) + 0.2) / (0.8 * (6 / 12)), 9)
  })

  const probabilities = fc.dictionary(
    fc.integer({ min: 1, max: 9 }).map(String),
    fc.double({ min: 0, max: 1, noNaN: true }),
    { minKeys: 1 },
  )

  test('no card falls, none becomes surer than its best step, and the order of steps says nothing', () => {
    fc.assert(
      fc.property(probabilities, fc.array(probabilities, { minLength: 1, maxLength: 4 }), (all, each) => {
        const whole = learned(all)
        const steps = each.map(learned)
        const fused = fuseSteps(whole, steps, gain)
        for (const [document, score] of fused) {
          const before = whole.fused.get(document) ?? 0
          expect(score).toBeGreaterThanOrEqual(before)
          const best = Math.max(before, ...steps.map((step) => step.fused.get(document) ?? 0))
          expect(score).toBeLessThanOrEqual(best + 1e-9)
        }
        expect(fuseSteps(whole, steps.toReversed(), gain)).toEqual(fused)
      }),
    )
  })
})
