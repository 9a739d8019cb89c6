import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareRuns, wholeRow } from '../../src/evaluation/runs/compare-runs.ts'
import type { EvaluationRun, QueryOutcome } from '../../src/evaluation/evaluation-run.ts'

/** What a test says of a query; the rest does not matter to a comparison. */
type Told = {
  readonly part?: string
  readonly text?: string
  readonly found?: readonly string[]
  readonly relevant?: { readonly [id: string]: number }
  readonly measures: { readonly [measure: string]: number }
}

function runOf(
  name: string,
  queries: { readonly [id: string]: Told },
  measures: readonly string[] = ['ndcg@10', 'recall@5'],
): EvaluationRun {
  const outcomes = Object.entries(queries).map(
    ([id, told]): QueryOutcome => ({
      id,
      part: told.part ?? 'one',
      text: told.text ?? `text of ${id}`,
      candidates: (told.found ?? []).map((found, place) => ({ id: found, score: -place })),
      relevant: told.relevant ?? {},
      measures: told.measures,
      match: 'good',
      tokens: 0,
    }),
  )
  return {
    format: 'audition-run/1',
    name,
    dataset: { name: 'set', origin: 'made for the test', notes: [] },
    settings: {
      ranker: 'lexical',
      model: null,
      corpus: 'own',
      instruction: 'without',
      pack: 'ranking',
      equivalence: 'strict',
      depth: 100,
    },
    measures,
    parts: [],
    categories: {},
    macro: {},
    micro: {},
    outcomes,
  }
}

const ndcg = (value: number, part = 'one'): Told => ({ part, measures: { 'ndcg@10': value } })

describe('rows', () => {
  const baseline = runOf('before', {
    a: ndcg(0.2, 'one'),
    b: ndcg(0.4, 'one'),
    c: ndcg(0.5, 'two'),
    d: ndcg(0.5, 'two'),
    e: ndcg(0.5, 'two'),
    f: ndcg(0.5, 'two'),
  })
  const candidate = runOf('after', {
    a: ndcg(0.6, 'one'),
    b: ndcg(0.6, 'one'),
    c: ndcg(0.6, 'two'),
    d: ndcg(0.7, 'two'),
    e: ndcg(0.8, 'two'),
    f: ndcg(0.9, 'two'),
  })
  const { rows } = compareRuns(baseline, candidate)
  const [one, two, whole] = rows

  test('one for each part and one for the whole, by measures that have values', () => {
    expect(rows.map(({ part, measure }) => [part, measure])).toEqual([
      ['one', 'ndcg@10'],
      ['two', 'ndcg@10'],
      [wholeRow, 'ndcg@10'],
    ])
  })

  test('give both means and the difference with its interval', () => {
    expect(one).toMatchObject({ difference: { queries: 2 } })
    expect([one!.baseline, one!.candidate, one!.difference.mean].map(rounded)).toEqual([0.3, 0.6, 0.3])
    expect([two!.baseline, two!.candidate, two!.difference.mean].map(rounded)).toEqual([0.5, 0.75, 0.25])
    expect([one!.difference.low, one!.difference.high].map(rounded)).toEqual([0.2, 0.4])
  })

  test('give the whole as the mean of part means', () => {
    expect([whole!.baseline, whole!.candidate, whole!.difference.mean].map(rounded)).toEqual([
      0.4, 0.675, 0.275,
    ])
    expect(whole!.difference.queries).toBe(6)
    // The standard error is half of that of both parts together: sqrt(0.1^2 / 2 + 0.1118^2 / 4) / 2 = 0.045.
    expect(Math.abs(whole!.difference.low - (0.275 - 1.96 * 0.045))).toBeLessThan(0.015)
    expect(Math.abs(whole!.difference.high - (0.275 + 1.96 * 0.045))).toBeLessThan(0.015)
  })

  test('give exact p-values for so few queries, corrected over the parts', () => {
    expect([one!.p, two!.p, whole!.p]).toEqual([2 / 4, 2 / 16, 2 / 64])
    // Two parts: the smaller p twice, the other once and no lower; the whole is a test of its own.
    expect([one!.pHolm, two!.pHolm, whole!.pHolm]).toEqual([1 / 2, 1 / 4, 2 / 64])
  })
})

