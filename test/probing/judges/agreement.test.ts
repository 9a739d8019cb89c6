import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../src/domain/outcome.ts'
import { agreementOf, calibrateJudge } from '../../../src/probing/judges/calibrate-judge.ts'
import type { JudgePanel } from '../../../src/probing/judges/combine-judges.ts'
import { readLabelledAnswers } from '../../../src/probing/judges/labelled-answers.ts'
import type { Grade } from '../../../src/probing/judges/reference-check.ts'
import type { Judge, Reference } from '../../../src/probing/ports.ts'

const graded = (grade: Grade): Verdict => ({ grade, reason: '', judge: 'hand' })
const agreement = (pairs: readonly (readonly [label: Grade, given: Grade])[]) =>
  agreementOf(
    pairs.map(([, given]) => graded(given)),
    pairs.map(([label]) => label),
  )
const times = (count: number, label: Grade, given: Grade) =>
  Array.from({ length: count }, () => [label, given] as const)

describe('agreement with labels', () => {
  test('two raters, fifty answers: 20 and 15 agree, so seen 0.7, by chance 0.5, kappa 0.4', () => {
    const found = agreement([...times(20, 5, 5), ...times(5, 5, 1), ...times(10, 1, 5), ...times(15, 1, 1)])
    expect(found.accuracy).toBeCloseTo(0.7, 12)
    expect(found.kappa).toBeCloseTo(0.4, 12)
    expect(found.quadraticKappa).toBeCloseTo(0.4, 12) // two categories: weights make no difference
    expect(found.success.kappa).toBeCloseTo(0.4, 12)
  })

  test('three grades by hand: plain kappa 1/4, quadratic 4/7', () => {
    // labels 1 1 2 2 3 3, given 1 2 2 3 3 2: seen 3/6 agree; marginals label 2,2,2 given 1,3,2; chance (2+6+4)/36 = 1/3
    const found = agreement([
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 3],
      [3, 3],
      [3, 2],
    ])
    expect(found.kappa).toBeCloseTo((1 / 2 - 1 / 3) / (1 - 1 / 3), 12)
    // squared distances seen: 3; by chance: (2*3*1 + 2*2*4 + 2*1*1 + 2*2*1 + 2*1*4 + 2*3*1) / 6 = 42 / 6 = 7
    expect(found.quadraticKappa).toBeCloseTo(1 - 3 / 7, 12)
    expect(found.confusion.slice(0, 3).map((row) => row.slice(0, 3))).toEqual([
      [1, 1, 0],
      [0, 1, 1],
      [0, 1, 1],
    ])
  })

  test('4 and 5 are one thing where success is concerned', () => {
    const found = agreement([
      [4, 5],
      [5, 4],
      [1, 2],
      [3, 1],
    ])
    expect(found.accuracy).toBe(0)
    expect(found.success).toEqual({ accuracy: 1, kappa: 1 })
  })

  test('refusals are counted apart', () => {
    const refused: Verdict = { refusal: 'no', judge: 'hand' }
    const found = agreementOf([graded(5), refused, null, graded(1)], [5, 5, 1, 1])
    expect(found).toMatchObject({ count: 2, refused: 2, accuracy: 1, kappa: 1 })
  })

  test.each([
    { why: 'there are no pairs', pairs: [] },
    { why: 'all is one grade', pairs: times(3, 4, 4) },
  ])('kappa is not known when $why', ({ pairs }) => {
    expect(agreement(pairs)).toMatchObject({ kappa: null, quadraticKappa: null })
  })

  test('as many verdicts as labels are wanted', () => {
    expect(() => agreementOf([], [5])).toThrow('0 verdicts for 1 labels')
  })

  const grade = fc.constantFrom<Grade>(1, 2, 3, 4, 5)
  const pair = fc.tuple(grade, grade)
  test('it lies within -1 and 1, is 1 for equal grades only, and does not mind who is the judge', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 40 }), (pairs) => {
        const found = agreement(pairs)
        const swapped = agreement(pairs.map(([label, given]) => [given, label] as const))
        for (const key of ['kappa', 'quadraticKappa'] as const) {
          if (found[key] === null) expect(swapped[key]).toBeNull()
          else {
            expect(found[key]).toBeGreaterThanOrEqual(-1 - 1e-12)
            expect(found[key]).toBeLessThanOrEqual(1)
            expect(found[key]).toBeCloseTo(swapped[key]!, 12)
            expect(found[key] === 1).toBe(pairs.every(([label, given]) => label === given))
          }
        }
        expect(found.confusion.flat().reduce((total, count) => total + count, 0)).toBe(pairs.length)
      }),
    )
  })
})

