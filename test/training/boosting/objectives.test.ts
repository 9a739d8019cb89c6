import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Grades, rank } from '../../../src/domain/ranking.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import { boostingSettings } from '../../../embeddings/trainer/src/boosting/boosting-settings.ts'
import type { GradedRows } from '../../../embeddings/trainer/src/boosting/graded-rows.ts'
import { type ObjectiveName, objectives } from '../../../embeddings/trainer/src/boosting/objectives.ts'

const settings = (truncation = 20) => boostingSettings({ truncation }, 1)

const rowsOf = (queries: readonly (readonly number[])[], weights?: readonly number[]): GradedRows => {
  let start = 0
  const groups = queries.map((grades) => {
    start += grades.length
    return start - grades.length
  })
  return {
    features: new Float32Array(start),
    groups: Uint32Array.from(groups),
    grades: Float32Array.from(queries.flat()),
    ...(weights && { weights: Float32Array.from(weights) }),
  }
}

function derivativesOf(
  name: ObjectiveName,
  rows: GradedRows,
  scores: readonly number[],
  truncation?: number,
): { first: number[]; second: number[] } {
  const into = { first: new Float32Array(scores.length), second: new Float32Array(scores.length) }
  const queries = Uint32Array.from(rows.groups, (_, query) => query)
  objectives[name].derivatives(rows, settings(truncation))(Float64Array.from(scores), queries, into)
  return { first: Array.from(into.first), second: Array.from(into.second) }
}

const closeTo = (found: readonly number[], expected: readonly number[]): void =>
  expected.forEach((value, index) => {
    expect(found[index]).toBeCloseTo(value, 6)
  })

const query = fc
  .array(fc.record({ grade: fc.integer({ min: 0, max: 3 }), score: fc.integer({ min: -40, max: 40 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((rows) => ({ grades: rows.map(({ grade }) => grade), scores: rows.map(({ score }) => score / 8) }))

describe('ranking', () => {
  test('pushes two rows apart by what nDCG would change', () => {
    // The relevant row stands second: score 0 against log 3, so the pair is wrong with probability 3/4.
    const { first, second } = derivativesOf('ranking', rowsOf([[0, 1]]), [Math.log(3), 0])
    const change = 1 - 1 / Math.log2(3)
    const push = change * 0.75
    const scale = Math.log2(1 + 2 * push) / (2 * push)
    closeTo(first, [push * scale, -push * scale])
    closeTo(second, [push * 0.25 * scale, push * 0.25 * scale])
  })

  test('only pairs with one of the first k count', () => {
    // Scores put the rows in the given order; with k = 1, the second and third have nothing to say to each other.
    const { first } = derivativesOf('ranking', rowsOf([[0, 0, 1]]), [3, 2, 1], 1)
    expect(first[0]).toBeGreaterThan(0)
    expect(first[1]).toBe(0)
    expect(first[2]).toBeCloseTo(-first[0]!, 6)
  })

  test.each([
    { why: 'nothing is relevant', grades: [0, 0, 0] },
    { why: 'all is equally relevant', grades: [2, 2, 2] },
    { why: 'there is one row', grades: [1] },
  ])('there is nothing to learn when $why', ({ grades }) => {
    const { first, second } = derivativesOf(
      'ranking',
      rowsOf([grades]),
      grades.map((_, row) => row),
    )
    expect([...first, ...second].every((value) => value === 0)).toBe(true)
  })

  test('pushes of a query cancel out, grow with its weight, and are bounded however many pairs there are', () => {
    fc.assert(
      fc.property(query, ({ grades, scores }) => {
        const { first, second } = derivativesOf('ranking', rowsOf([grades]), scores)
        expect(first.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 5)
        expect(second.every((value) => value >= 0)).toBe(true)
        const total = first.reduce((sum, value) => sum + Math.abs(value), 0)
        expect(total).toBeLessThanOrEqual(Math.log2(1 + grades.length ** 2) + 1e-5)
        const heavy = derivativesOf('ranking', rowsOf([grades], [3]), scores)
        closeTo(
          heavy.first.map((value) => value / 3),
          first,
        )
      }),
    )
  })

  test('two rows of one query never push against their grades', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), (a, b) => {
        const { first } = derivativesOf('ranking', rowsOf([[2, 1]]), [a, b])
        expect(first[0]!).toBeLessThanOrEqual(0)
        expect(first[1]!).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test("quality is the project's nDCG@10, the mean over queries with something relevant", () => {
    fc.assert(
      fc.property(fc.array(query, { minLength: 1, maxLength: 5 }), (queries) => {
        // Distinct scores: how ties fall is another test.
        const scores = queries.map(({ scores: own }) => own.map((score, row) => score + row * 1e-4))
        const expected = queries.flatMap(({ grades }, number) => {
          const judged: Grades = new Map(grades.map((grade, row) => [String(row), grade]))
          if (!grades.some((grade) => grade > 0)) return []
          const ranking = rank(scores[number]!.map((score, row) => ({ id: String(row), score })))
          return [ndcgAt(ranking, judged, 10)]
        })
        const mean =
          expected.length === 0 ? 0 : expected.reduce((sum, value) => sum + value, 0) / expected.length
        const rows = rowsOf(queries.map(({ grades }) => grades))
        expect(objectives.ranking.quality(rows, settings())(Float64Array.from(scores.flat()))).toBeCloseTo(
          mean,
          9,
        )
      }),
    )
  })

  test('a scorer that says the same of everything gains nothing by the order of the input', () => {
    const best = rowsOf(Array.from({ length: 400 }, () => [1, ...Array<number>(99).fill(0)]))
    const quality = objectives.ranking.quality(best, settings())(new Float64Array(40_000))
    expect(quality).toBeGreaterThan(0.02)
    expect(quality).toBeLessThan(0.08) // chance: a tenth is among the first ten, worth 0.45 there
  })
})

describe('logistic', () => {
  test('derivatives are those of the log-likelihood', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -24, max: 24 })), {
          minLength: 1,
          maxLength: 8,
        }),
        (pairs) => {
          const rows = rowsOf(
            pairs.map(([grade]) => [grade / 4]),
            pairs.map((_, row) => 1 + row),
          )
          const scores = pairs.map(([, score]) => score / 4)
          const quality = objectives.logistic.quality(rows, settings())
          const weights = pairs.reduce((sum, _, row) => sum + 1 + row, 0)
          const { first, second } = derivativesOf('logistic', rows, scores)
          const step = 1e-4
          scores.forEach((score, row) => {
            const at = (change: number) =>
              weights *
              quality(Float64Array.from(scores, (own, index) => (index === row ? score + change : own)))
            expect(first[row]).toBeCloseTo(-(at(step) - at(-step)) / (2 * step), 4)
            expect(second[row]).toBeCloseTo(-(at(step) - 2 * at(0) + at(-step)) / step ** 2, 4)
          })
        },
      ),
    )
  })

  test('the initial score is the log-odds of the weighted mean, finite when all grades agree', () => {
    expect(objectives.logistic.initial(rowsOf([[1], [0]], [3, 1]))).toBeCloseTo(Math.log(3.5 / 1.5))
    expect(objectives.logistic.initial(rowsOf([[1, 1, 1]]))).toBeCloseTo(Math.log(3.5 / 0.5))
  })

  test('log-likelihood stays finite far from 0', () => {
    const quality = objectives.logistic.quality(rowsOf([[1, 0]]), settings())
    expect(quality(Float64Array.of(-2000, 2000))).toBeCloseTo(-2000)
    expect(quality(Float64Array.of(2000, -2000))).toBeCloseTo(0)
  })
})