test('the whole weighs queries as the mean of part means does', () => {
  // A loss of 1 in a part of one query outweighs two wins of 0.4 in a part of four: -1 against +0.2.
  const small = {
    x: ndcg(1, 'small'),
    a: ndcg(0, 'big'),
    b: ndcg(0, 'big'),
    c: ndcg(0, 'big'),
    d: ndcg(0, 'big'),
  }
  const after = { ...small, x: ndcg(0, 'small'), a: ndcg(0.4, 'big'), b: ndcg(0.4, 'big') }
  const whole = compareRuns(runOf('before', small), runOf('after', after)).rows.find(
    ({ part }) => part === wholeRow,
  )!
  expect(rounded(whole.difference.mean)).toBe((-1 + 0.2) / 2)
  // Of the patterns of ±1 ±0.1 ±0.1, those with |sum| >= 0.8 are all eight.
  expect(whole.p).toBe(1)
})

describe('queries are told apart', () => {
  test('those of one run only are counted and left out', () => {
    const before = runOf('before', { a: ndcg(0), gone: ndcg(1), lost: ndcg(1) })
    const comparison = compareRuns(before, runOf('after', { a: ndcg(1), added: ndcg(0) }))
    expect(comparison.unmatched).toBe(3)
    expect(comparison.rows.map(({ difference }) => difference.queries)).toEqual([1, 1])
  })

  test('an id with another text or in another part is another query', () => {
    const before = runOf('before', { a: ndcg(0), b: ndcg(0), c: ndcg(0) })
    const after = runOf('after', { a: ndcg(0), b: { ...ndcg(0), text: 'reworded' }, c: ndcg(0, 'two') })
    expect(compareRuns(before, after).unmatched).toBe(4)
  })

  test('a query that one run did not measure counts for that measure in neither', () => {
    const before = runOf('before', { a: { measures: { 'ndcg@10': 0, 'recall@5': 0 } }, b: ndcg(0.5) })
    const after = runOf('after', { a: ndcg(1), b: { measures: { 'ndcg@10': 1, 'recall@5': 1 } } })
    const { rows } = compareRuns(before, after)
    expect(rows.map(({ measure, difference }) => [measure, difference.queries])).toEqual([
      ['ndcg@10', 2],
      ['ndcg@10', 2],
    ])
  })
})

describe('regressions and wins', () => {
  const relevant = { fair: 1, best: 3, good: 3 }
  const comparison = compareRuns(
    runOf('before', {
      lost: { measures: { 'ndcg@10': 1 }, found: ['best', 'x'], relevant },
      worse: { measures: { 'ndcg@10': 0.9 }, found: ['best'], relevant },
      same: { measures: { 'ndcg@10': 0.5 }, found: ['x', 'fair'], relevant },
      better: { measures: { 'ndcg@10': 0.3 }, found: ['x', 'y', 'good'], relevant },
    }),
    runOf('after', {
      lost: { measures: { 'ndcg@10': 0 }, found: ['x', 'y', 'z'], relevant },
      worse: { measures: { 'ndcg@10': 0.6 }, found: ['w', 'fair', 'best'], relevant },
      same: { measures: { 'ndcg@10': 0.5 }, found: ['x', 'fair'], relevant },
      better: { measures: { 'ndcg@10': 1 }, found: ['good'], relevant },
    }),
  )

  test('go by the headline, the farthest first, and leave out what did not move', () => {
    expect(comparison.regressions.map(({ id }) => id)).toEqual(['lost', 'worse'])
    expect(comparison.wins.map(({ id }) => id)).toEqual(['better'])
    expect(comparison.wins[0]).toMatchObject({ text: 'text of better', baseline: 0.3, candidate: 1 })
  })

  test('name what stood above the first relevant candidate in the worse run', () => {
    expect(comparison.regressions.map(({ above }) => above)).toEqual([['x', 'y', 'z'], ['w']])
    expect(comparison.wins[0]!.above).toEqual(['x', 'y'])
  })

  test('name the relevant candidates, best grade first', () => {
    expect(comparison.wins[0]!.relevant).toEqual(['best', 'good', 'fair'])
  })

  test('are ten of each at most, equal ones by part and id', () => {
    const ids = Array.from({ length: 30 }, (_, index) => `q${String(index).padStart(2, '0')}`)
    const all = (value: (index: number) => number) =>
      Object.fromEntries([...ids.entries()].reverse().map(([index, id]) => [id, ndcg(value(index))]))
    const { regressions, wins } = compareRuns(
      runOf(
        'before',
        all(() => 0.5),
      ),
      runOf(
        'after',
        all((index) => (index < 15 ? 0.4 : 0.6)),
      ),
    )
    expect(regressions.map(({ id }) => id)).toEqual(ids.slice(0, 10))
    expect(wins.map(({ id }) => id)).toEqual(ids.slice(15, 25))
  })

  test('name ten candidates at most where none is relevant', () => {
    const found = Array.from({ length: 40 }, (_, index) => `c${index}`)
    const { regressions } = compareRuns(
      runOf('before', { a: ndcg(1) }),
      runOf('after', { a: { ...ndcg(0), found, relevant: { missing: 1 } } }),
    )
    expect(regressions[0]!.above).toEqual(found.slice(0, 10))
  })
})

