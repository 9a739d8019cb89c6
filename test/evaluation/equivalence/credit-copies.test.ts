import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { type Copies, creditCopies } from '../../../src/evaluation/equivalence.ts'
import type { Judgements } from '../../../src/evaluation/measures/measure.ts'
import { measureNamed, measures } from '../../../src/evaluation/measures/measures.ts'
import { candidates, gradesOf, inThisOrder, judged, needs } from '../rankings.ts'

/** Classes written as words: `abc` makes a, b and c copies of each other. */
const copiesOf = (...classes: readonly string[]): Copies =>
  new Map(
    classes.flatMap((members) => {
      const ids = [...members].sort()
      return ids.map((id) => [id, ids] as const)
    }),
  )

const log2of3 = Math.log2(3)

describe('worked by hand', () => {
  test.each<{
    why: string
    ranking: string
    grades: { readonly [id: string]: number }
    needs?: readonly (readonly string[])[]
    classes: readonly string[]
    measure: string
    strict: number
    aware: number
  }>([
    {
      why: 'a copy stands where the labelled card does not come at all',
      ranking: 'xb',
      grades: { a: 1 },
      classes: ['ab'],
      measure: 'ndcg@10',
      strict: 0,
      aware: 1 / log2of3,
    },
    {
      why: 'a copy stands before the labelled card, which then is one more card of no use',
      ranking: 'ba',
      grades: { a: 1 },
      classes: ['ab'],
      measure: 'p@2',
      strict: 1 / 2,
      aware: 1 / 2,
    },
    {
      why: 'the first rank counts, not the labelled one',
      ranking: 'xba',
      grades: { a: 1 },
      classes: ['ab'],
      measure: 'mrr@10',
      strict: 1 / 3,
      aware: 1 / 2,
    },
    {
      why: 'a list of copies earns one label, not three',
      ranking: 'bcd',
      grades: { a: 1, z: 1 },
      classes: ['abcd'],
      measure: 'recall@10',
      strict: 0,
      aware: 1 / 2,
    },
    {
      why: 'two labels in one class are earned by two copies',
      ranking: 'cd',
      grades: { a: 1, b: 1 },
      classes: ['abcd'],
      measure: 'completeness@2',
      strict: 0,
      aware: 1,
    },
    {
      why: 'the better grade goes to the copy that stands first',
      ranking: 'ba',
      grades: { a: 2, b: 1 },
      classes: ['ab'],
      measure: 'ndcg@10',
      strict: (1 + 2 / log2of3) / (2 + 1 / log2of3),
      aware: 1,
    },
    {
      why: 'a copy that was run and judged not to serve does not serve',
      ranking: 'b',
      grades: { a: 1, b: 0 },
      classes: ['ab'],
      measure: 'hit@10',
      strict: 0,
      aware: 0,
    },
    {
      why: 'a step is met by a copy of what meets it',
      ranking: 'bz',
      grades: { a: 1, z: 1 },
      needs: [['a'], ['z']],
      classes: ['ab'],
      measure: 'completeness@2',
      strict: 0,
      aware: 1,
    },
    {
      why: 'cards that are copies of nothing relevant change nothing',
      ranking: 'xya',
      grades: { a: 1 },
      classes: ['xy'],
      measure: 'map',
      strict: 1 / 3,
      aware: 1 / 3,
    },
  ])('$measure $strict becomes $aware when $why', (one) => {
    const ranking = inThisOrder(...one.ranking)
    const known: Judgements = {
      grades: gradesOf(one.grades),
      ...(one.needs === undefined ? {} : { needs: one.needs }),
    }
    const { evaluate } = measureNamed(one.measure)
    expect(evaluate(ranking, known)).toBeCloseTo(one.strict, 12)
    expect(evaluate(ranking, creditCopies(ranking, known, copiesOf(...one.classes)))).toBeCloseTo(
      one.aware,
      12,
    )
  })

  test('it is told which copy stands in for which label, and the label itself is then not wanted', () => {
    const { grades, standIns } = creditCopies(
      inThisOrder('c', 'x', 'a'),
      { grades: gradesOf({ a: 2, z: 1 }) },
      copiesOf('abc'),
    )
    expect(Object.fromEntries(grades)).toEqual({ c: 2, z: 1 })
    expect([...standIns]).toEqual([['c', 'a']])
  })

  test('what is not found keeps its label', () => {
    const known = { grades: gradesOf({ a: 1 }) }
    expect(creditCopies(inThisOrder('x'), known, copiesOf('ab'))).toEqual({ ...known, standIns: new Map() })
  })
})

const letters = 'abcdefghijklmnop'
/** Every letter goes into one of a few classes. */
const classes: fc.Arbitrary<Copies> = fc
  .array(fc.integer({ min: 0, max: 6 }), { minLength: letters.length, maxLength: letters.length })
  .map((keys) =>
    copiesOf(
      ...[...new Set(keys)]
        .map((key) => [...letters].filter((_, at) => keys[at] === key).join(''))
        .filter((members) => members.length > 1),
    ),
  )
const judgements: fc.Arbitrary<Judgements> = fc
  .tuple(judged, fc.option(needs, { nil: undefined }))
  .map(([grades, wanted]) => ({ grades, ...(wanted === undefined ? {} : { needs: wanted }) }))
const correlations = ['kendall', 'spearman']
const names = measures.flatMap(({ name, cutoff }) =>
  cutoff === 'none' ? [name] : [name, `${name}@1`, `${name}@3`, `${name}@10`],
)

describe('laws', () => {
  test.each(names.filter((name) => !correlations.includes(name)))('%s: strict <= aware <= 1', (name) => {
    const { evaluate } = measureNamed(name)
    fc.assert(
      fc.property(candidates, judgements, classes, (found, known, copies) => {
        const ranking = rank(found)
        const aware = evaluate(ranking, creditCopies(ranking, known, copies))
        expect(aware).toBeGreaterThanOrEqual(evaluate(ranking, known) - 1e-12)
        expect(aware).toBeLessThanOrEqual(1 + 1e-12)
      }),
      { numRuns: 300 },
    )
  })

  test('without copies, nothing changes', () => {
    fc.assert(
      fc.property(candidates, judgements, (found, known) => {
        const ranking = rank(found)
        const credited = creditCopies(ranking, known, new Map())
        for (const name of names)
          expect(measureNamed(name).evaluate(ranking, credited)).toBe(
            measureNamed(name).evaluate(ranking, known),
          )
      }),
    )
  })

  test('there are as many labels, of the same grades, and none on a card that was judged not to serve', () => {
    const gradesIn = (grades: Judgements['grades']) => [...grades.values()].sort()
    fc.assert(
      fc.property(candidates, judgements, classes, (found, known, copies) => {
        const { grades, standIns } = creditCopies(rank(found), known, copies)
        expect(gradesIn(grades)).toEqual(gradesIn(known.grades))
        for (const [id, label] of standIns) {
          expect(known.grades.has(id)).toBe(false)
          expect(copies.get(id)).toContain(label)
        }
      }),
    )
  })
})
