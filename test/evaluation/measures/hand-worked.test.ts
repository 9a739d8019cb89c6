import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { measureNamed } from '../../../src/evaluation/measures/measures.ts'
import { gradesOf, inThisOrder } from '../rankings.ts'

const log2 = Math.log2

describe('one ranking worked by hand: x relevant, at ranks 2 and 5; one more relevant was not found', () => {
  const ranking = inThisOrder('a', 'x1', 'b', 'c', 'x2')
  const grades = gradesOf({ x1: 1, x2: 1, x3: 1, a: 0 })
  const ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
  test.each([
    { measure: 'ndcg@5', expected: (1 / log2(3) + 1 / log2(6)) / ideal, why: 'discounts of ranks 2 and 5' },
    { measure: 'ndcg@2', expected: 1 / log2(3) / (1 + 1 / log2(3)), why: 'the ideal is cut at 2 as well' },
    { measure: 'ndcg', expected: (1 / log2(3) + 1 / log2(6)) / ideal, why: 'the ranking ends at 5' },
    { measure: 'p@5', expected: 2 / 5, why: 'two of five' },
    { measure: 'p@10', expected: 2 / 10, why: 'places that stay empty count' },
    { measure: 'p', expected: 2 / 5, why: 'without a cutoff, of those that came' },
    { measure: 'recall@4', expected: 1 / 3, why: 'one of three within four' },
    { measure: 'recall', expected: 2 / 3, why: 'two of three' },
    { measure: 'f1@5', expected: (2 * 0.4 * (2 / 3)) / (0.4 + 2 / 3), why: 'the harmonic mean' },
    { measure: 'f1@1', expected: 0, why: 'no hit' },
    { measure: 'hit@1', expected: 0, why: 'the first is not relevant' },
    { measure: 'hit@2', expected: 1, why: 'the second is' },
    { measure: 'mrr', expected: 1 / 2, why: 'the first relevant one stands second' },
    { measure: 'mrr@1', expected: 0, why: 'and not within one' },
    {
      measure: 'map',
      expected: (1 / 2 + 2 / 5) / 3,
      why: 'precision at 2 and at 5, and 0 for the missing one',
    },
    { measure: 'map@2', expected: 1 / 2 / 3, why: 'still divided by three' },
    { measure: 'rprec', expected: 1 / 3, why: 'one relevant within three' },
    { measure: 'completeness@5', expected: 0, why: 'one is missing' },
    { measure: 'top1', expected: 0, why: 'the first is not relevant' },
  ])('$measure: $why', ({ measure, expected }) => {
    expect(measureNamed(measure).evaluate(ranking, { grades })).toBeCloseTo(expected, 12)
  })
})

describe('grades', () => {
  const ranking = inThisOrder('good', 'best', 'fair')
  const grades = gradesOf({ best: 3, good: 2, fair: 1 })
  test.each([
    {
      measure: 'ndcg@3',
      expected: (2 + 3 / log2(3) + 1 / 2) / (3 + 2 / log2(3) + 1 / 2),
      why: 'the gain is the grade',
    },
    {
      measure: 'ndcg-exp@3',
      expected: (3 + 7 / log2(3) + 1 / 2) / (7 + 3 / log2(3) + 1 / 2),
      why: 'the gain is 2^grade - 1',
    },
    { measure: 'ndcg-binary@3', expected: 1, why: 'all three are relevant' },
    { measure: 'top1', expected: 0, why: 'a better one is second' },
    { measure: 'mrr', expected: 1, why: 'any grade above 0 is relevant' },
  ])('$measure: $why', ({ measure, expected }) => {
    expect(measureNamed(measure).evaluate(ranking, { grades })).toBeCloseTo(expected, 12)
  })

  test('below 0 count as 0', () => {
    const junk = { grades: gradesOf({ a: -2, b: 1 }) }
    expect(measureNamed('ndcg@2').evaluate(inThisOrder('b', 'a'), junk)).toBe(1)
    expect(measureNamed('recall@1').evaluate(inThisOrder('b'), junk)).toBe(1)
  })

  test('that share the best one are each a top-1 match', () => {
    const shared = { grades: gradesOf({ a: 2, b: 2, c: 1 }) }
    expect(measureNamed('top1').evaluate(inThisOrder('b', 'a'), shared)).toBe(1)
    expect(measureNamed('top1').evaluate(inThisOrder('c', 'a'), shared)).toBe(0)
  })
})

describe('ties', () => {
  test('go to the higher id, as in trec_eval', () => {
    const tied = rank([
      { id: 'a', score: 1 },
      { id: 'b', score: 1 },
    ])
    expect(measureNamed('mrr').evaluate(tied, { grades: gradesOf({ a: 1 }) })).toBe(1 / 2)
    expect(measureNamed('mrr').evaluate(tied, { grades: gradesOf({ b: 1 }) })).toBe(1)
  })
})