describe('calibration', () => {
  const { answers } = readLabelledAnswers(
    `{"task": "a", "answer": "x", "grade": 5}

{"task": "b", "answer": "y", "grade": 1, "golden": "z"}
{"task": "c", "answer": "w", "grade": 4}`,
  )
  const harsh: Judge = {
    name: 'harsh',
    judge: async ({ golden }) => ({ grade: golden ? 1 : 2, reason: 'meh', judge: 'harsh' }),
  }

  test('grades every answer and lists the misses, worst first', async () => {
    const seen: number[] = []
    const found = await calibrateJudge(harsh, answers, {
      onJudged: ({ labelled }) => seen.push(labelled.line),
    })
    expect(found).toMatchObject({ judge: 'harsh', count: 3, refused: 0, accuracy: 1 / 3, left: 0 })
    expect(found.misses.map(({ labelled }) => labelled.answer)).toEqual(['x', 'w'])
    expect(seen).toEqual([1, 3, 4])
  })

  test('each judge has an agreement of its own where there are several', async () => {
    const two: JudgePanel = {
      name: 'two',
      judge: async ({ text }) =>
        text === 'c' ? null : { grade: 5, reason: '', judge: text === 'a' ? 'kind' : 'blind' },
    }
    const found = await calibrateJudge(two, answers)
    expect(found).toMatchObject({ count: 2, refused: 1, accuracy: 0.5 })
    expect(found.byJudge).toMatchObject([
      { judge: 'blind', count: 1, accuracy: 0 },
      { judge: 'kind', count: 1, accuracy: 1 },
    ])
    expect(found.ungraded.map(({ labelled }) => labelled.line)).toEqual([4])
  })

  test('a caller that stops gets what was judged until then', async () => {
    const stop = new AbortController()
    const found = await calibrateJudge(harsh, answers, {
      signal: stop.signal,
      onJudged: ({ labelled }) => labelled.line === 3 && stop.abort(),
    })
    expect(found).toMatchObject({ count: 2, left: 1 })
  })

  test('stopped before anything was judged, there is nothing to compare', async () => {
    const stopped = calibrateJudge(harsh, answers, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(stopped).rejects.toThrow('enough')
  })
})

describe('a file of labelled answers', () => {
  const line = (fields: object) => JSON.stringify({ task: 'a', answer: 'b', grade: 3, ...fields })

  test.each([
    { kind: 'exact', text: 'a' },
    { kind: 'states', text: '42.5' },
    { kind: 'number', value: 42.5, tolerance: 0.1 },
    { kind: 'pattern', regex: '^a$', flags: 'i' },
    { kind: 'json-schema', schema: { type: 'object' } },
    { kind: 'json-path', path: '$.a', value: [1, null] },
    { kind: 'set', items: ['a', 'b'] },
  ] satisfies Reference[])('may hold a reference of kind $kind', (reference) => {
    const { answers, problems } = readLabelledAnswers(line({ reference, golden: 'g', annotator: 7 }))
    expect({ answers, problems }).toEqual({
      answers: [{ task: { text: 'a', golden: 'g', reference }, answer: 'b', grade: 3, line: 1 }],
      problems: [],
    })
  })

  test.each([
    { why: 'no JSON', bad: 'nope', tells: 'not complete JSON' },
    { why: 'no object', bad: '7', tells: 'no labelled answer' },
    { why: 'a grade out of range', bad: line({ grade: 6 }), tells: '"grade": a whole number from 1 to 5' },
    { why: 'a grade as text', bad: line({ grade: '4' }), tells: '"grade"' },
    { why: 'a grade between two', bad: line({ grade: 2.5 }), tells: '"grade"' },
    { why: 'no task', bad: '{"answer": "b", "grade": 3}', tells: '"task"' },
    { why: 'a blank task', bad: line({ task: ' ' }), tells: '"task": a task in words' },
    { why: 'a reference of no kind', bad: line({ reference: { text: 'x' } }), tells: '"reference' },
    {
      why: 'a misspelt tolerance',
      bad: line({ reference: { kind: 'number', value: 1, tolerence: 1 } }),
      tells: 'tolerence',
    },
  ])('$why: the line is told, and the others are taken', ({ bad, tells }) => {
    const { answers, problems } = readLabelledAnswers(`\uFEFF${line({})}\n${bad}\r\n${line({ grade: 1 })}`)
    expect(answers.map((answer) => [answer.line, answer.grade])).toEqual([
      [1, 3],
      [3, 1],
    ])
    expect(problems).toEqual([{ line: 2, message: expect.stringContaining(tells) }])
  })
})
