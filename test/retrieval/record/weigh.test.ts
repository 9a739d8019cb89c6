import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RankedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import type { RecordEstimate } from '../../../src/retrieval/record/record-estimate.ts'
import { weigh } from '../../../src/retrieval/record/weigh.ts'

const card = (document: number, score: number): RankedCard => ({
  document,
  score,
  lexical: undefined,
  dense: undefined,
  lift: undefined,
  facets: [],
})
const recorded = (estimate: number, ownEstimate = estimate, runs = 3): RecordEstimate => ({
  runs,
  successes: 0,
  similarRuns: 0,
  similarSuccesses: 0,
  estimate,
  ownEstimate,
  deviation: 0.2,
  generalRate: ownEstimate,
  nearRate: ownEstimate,
})
const settings = { recordWeight: 2, exploration: 0 }
const order = (ranked: readonly RankedCard[]): number[] => ranked.map(({ document }) => document)

const ranking = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })
  .map((scores) => scores.sort((a, b) => b - a).map((score, at) => card(100 - at, score)))
const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true })
const standingsFor = fc.array(fc.option(fc.tuple(probability, probability).map(([a, b]) => recorded(a, b))), {
  minLength: 12,
  maxLength: 12,
})

const anyScale = fc.constantFrom('probability', 'share', 'close')

describe('weighing by record', () => {
  test.each([
    {
      why: 'of two equals the one that worked leads',
      scores: [0.8, 0.8],
      records: [recorded(0.3), recorded(0.7)],
      expected: [1, 0],
    },
    {
      why: 'one that failed falls below one that nobody ran',
      scores: [0.8, 0.6],
      records: [recorded(0.2), null],
      expected: [1, 0],
    },
    {
      why: 'one that worked does not fall below one that nobody ran, though its source is bad',
      scores: [0.8, 0.79],
      records: [recorded(0.3, 0.7), null],
      expected: [0, 1],
    },
    {
      why: 'one that failed does not rise above one that nobody ran, though its source is good',
      scores: [0.8, 0.79],
      records: [null, recorded(0.7, 0.3)],
      expected: [0, 1],
    },
    {
      why: 'what does not fit the query stays down, however well it works',
      scores: [0.8, 0.1],
      records: [null, recorded(0.99)],
      expected: [0, 1],
    },
    {
      why: 'it was run and never graded',
      scores: [0.8, 0.79],
      records: [recorded(0.1, 0.5, 0), null],
      expected: [0, 1],
    },
  ])('$why', ({ scores, records, expected }) => {
    const ranked = scores.map((score, at) => card(9 - at, score))
    const weighed = weigh(ranked, ({ document }) => records[9 - document] ?? null, {
      ...settings,
      scale: 'probability',
    })
    expect(order(weighed).map((document) => 9 - document)).toEqual(expected)
  })

  test('gives the very same ranking back when nothing was run, or the weight is 0', () => {
    fc.assert(
      fc.property(ranking, standingsFor, (ranked, records) => {
        expect(weigh(ranked, () => null, { ...settings, scale: 'probability' })).toBe(ranked)
        const none = { recordWeight: 0, exploration: 0 }
        expect(
          weigh(ranked, ({ document }) => records[100 - document] ?? null, { ...none, scale: 'probability' }),
        ).toBe(ranked)
      }),
    )
  })

  test('keeps the cards, orders them by scores of 0..1, and leaves the order of those that nobody ran', () => {
    fc.assert(
      fc.property(ranking, standingsFor, (ranked, records) => {
        const of = ({ document }: RankedCard) => records[100 - document] ?? null
        const weighed = weigh(ranked, of, { ...settings, scale: 'probability' })
        expect(new Set(order(weighed))).toEqual(new Set(order(ranked)))
        weighed.forEach(({ score }, at) => {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(Math.min(1, weighed[at - 1]?.score ?? 1))
        })
        const untried = (cards: readonly RankedCard[]) => order(cards.filter((each) => of(each) === null))
        expect(untried(weighed)).toEqual(untried(ranked))
      }),
    )
  })

  test('nothing that nobody ran, and nothing sound, falls below something that failed', () => {
    fc.assert(
      fc.property(ranking, standingsFor, anyScale, (ranked, records, scale) => {
        const of = ({ document }: RankedCard) => records[100 - document] ?? null
        const failed = (each: RankedCard) => (of(each)?.ownEstimate ?? 0.5) < 0.5
        const after = order(weigh(ranked, of, { ...settings, scale }))
        ranked.forEach((upper, place) => {
          if (failed(upper)) return
          for (const lower of ranked.slice(place + 1).filter(failed))
            if (upper.score > lower.score || of(upper) === null)
              expect(after.indexOf(upper.document)).toBeLessThan(after.indexOf(lower.document))
        })
      }),
    )
  })

  test('what always worked on such tasks leads what nobody ran, up to a bound by which that matches better', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), anyScale, (score, scale) => {
        const bound = { probability: 4, share: 3.5, close: 1.8 }[scale]
        const proven = recorded(0.999, 0.999, 30)
        const leads = (share: number) => {
          const ranked = [card(2, score), card(1, score * share)]
          return order(
            weigh(ranked, ({ document }) => (document === 1 ? proven : null), { ...settings, scale }),
          )[0]
        }
        expect(leads(1.01 / bound)).toBe(1)
        expect(leads(0.99 / bound)).toBe(2)
      }),
    )
  })

  test('with an exploration bonus what was never tried is lifted, by default it is not', () => {
    const ranked = [card(2, 0.8), card(1, 0.7)]
    const of = ({ document }: RankedCard) => (document === 2 ? { ...recorded(0.5), deviation: 0.01 } : null)
    expect(order(weigh(ranked, of, { ...settings, scale: 'probability' }))).toEqual([2, 1])
    expect(order(weigh(ranked, of, { recordWeight: 1, exploration: 1, scale: 'probability' }))).toEqual([
      1, 2,
    ])
  })
})
