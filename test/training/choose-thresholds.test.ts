import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import {
  chooseThresholds,
  familyVerdicts,
  type JudgedAnswer,
} from '../../embeddings/trainer/src/ranker/choose-thresholds.ts'

const random = seededRandom(7)
const uniform = (): number => random.uint32() / 2 ** 32
/** Served answers lie higher by one and a half; a family may lie lower as a whole. */
const family = (
  name: string,
  {
    lower = 0,
    count = 300,
    sort = {},
  }: { lower?: number; count?: number; sort?: Partial<JudgedAnswer> } = {},
): readonly JudgedAnswer[] =>
  Array.from({ length: 2 * count }, (_, place) => {
    const isServed = place % 2 === 0
    const noise = uniform() + uniform() + uniform() - 1.5
    const about = { family: name, kind: 'tool', words: 10, cards: 200, ...sort } as const
    return { ...about, isServed, isForeign: false, logOdds: noise + (isServed ? 1.5 : 0) - lower }
  })

describe('chooseThresholds', () => {
  test('the worst family decides', () => {
    const kind = [...family('a'), ...family('b'), ...family('c')]
    const withHard = [...kind, ...family('hard', { lower: 1 })]
    const easy = chooseThresholds(kind)!
    const hard = chooseThresholds(withHard)!
    expect(hard.thresholds.none).toBeLessThan(easy.thresholds.none - 0.5)
    for (const { answered } of [...easy.families, ...hard.families])
      expect(answered).toBeGreaterThanOrEqual(0.88)
    const mean = easy.families.reduce((sum, { answered }) => sum + answered, 0) / easy.families.length
    expect(mean).toBeGreaterThanOrEqual(0.9)
    expect(easy.families.every(({ refused }) => refused > 0.5)).toBe(true)
  })

  test('a sort of request that falls short is eased, so that the others are still refused', () => {
    const long = { words: 100 }
    const mixed = ['a', 'b', 'c'].flatMap((name) => [
      ...family(name),
      ...family(name, { lower: 1.5, count: 60, sort: long }),
    ])
    const { thresholds, families } = chooseThresholds(mixed)!
    expect(thresholds.eased.some(({ words, by }) => words?.from === 64 && by > 0.5)).toBe(true)
    const ofLong = familyVerdicts(
      mixed.filter(({ words }) => words === 100),
      thresholds,
    )
    for (const { answered } of ofLong) expect(answered).toBeGreaterThanOrEqual(0.85)
    expect(families.every(({ refused }) => refused > 0.3)).toBe(true)
  })

  test('families of few queries decide nothing, and without others there is no choice', () => {
    const small = family('small', { lower: 3, count: 20 })
    expect(chooseThresholds(small)).toBeNull()
    const large = family('large')
    expect(chooseThresholds([...large, ...small])!.thresholds.none).toBeCloseTo(
      chooseThresholds(large)!.thresholds.none,
      0,
    )
  })

  test('what is good lies no lower than what is none', () => {
    const { none, good } = chooseThresholds([...family('a'), ...family('b', { lower: 0.5 })])!.thresholds
    expect(good).toBeGreaterThanOrEqual(none)
  })
})
