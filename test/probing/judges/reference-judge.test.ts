import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { demoPairs } from '../../../catalog/demo/pairs.ts'
import type { JsonValue } from '../../../src/domain/json.ts'
import { referenceJudge } from '../../../src/probing/judges/reference-judge.ts'
import type { Reference } from '../../../src/probing/ports.ts'
import { answered } from './executions.ts'

const judge = referenceJudge()
const verdictOf = (reference: Reference, answer: string, structured?: JsonValue, text = 'A task.') =>
  judge.judge({ text, reference }, answered(answer, structured))
const gradeOf = async (...given: Parameters<typeof verdictOf>) => {
  const verdict = await verdictOf(...given)
  return 'grade' in verdict ? verdict.grade : verdict.refusal
}

type Row = {
  readonly answer: string
  readonly grade: number
  readonly why: string
  readonly task?: string
  readonly structured?: JsonValue
}
const table = (name: string, reference: Reference, rows: readonly Row[]) =>
  describe(name, () => {
    test.each(rows)('$grade: $why', async ({ answer, grade, task, structured }) => {
      expect(await gradeOf(reference, answer, structured, task)).toBe(grade)
    })
  })

table('exact', { kind: 'exact', text: 'New York' }, [
  { answer: 'New York', grade: 5, why: 'the same' },
  { answer: '  new\n york ', grade: 5, why: 'case and white space do not count' },
  { answer: '"New York."', grade: 4, why: 'signs around it' },
  { answer: '```\nNew York\n```', grade: 4, why: 'a fence around it' },
  { answer: 'It is New York, I think.', grade: 2, why: 'other words' },
  { answer: 'Newark', grade: 1, why: 'another text' },
])

table('states', { kind: 'states', text: '25%' }, [
  { answer: 'That is 25%.', grade: 5, why: 'stated' },
  { answer: 'Share:25%', grade: 5, why: 'a colon before it' },
  { answer: '125%', grade: 1, why: 'part of another number' },
  { answer: '3.25%', grade: 1, why: 'digits after a point' },
  { answer: '-25%', grade: 1, why: 'the opposite' },
  { answer: '25', grade: 1, why: 'without its sign' },
])

table('states, a number', { kind: 'states', text: '1199.10' }, [
  { answer: 'You pay $1,199.10 a month.', grade: 5, why: 'digits are grouped' },
  { answer: '1199.10', grade: 5, why: 'as written' },
  { answer: '1199.105', grade: 1, why: 'another number' },
  { answer: '11,199.10', grade: 1, why: 'a longer one' },
])

table('states, a number with more decimals', { kind: 'states', text: '42.16' }, [
  { answer: 'About 42.1648128.', grade: 5, why: 'rounds to it' },
  { answer: 'It is $42.1551 in all', grade: 5, why: 'rounds up to it' },
  { answer: '42.1651', grade: 1, why: 'rounds to another' },
  { answer: '42.155', grade: 1, why: 'half of the last digit says neither' },
  { answer: '42.2', grade: 1, why: 'fewer decimals say less' },
  { answer: '-42.1648', grade: 1, why: 'the opposite' },
  { answer: '142.1648', grade: 1, why: 'another number' },
  { answer: '42.1648%', grade: 1, why: 'another unit' },
])

table('states, a whole number', { kind: 'states', text: '42' }, [
  { answer: '42.1648', grade: 1, why: 'a count is no rounding' },
])

table('states, a word', { kind: 'states', text: 'art' }, [
  { answer: 'Art.', grade: 5, why: 'case does not count' },
  { answer: 'part', grade: 1, why: 'part of a word' },
  { answer: 'état-art', grade: 1, why: 'part of a compound' },
  { answer: 'artík', grade: 1, why: 'letters of any script' },
])

table('number', { kind: 'number', value: 1199.1 }, [
  { answer: '1199.1', grade: 5, why: 'alone' },
  { answer: 'The payment is $1,199.10.', grade: 5, why: 'with currency and grouping' },
  { answer: '**1,199.10** a month, 231,676.38 interest in all', grade: 5, why: 'bold is the answer' },
  { answer: 'Answer: 1199.10 (of which 12.5 is tax)', grade: 5, why: 'a marked answer comes first' },
  { answer: '\\boxed{1199.10}', grade: 5, why: 'as mathematicians mark it' },
  { answer: 'First 7, then 1199.10', grade: 5, why: 'the last number counts' },
  {
    answer: '1,199.10 over 360 months',
    grade: 5,
    task: 'What is the rate for 360 months?',
    why: 'numbers of the task do not count',
  },
  { answer: '1,199.10 over 360 months', grade: 3, why: 'another number stands last' },
  { answer: '1199', grade: 1, why: 'whole numbers do not pass as roundings' },
  { answer: '1200.1', grade: 1, why: 'another number' },
  { answer: 'a lot', grade: 1, why: 'no number' },
  { answer: 'see', structured: 1199.1, grade: 5, why: 'a structured number' },
])

