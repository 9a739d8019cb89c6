import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TaskScores } from '../../src/domain/model-card.ts'
import { compareModels } from '../../src/models/compare-models.ts'
import { modelEstimates } from '../../src/models/model-estimate.ts'
import { requestSurface, taskTable, wordCosines } from '../../src/models/task-table.ts'

const asked = (text: string) => ({ text, vectors: new Map<string, Float32Array>() })
const over = (...rows: readonly TaskScores[]) => modelEstimates([taskTable(rows, null)])
const sorting = asked('sort these names by length')

describe('what is expected of a model', () => {
  test('without any outcome it is the prior, and as good as open', () => {
    const { estimate, low, high, outcomes, nearest } = over().of(sorting)('a/x')
    expect({ estimate, outcomes, nearest }).toEqual({ estimate: 0.5, outcomes: 0, nearest: [] })
    expect(high - low).toBeGreaterThan(0.9)
  })

  test('of a model that was never tried it is the mean of the others', () => {
    const of = over({ task: 'sort names', scores: { x: 1, y: 1, z: 1 } }).of(null)
    expect(of('a/never').estimate).toBeCloseTo((3 + 1) / (3 + 2))
  })

  test('more evidence moves it further, and leaves less open', () => {
    const scores = (count: number) =>
      over(
        ...Array.from({ length: count }, (_, at) => ({
          task: `sort these names by length ${at}`,
          scores: { x: 1, y: 0 },
        })),
      ).of(sorting)('x')
    const [few, some, many] = [scores(1), scores(5), scores(50)]
    expect(few.estimate).toBeLessThan(some.estimate)
    expect(some.estimate).toBeLessThan(many.estimate)
    expect(many.high - many.low).toBeLessThan(few.high - few.low)
    expect(many.outcomes).toBe(50)
  })

  test('near tasks count more than far ones, and are told, nearest first', () => {
    const { of } = over(
      { task: 'sort these names by their length', scores: { x: 1, y: 0 } },
      { task: 'who painted the ceiling of the chapel', scores: { x: 0, y: 1 } },
    )
    expect(of(sorting)('x').estimate).toBeGreaterThan(of(sorting)('y').estimate)
    expect(of(sorting)('x').nearest[0]).toMatchObject({ task: 'sort these names by their length', score: 1 })
  })

  test('what came of the very same request leads, and is shrunken toward what came of near ones', () => {
    const near = Array.from({ length: 200 }, (_, at) => ({
      task: `sort these names by length ${at}`,
      scores: { x: 0.9, y: 0.6 },
    }))
    const again = { task: ' Sort these\nnames by LENGTH ', scores: { x: 0, y: 1 } }
    const of = over(...near, again).of(sorting)
    const before = over(...near).of(sorting)
    for (const [model, seen] of [
      ['x', 0],
      ['y', 1],
    ] as const) {
      expect(of(model).estimate).toBeCloseTo((2 * before(model).estimate + seen) / 3, 1)
      expect(of(model).nearest[0]).toEqual({ task: again.task, score: seen, nearness: 1 })
    }
    expect(of('y').estimate).toBeGreaterThan(of('x').estimate)
    const often = over(...near, ...Array.from({ length: 150 }, () => again)).of(sorting)('y')
    expect(often.estimate).toBeGreaterThan(0.99)
  })

  test('a request that nothing is near to has the mean', () => {
    const of = over({ task: 'who painted the ceiling of the chapel?', scores: { x: 1, y: 0 } })
    const far = asked('def f(x):\n    """Return x"""\n    return $x$ + 12345')
    for (const model of ['x', 'y', 'z'])
      expect(of.of(far)(model).estimate).toBeCloseTo(of.of(null)(model).estimate)
  })

  test('few outcomes lead no further than they reach: from what was expected toward the best and the worst of them', () => {
    const row = fc.record({
      task: fc.constantFrom('sort these names by length', 'sort names', 'a poem on rain', 'what is 2 + 2?'),
      scores: fc.dictionary(fc.constantFrom('x', 'y'), fc.double({ min: 0, max: 1, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
        const estimates = over(...rows)
        const expected = estimates.of(null)('x').estimate
        const seen = rows.flatMap(({ scores }) => scores.x ?? [])
        const { estimate } = estimates.of(sorting)('x')
        expect(estimate).toBeGreaterThanOrEqual(Math.min(expected, ...seen) - 1e-9)
        expect(estimate).toBeLessThanOrEqual(Math.max(expected, ...seen) + 1e-9)
      }),
    )
  })

  test('vectors of the same model are compared, words where there are none', () => {
    const rows = [
      { task: 'one', scores: { x: 1 } },
      { task: 'two', scores: { x: 0 } },
    ]
    const cosines = (_: unknown, [first = 0, second = 0]: Float32Array) => [first, second]
    const table = taskTable(rows, { model: 'm', cosines })
    const near = (vector: readonly number[], model = 'm') =>
      table.nearness({ text: 'three', vectors: new Map([[model, Float32Array.from(vector)]]) })
    expect(near([1, 0])[0]).toBeGreaterThan(near([1, 0])[1]!)
    expect(near([0, 1])[1]).toBeGreaterThan(near([0, 1])[0]!)
    expect(near([1, 0], 'another')).toEqual(near([0, 1], 'another'))
  })

  test('it is a share, and its interval holds it', () => {
    const row = fc.record({
      task: fc.string(),
      scores: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.double({ min: 0, max: 1, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.string(), (rows, text) => {
        for (const task of [asked(text), null]) {
          const { estimate, low, high } = over(...rows).of(task)('x')
          expect(low).toBeLessThanOrEqual(estimate)
          expect(estimate).toBeLessThanOrEqual(high)
          expect(Math.min(low, 1 - high)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

describe('a comparison of models', () => {
  const estimates = over({ task: 'sort names', scores: { big: 1, small: 0.7 } })
  const cards = [
    { id: 'acme/big', name: 'Big', price: { input: 10, output: 30 } },
    { id: 'acme/small', name: 'Small', price: { input: 0.1, output: 0.3 }, context: 8000 },
    { id: 'other/unheard', name: 'Unheard' },
  ]
  const compare = (options: object = {}, callable: readonly { id: string; name: string }[] = []) =>
    compareModels({ cards, callable, estimates, tasks: 1 }, null, { priceWeight: 0, ...options })
  const ids = (comparison: ReturnType<typeof compare>) => comparison.models.map(({ id }) => id)

  test('the better leads, or the cheaper, as the price weighs', () => {
    expect(ids(compare())).toEqual(['acme/big', 'acme/small'])
    expect(ids(compare({ priceWeight: 2 }))).toEqual(['acme/small', 'acme/big'])
  })

  test('a model never rises by its own price when that weighs more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (a, b) => {
          const scoreOf = (priceWeight: number) =>
            compare({ priceWeight }).models.find(({ id }) => id === 'acme/big')!.score
          expect(scoreOf(Math.max(a, b))).toBeLessThanOrEqual(scoreOf(Math.min(a, b)))
        },
      ),
    )
  })

  test('a budget leaves out what is dearer, and what has no price', () => {
    expect(ids(compare({ budget: 1, among: 'all' }))).toEqual(['acme/small'])
    expect(ids(compare({ among: 'all' }))).toContain('other/unheard')
  })

  test('what can be called is listed with what others say of the same model, but not with their price', () => {
    const { models } = compare({ among: 'callable' }, [{ id: 'ollama/small', name: 'small' }])
    expect(models).toMatchObject([{ id: 'ollama/small', callable: true, context: 8000, outcomes: 1 }])
    expect(models[0]).not.toHaveProperty('price')
  })

  test('a model that only outcomes name is listed by that name', () => {
    const of = over({ task: 'sort', scores: { 'Vendor/Rare-7B': 1 } })
    const { models } = compareModels({ cards, callable: [], estimates: of, tasks: 1 }, null, {
      priceWeight: 1,
    })
    expect(models.map(({ id }) => id)).toEqual(['rare-7b'])
  })
})

test('the surface of a request tells code from a question, and is bounded', () => {
  const distance = (a: string, b: string) => {
    const other = requestSurface(b)
    return requestSurface(a).reduce((sum, value, at) => sum + (value - other[at]!) ** 2, 0)
  }
  const code = 'def f(x):\n    """Return x"""\n    return x'
  expect(distance(code, 'def g(y):\n    return y + 1')).toBeLessThan(
    distance(code, 'who was the first on the moon?'),
  )
  fc.assert(fc.property(fc.string(), (text) => requestSurface(text).every((value) => Math.abs(value) <= 3)))
})

test('words that are rare tell more than common ones', () => {
  const tasks = ['book a flight', 'book a room', 'book a zeppelin'].map((task) => ({ task }))
  const [flight, room, zeppelin] = wordCosines(tasks)('a zeppelin to book')
  expect(zeppelin).toBeGreaterThan(room!)
  expect(flight).toBeCloseTo(room!)
  expect([...wordCosines(tasks)('')]).toEqual([0, 0, 0])
})
