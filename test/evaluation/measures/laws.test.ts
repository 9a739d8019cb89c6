import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { type Judgements, relevantOf } from '../../../src/evaluation/measures/measure.ts'
import { measureNamed, measures } from '../../../src/evaluation/measures/measures.ts'
import { candidates, inThisOrder, judged, needs } from '../rankings.ts'

const names = measures.flatMap(({ name, cutoff }) =>
  cutoff === 'none' ? [name] : [name, `${name}@1`, `${name}@3`, `${name}@10`],
)
const correlations = ['kendall', 'spearman']
const judgements: fc.Arbitrary<Judgements> = fc
  .tuple(judged, fc.option(needs, { nil: undefined }))
  .map(([grades, wanted]) => ({ grades, ...(wanted === undefined ? {} : { needs: wanted }) }))

describe.each(names)('%s', (name) => {
  const { evaluate } = measureNamed(name)

  test('stays within its bounds', () => {
    const least = correlations.includes(name) ? -1 : 0
    fc.assert(
      fc.property(candidates, judgements, (found, known) => {
        const value = evaluate(rank(found), known)
        expect(value).toBeGreaterThanOrEqual(least - 1e-12)
        expect(value).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })

  test('does not depend on the order in which candidates and judgements arrive', () => {
    const shuffled = candidates.chain((found) =>
      fc.tuple(
        fc.constant(found),
        fc.shuffledSubarray(found, { minLength: found.length, maxLength: found.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, judgements, ([found, again], known) => {
        const backwards = { ...known, grades: new Map([...known.grades].reverse()) }
        expect(evaluate(rank(again), backwards)).toBeCloseTo(evaluate(rank(found), known), 12)
      }),
    )
  })

  test('is 0 of an empty ranking and of a query without judgements', () => {
    fc.assert(
      fc.property(candidates, judged, (found, grades) => {
        expect(evaluate(rank([]), { grades })).toBe(0)
        expect(evaluate(rank(found), { grades: new Map() })).toBe(0)
      }),
    )
  })

  // A longer ranking has a lower precision and F1 by definition when no cutoff limits it.
  test.skipIf(['p', 'f1'].includes(name))('does not heed unjudged candidates below all others', () => {
    fc.assert(
      fc.property(candidates, judgements, (found, known) => {
        const longer = [...found, { id: 'unjudged-1', score: -10 }, { id: 'unjudged-2', score: -11 }]
        expect(evaluate(rank(longer), known)).toBe(evaluate(rank(found), known))
      }),
    )
  })

  test('never falls when a better candidate changes places with a worse one above it', () => {
    const ids = [...'abcdefgh']
    const swap = fc.tuple(
      fc.shuffledSubarray(ids, { minLength: 8, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 }),
      fc.tuple(fc.nat(7), fc.nat(7)).filter(([above, below]) => above < below),
    )
    fc.assert(
      fc.property(swap, ([order, values, [above, below]]) => {
        const grades = new Map(ids.map((id, index) => [id, values[index]!]))
        fc.pre(grades.get(order[above]!)! < grades.get(order[below]!)!)
        const swapped = order.with(above, order[below]!).with(below, order[above]!)
        const before = evaluate(inThisOrder(...order), { grades })
        expect(evaluate(inThisOrder(...swapped), { grades })).toBeGreaterThanOrEqual(before - 1e-12)
      }),
    )
  })
})

const perfect = judged.filter((grades) => relevantOf(grades) > 0)
const bestFirst = (grades: ReadonlyMap<string, number>): readonly string[] =>
  [...grades].sort(([, a], [, b]) => b - a).map(([id]) => id)

test.each(['ndcg@12', 'ndcg-exp@12', 'ndcg-binary@12', 'recall@12', 'completeness@12'])(
  '%s of a perfect ranking is 1 where the relevant ones fit in',
  (name) => {
    fc.assert(
      fc.property(perfect, (grades) => {
        expect(measureNamed(name).evaluate(inThisOrder(...bestFirst(grades)), { grades })).toBe(1)
      }),
    )
  },
)

test.each(['ndcg@2', 'ndcg', 'hit@1', 'mrr', 'map', 'rprec', 'top1'])(
  '%s of a perfect ranking is 1, however many are relevant',
  (name) => {
    fc.assert(
      fc.property(perfect, (grades) => {
        expect(measureNamed(name).evaluate(inThisOrder(...bestFirst(grades)), { grades })).toBeCloseTo(1, 12)
      }),
    )
  },
)

test('Completeness is 1 exactly where Recall is', () => {
  fc.assert(
    fc.property(candidates, judged, fc.integer({ min: 1, max: 12 }), (found, grades, k) => {
      const at = (measure: string) => measureNamed(`${measure}@${k}`).evaluate(rank(found), { grades })
      expect(at('completeness')).toBe(at('recall') === 1 ? 1 : 0)
    }),
  )
})

test('binary nDCG is nDCG where grades are binary', () => {
  fc.assert(
    fc.property(candidates, judged, (found, graded) => {
      const grades = new Map([...graded].map(([id, grade]) => [id, Math.min(grade, 1)]))
      const at = (measure: string) => measureNamed(`${measure}@5`).evaluate(rank(found), { grades })
      expect([at('ndcg-binary'), at('ndcg-exp')]).toEqual([at('ndcg'), at('ndcg')])
    }),
  )
})