table('number, rounded', { kind: 'number', value: 42.16481 }, [
  { answer: '42.16', grade: 3, why: 'a rounding is part of it' },
  { answer: '42.17', grade: 1, why: 'a wrong rounding is none' },
  { answer: '42', grade: 1, why: 'two digits are too few' },
])

table('number, with tolerance', { kind: 'number', value: 0.25, tolerance: 0.001 }, [
  { answer: '25%', grade: 5, why: 'percent' },
  { answer: '1/4', grade: 5, why: 'a fraction' },
  { answer: '2.505e-1', grade: 5, why: 'an exponent, within tolerance' },
  { answer: '0,25', grade: 5, why: 'a decimal comma' },
  { answer: '0.252', grade: 1, why: 'beyond tolerance' },
  { answer: '-0.25', grade: 1, why: 'the opposite' },
])

table('pattern', { kind: 'pattern', regex: '^[A-Z]{2}-\\d+$', flags: 'm' }, [
  { answer: 'Order\nAB-12', grade: 5, why: 'found on a line' },
  { answer: 'ab-12', grade: 1, why: 'case counts without i' },
])

table(
  'json-schema',
  {
    kind: 'json-schema',
    schema: {
      type: 'object',
      required: ['total'],
      properties: {
        total: { type: 'number', minimum: 0 },
        at: { type: 'string', format: 'date' },
        code: { pattern: '^[A-Z]$' },
      },
    },
  },
  [
    { answer: '{"total": 3}', grade: 5, why: 'the whole text' },
    {
      answer: 'Here it is:\n```json\n{"total": 3, "at": "2026-03-01"}\n```\nDone.',
      grade: 5,
      why: 'a fenced block',
    },
    { answer: 'So {"total": 3} it is', grade: 5, why: 'within the text' },
    { answer: 'see below', structured: { total: 1 }, grade: 5, why: 'structured' },
    { answer: '{"total": -3}', grade: 2, why: 'a bound is broken' },
    { answer: '{"total": 3, "at": "March"}', grade: 2, why: 'a format is broken' },
    { answer: '{"total": 3, "code": "ab"}', grade: 2, why: 'a pattern is broken' },
    { answer: '{"total": 3, "code": "A"}', grade: 5, why: 'a pattern is met' },
    { answer: '{"grade": 5}', grade: 1, why: 'other fields' },
    { answer: 'three', grade: 1, why: 'no JSON' },
  ],
)

table('json-path', { kind: 'json-path', path: '$.total', value: 42, tolerance: 0.01 }, [
  { answer: '{"total": 42.005}', grade: 5, why: 'within tolerance' },
  { answer: '{"total": "42"}', grade: 1, why: 'a text is no number' },
  { answer: '{"sum": 42}', grade: 1, why: 'elsewhere' },
  { answer: '42', grade: 1, why: 'nothing to look in' },
])

table('json-path, several nodes', { kind: 'json-path', path: "$['gcd','lcm']", value: ['6', '36'] }, [
  { answer: '{"gcd": "6", "lcm": "36"}', grade: 5, why: 'all nodes in order' },
  { answer: '{"lcm": "36", "gcd": "6"}', grade: 5, why: 'the order of fields does not count' },
  { answer: '{"gcd": "6", "lcm": "35"}', grade: 3, why: 'half of it' },
  { answer: '{"gcd": "5", "lcm": "35"}', grade: 1, why: 'nothing of it' },
])

table('json-path, a list', { kind: 'json-path', path: '$.dates', value: ['a', 'b', 'c'] }, [
  { answer: '{"dates": ["a", "b", "c"]}', grade: 5, why: 'the whole list' },
  { answer: '{"dates": ["a", "b"]}', grade: 3, why: 'cut off' },
  { answer: '{"dates": ["a", "x", "y"]}', grade: 2, why: 'a third' },
  { answer: '{"dates": ["c", "a", "b"]}', grade: 1, why: 'out of order' },
])