describe('what ToolRet says of perfect rankings', () => {
  test.each([
    { targets: 3, k: 5, ndcg: 1, recall: 1, complete: 1, precision: 3 / 5, why: 'fewer targets than places' },
    { targets: 5, k: 5, ndcg: 1, recall: 1, complete: 1, precision: 1, why: 'as many' },
    { targets: 8, k: 5, ndcg: 1, recall: 5 / 8, complete: 0, precision: 1, why: 'more: never complete' },
  ])('$targets targets at $k, $why', ({ targets, k, ndcg, recall, complete, precision }) => {
    const ids = Array.from({ length: targets }, (_, index) => `t${index}`)
    const judgements = { grades: new Map(ids.map((id) => [id, 1])) }
    const at = (measure: string) => measureNamed(`${measure}@${k}`).evaluate(inThisOrder(...ids), judgements)
    expect([at('ndcg'), at('recall'), at('completeness'), at('p')]).toEqual([
      ndcg,
      recall,
      complete,
      precision,
    ])
  })
})

describe('Completeness with needs', () => {
  const ranking = inThisOrder('a', 'b', 'c')
  const completeness = (k: number, needs: readonly (readonly string[])[]) =>
    measureNamed(`completeness@${k}`).evaluate(ranking, { grades: gradesOf({ a: 1, b: 1, z: 1 }), needs })
  test.each([
    { why: 'one member of each need is enough', k: 2, needs: [['a', 'z'], ['b']], expected: 1 },
    { why: 'one candidate may serve two needs', k: 1, needs: [['a'], ['a', 'b']], expected: 1 },
    { why: 'the second need is met below the cutoff', k: 1, needs: [['a'], ['b']], expected: 0 },
    { why: 'nobody found serves the second need', k: 3, needs: [['a'], ['z']], expected: 0 },
    { why: 'of one need it is the hit rate', k: 1, needs: [['a', 'b', 'z']], expected: 1 },
    { why: 'nothing can serve the second need', k: 3, needs: [['a'], []], expected: 0 },
  ])('is $expected when $why', ({ k, needs, expected }) => {
    expect(completeness(k, needs)).toBe(expected)
  })

  test('does not apply to queries with a need that nothing serves, or without needs', () => {
    const applies = (needs?: string[][]) =>
      measureNamed('completeness@5').appliesTo({
        grades: gradesOf({ a: 1 }),
        ...(needs === undefined ? {} : { needs }),
      })
    expect([applies([['a']]), applies()]).toEqual([true, true])
    expect([applies([['a'], []]), applies([])]).toEqual([false, false])
  })
})

describe('rank correlations', () => {
  // The predicted order is a b c d e; the expected figures are those of scipy 1.17 (kendalltau, spearmanr).
  const predicted = inThisOrder('a', 'b', 'c', 'd', 'e')
  const correlate = (measure: string, grades: { readonly [id: string]: number }, ranking = predicted) =>
    measureNamed(measure).evaluate(ranking, { grades: gradesOf(grades) })

  test.each([
    { why: 'the same order', grades: { a: 5, b: 4, c: 3, d: 2, e: 1 }, tau: 1, rho: 1 },
    { why: 'the reverse order', grades: { a: 1, b: 2, c: 3, d: 4, e: 5 }, tau: -1, rho: -1 },
    { why: 'two neighbours exchanged, twice', grades: { a: 4, b: 5, c: 3, d: 1, e: 2 }, tau: 0.6, rho: 0.8 },
    { why: 'all grades the same', grades: { a: 1, b: 1, c: 1, d: 1, e: 1 }, tau: 0, rho: 0 },
    { why: 'one judged candidate', grades: { a: 1 }, tau: 0, rho: 0 },
  ])('of $why', ({ grades, tau, rho }) => {
    expect(correlate('kendall', grades)).toBeCloseTo(tau, 12)
    expect(correlate('spearman', grades)).toBeCloseTo(rho, 12)
  })

  test('take equal scores as ties, whatever the ids', () => {
    const scores = { a: 12, b: 2, c: 1, d: 12, e: 2 }
    const ranking = rank(Object.entries(scores).map(([id, score]) => ({ id, score })))
    const grades = { a: 1, b: 4, c: 7, d: 1, e: 0 }
    expect(correlate('kendall', grades, ranking)).toBeCloseTo(-0.4714045207910316, 12)
    expect(correlate('spearman', grades, ranking)).toBeCloseTo(-0.5407380704358752, 12)
  })

  test('pass over unjudged candidates', () => {
    const ranking = inThisOrder('u', 'a', 'v', 'b', 'w', 'c')
    expect(correlate('kendall', { a: 3, b: 2, c: 1 }, ranking)).toBe(1)
    expect(correlate('spearman', { a: 3, b: 2, c: 1 }, ranking)).toBe(1)
  })

  test('put judged candidates that are missing below the rest, tied', () => {
    // Three pairs; the ranking tells b from c and b from a, the grades all three: (1 + 1) / sqrt(2 * 3).
    expect(correlate('kendall', { b: 3, a: 2, c: 1 }, inThisOrder('b'))).toBeCloseTo(2 / Math.sqrt(6), 12)
    expect(correlate('kendall', { b: 3, a: 2, c: 1 }, inThisOrder())).toBe(0)
  })

  test('apply only where the judges saw a difference', () => {
    const applies = (grades: { readonly [id: string]: number }) =>
      measureNamed('kendall').appliesTo({ grades: gradesOf(grades) })
    expect([applies({ a: 1, b: 0 }), applies({ a: 1, b: 1 }), applies({})]).toEqual([true, false, false])
  })
})