describe('measures', () => {
  test('are those of both runs, in the order of the candidate; its first one is the headline', () => {
    const values = { 'mrr@10': 0, 'ndcg@10': 1, 'hit@1': 0 }
    const before = runOf('before', { a: { measures: values } }, ['ndcg@10', 'mrr@10'])
    const after = runOf('after', { a: { measures: { ...values, 'mrr@10': 0.5 } } }, [
      'hit@1',
      'mrr@10',
      'ndcg@10',
    ])
    const { rows, wins } = compareRuns(before, after)
    expect([...new Set(rows.map(({ measure }) => measure))]).toEqual(['mrr@10', 'ndcg@10'])
    expect(wins[0]).toMatchObject({ baseline: 0, candidate: 0.5 })
  })
})

describe('runs that cannot be compared say so', () => {
  test.each([
    {
      why: 'no common query',
      after: runOf('after', { b: ndcg(1) }),
      message: 'Runs "before" and "after" have no query in common.',
      remedy: 'Compare runs of the same dataset and parts.',
    },
    {
      why: 'no common measure',
      after: runOf('after', { a: ndcg(1) }, ['map']),
      message: 'Runs "before" and "after" have no measure in common.',
      remedy: 'Run one of them again with the measures of the other.',
    },
  ])('$why', ({ after, message, remedy }) => {
    expect(() => compareRuns(runOf('before', { a: ndcg(1) }), after)).toThrow(
      expect.objectContaining({ name: 'IncomparableRunsError', message, remedy }),
    )
  })
})

const values = fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.nat(10), fc.nat(10)), {
  minLength: 1,
  maxLength: 25,
})
const bothRuns = values.map((triples) => {
  const of = (name: string, at: 1 | 2) =>
    runOf(
      name,
      Object.fromEntries(triples.map((triple, index) => [`q${index}`, ndcg(triple[at] / 10, triple[0])])),
    )
  return [of('x', 1), of('y', 2)] as const
})

test('the other way round, differences change sign, p-values stay, wins become regressions', () => {
  fc.assert(
    fc.property(bothRuns, ([x, y]) => {
      const there = compareRuns(x, y)
      const back = compareRuns(y, x)
      expect(back.regressions.map(({ id }) => id)).toEqual(there.wins.map(({ id }) => id))
      for (const [at, row] of there.rows.entries()) {
        const other = back.rows[at]!
        expect(other.difference.mean).toBeCloseTo(-row.difference.mean, 12)
        expect([other.part, other.baseline, other.candidate]).toEqual([row.part, row.candidate, row.baseline])
        expect(other.p).toBeCloseTo(row.p, 12)
      }
    }),
    { numRuns: 20 },
  )
})

test('a run against itself differs in nothing, and the same runs give the same comparison', () => {
  fc.assert(
    fc.property(bothRuns, ([x, y]) => {
      const same = compareRuns(x, x)
      expect(
        same.rows.every(({ difference, p, pHolm }) => difference.mean === 0 && p === 1 && pHolm === 1),
      ).toBe(true)
      expect([same.regressions, same.wins, same.unmatched]).toEqual([[], [], 0])
      expect(JSON.stringify(compareRuns(x, y))).toBe(JSON.stringify(compareRuns(x, y)))
    }),
    { numRuns: 10 },
  )
})

function rounded(value: number): number {
  return Number(value.toFixed(10))
}