table('set', { kind: 'set', items: ['red', 'green', 'blue', 'Dark red'] }, [
  { answer: 'Green, blue, red and dark red.', grade: 5, why: 'all, in any order' },
  { answer: '- red\n- green\n- blue\n- dark red', grade: 5, why: 'as bullets' },
  { answer: '["red", "green", "blue", "dark red"]', grade: 5, why: 'as JSON' },
  { answer: 'green, blue, red', grade: 4, why: 'one is missing' },
  { answer: 'green and blue', grade: 3, why: 'half' },
  { answer: 'green', grade: 2, why: 'one' },
  { answer: 'purple', grade: 1, why: 'none' },
  { answer: '- red\n- green\n- blue\n- dark red\n- pink\n- mauve', grade: 4, why: 'two do not belong' },
])

test.each<{ readonly why: string; readonly reference: Reference; readonly tells: string }>([
  { why: 'an empty text', reference: { kind: 'exact', text: ' ' }, tells: 'empty text' },
  { why: 'no fact', reference: { kind: 'states', text: '' }, tells: 'empty text' },
  { why: 'no number', reference: { kind: 'number', value: Number.NaN }, tells: 'no finite number' },
  { why: 'a negative tolerance', reference: { kind: 'number', value: 1, tolerance: -1 }, tells: 'tolerance' },
  { why: 'a bad pattern', reference: { kind: 'pattern', regex: '(' }, tells: 'no regular expression' },
  { why: 'a stateful flag', reference: { kind: 'pattern', regex: 'a', flags: 'g' }, tells: 'flags' },
  { why: 'an endless pattern', reference: { kind: 'pattern', regex: '(a+)+$' }, tells: 'without an end' },
  {
    why: 'a bad schema',
    reference: { kind: 'json-schema', schema: { type: 'strange' } },
    tells: 'schema cannot be used',
  },
  {
    why: 'a schema elsewhere',
    reference: { kind: 'json-schema', schema: { $ref: 'https://example.org/s' } },
    tells: 'schema cannot be used',
  },
  {
    why: 'a schema with an endless pattern',
    reference: { kind: 'json-schema', schema: { pattern: '^(a+)+$' } },
    tells: 'without an end',
  },
  { why: 'a bad path', reference: { kind: 'json-path', path: '$[', value: 1 }, tells: 'path' },
  {
    why: 'a path with a pattern',
    reference: { kind: 'json-path', path: '$[?match(@.a, "(a+)+$")]', value: 1 },
    tells: 'path',
  },
  { why: 'no items', reference: { kind: 'set', items: [' '] }, tells: 'no items' },
])('$why is refused, and the refusal says why', async ({ reference, tells }) => {
  const answer = `"${'a'.repeat(40)}!"`
  expect(await verdictOf(reference, answer)).toMatchObject({
    refusal: expect.stringContaining(tells),
    judge: 'reference',
  })
})

test('a task without a reference is refused', async () => {
  expect(await judge.judge({ text: 'x' }, answered('y'))).toMatchObject({ refusal: expect.any(String) })
})

test('an empty answer is graded 1, whatever the reference', async () => {
  expect(await gradeOf({ kind: 'pattern', regex: '' }, ' \n')).toBe(1)
})

test('the facts of the demonstration pairs are found in sentences that state them', async () => {
  for (const { expected } of demoPairs.flatMap(({ cases }) => cases)) {
    expect(await gradeOf({ kind: 'states', text: expected }, `So it is ${expected}.`)).toBe(5)
    expect(await gradeOf({ kind: 'states', text: expected }, `So it is 9${expected}7.`)).toBe(1)
  }
})

test('a number is right exactly when it is within the tolerance, however it is written', async () => {
  const value = fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100)
  await fc.assert(
    fc.asyncProperty(value, value, fc.constantFrom('en-US', 'de-CH'), async (right, given, locale) => {
      const written = given.toLocaleString(locale, { maximumFractionDigits: 2 })
      const near = Math.abs(given - right) <= 0.5
      fc.pre(Math.abs(Math.abs(given - right) - 0.5) > 0.001)
      expect(await gradeOf({ kind: 'number', value: right, tolerance: 0.5 }, `It is ${written}.`)).toBe(
        near ? 5 : 1,
      )
    }),
  )
})

test('reasons are single lines without invisible characters, however the answer is made', async () => {
  const references: readonly Reference[] = [
    { kind: 'exact', text: 'right' },
    { kind: 'states', text: 'right' },
    { kind: 'number', value: 123456 },
    { kind: 'pattern', regex: 'right' },
    { kind: 'json-path', path: '$.right', value: 'right' },
    { kind: 'set', items: ['right'] },
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...references),
      async (answer, reference) => {
        const verdict = await verdictOf(reference, answer)
        expect('reason' in verdict ? verdict.reason : verdict.refusal).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
        )
      },
    ),
  )
})
