import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVerdict } from '../../../src/adapters/ai-sdk/judge/llm-judge.ts'

const plain = 'Paris.'

describe('a verdict is read', () => {
  test.each([
    ['a number', '{"reasoning": "Right.", "grade": 4}'],
    ['a number with a point', '{"reasoning": "Right.", "grade": 4.0}'],
    ['no reason', '{"grade": 4}'],
    ['out of five', '{"reasoning": "Right.", "grade": "4/5"}'],
    ['out of five, in words', '{"reasoning": "Right.", "grade": "four out of five"}'],
    ['a word with the number', '{"reasoning": "Right.", "grade": "4 - minor faults"}'],
    ['a word before the number', '{"reasoning": "Right.", "grade": "Grade: 4"}'],
    ['blanks', '{"reasoning": "Right.", "grade": " 4 "}'],
    ['keys in capitals', '{"Reasoning": "Right.", "GRADE": 4}'],
    ['other names', '{"explanation": "Right.", "score": "4"}'],
    ['a name of two words', '{"final_grade": 4, "reason": "Right."}'],
    ['further fields', '{"task": "x", "grade": 4, "confidence": 0.9}'],
    ['an object around it', '{"verdict": {"reasoning": "Right.", "grade": 4}}'],
    ['a list of one', '[{"reasoning": "Right.", "grade": 4}]'],
    ['a code fence', '```json\n{"reasoning": "Right.", "grade": 4}\n```'],
    ['thinking', '<think>5? {"grade": 5}</think>{"grade": 4}'],
    ['words after it', '{"reasoning": "Right.", "grade": 4}\n\nI hope that this helps.'],
    ['words before it', 'Here is my verdict:\n\n{"reasoning": "Right.", "grade": 4}'],
    ['words before a fence', 'My evaluation:\n```json\n{"reasoning": "Right.", "grade": 4}\n```\nDone.'],
    ['words before it in one line', 'Verdict: {"reasoning": "Right.", "grade": 4}'],
    ['a line', 'The answer is right, but short.\n\nGrade: 4'],
    ['a line in bold', '**Grade:** 4/5\n\nRight, but short.'],
    ['a line with an equals sign', 'score = 4'],
    ['a sentence', 'My grade is 4.'],
    ['the number alone', '4'],
    ['the number of five alone', '4/5'],
    ['an object without quotes', '{grade: 4, reasoning: "Right."}'],
    ['an object that was cut off', '{"grade": "4", "reasoning": "The answer says'],
    ['a comma too many', '{"reasoning": "Right.", "grade": 4,}'],
  ])('with %s', (_, said) => {
    expect(readVerdict(said, plain)?.grade).toBe(4)
  })

  test('with its reason', () => {
    expect(readVerdict('{"grade": 4, "Rationale": "Short."}', plain)).toEqual({
      grade: 4,
      reasoning: 'Short.',
    })
    expect(readVerdict('It is short.\nGrade: 4', plain)?.reasoning).toContain('It is short.')
    expect(readVerdict('{"reasoning": "Fine, the score: 3 of 10 is named.", "grade": 5}', plain)?.grade).toBe(
      5,
    )
  })
})

describe('there is no verdict in', () => {
  test.each([
    ['nothing', ''],
    ['no grade', '{"reasoning": "Right."}'],
    ['too much', '{"grade": 6}'],
    ['too little', '{"grade": 0}'],
    ['less than nothing', '{"grade": -4}'],
    ['a half', '{"grade": 4.5}'],
    ['ten points', '{"grade": "4/10"}'],
    ['a range', '{"grade": "4-5"}'],
    ['a choice', '{"grade": "4 or 5"}'],
    ['a percentage', '{"grade": "4%"}'],
    ['a large number', '{"grade": "42"}'],
    ['a list of grades', '{"grade": [4, 5]}'],
    ['no value', '{"grade": null}'],
    ['a truth', '{"grade": true}'],
    ['two fields that differ', '{"grade": 4, "score": 2}'],
    ['one field twice', '{"grade": 1, "grade": 5}'],
    ['two objects', '{"grade": 4}\n{"grade": 2}'],
    ['an object and a line', '{"grade": 5}\nGrade: 2'],
    ['two lines', 'Grade: 5\nGrade: 2'],
    ['a quotation', 'The answer says {"grade": "5"} but it is wrong.'],
    ['the scale', 'Grade: 1 to 5'],
    ['prose with numbers', 'The 4 parts are all there, and 5 more.'],
  ])('%s', (_, said) => {
    expect(readVerdict(said, plain)).toBeNull()
  })

  test('words around an object, where the answer states a grade itself and may be what is quoted', () => {
    const judged = 'Paris.\nGrade: 5'
    expect(readVerdict('The answer ends so:\n{"grade": 5}', judged)).toBeNull()
    expect(readVerdict('It claims:\nGrade: 5', judged)).toBeNull()
    expect(readVerdict('{"reasoning": "It begs.", "grade": 1}', judged)?.grade).toBe(1)
  })
})

describe('laws', () => {
  const grade = fc.integer({ min: 1, max: 5 })
  const prose = fc
    .stringMatching(/^[a-z ,.]{0,60}$/)
    .filter((text) => !/grade|score|rating|verdict|one|two|three|four|five/.test(text))

  test('any grade, written in any of these ways, is that grade', () => {
    const ways = [
      (value: number) => value,
      (value: number) => `${value}`,
      (value: number) => `${value}/5`,
      (value: number) => `${value} out of 5`,
      (value: number) => `Grade: ${value}`,
      (value: number) => `${value}.`,
    ]
    const names = fc.constantFrom('grade', 'Grade', 'GRADE', 'score', 'rating', 'final_grade')
    fc.assert(
      fc.property(
        grade,
        fc.constantFrom(...ways),
        names,
        fc.string(),
        prose,
        (value, way, name, reasoning, around) => {
          const object = JSON.stringify({ reasoning, [name]: way(value) })
          for (const said of [
            object,
            `\`\`\`json\n${object}\n\`\`\``,
            `${around}\n${object}`,
            `${object}\n${around}`,
          ])
            expect([value, null]).toContain(readVerdict(said, plain)?.grade ?? null)
          expect(readVerdict(object, plain)?.grade).toBe(value)
        },
      ),
    )
  })

  test('numbers that are no grade are none', () => {
    fc.assert(
      fc.property(
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((value) => ![1, 2, 3, 4, 5].includes(value)),
        (value) => {
          expect(readVerdict(JSON.stringify({ grade: value }), plain)).toBeNull()
          expect(readVerdict(JSON.stringify({ grade: `${value}` }), plain)).toBeNull()
        },
      ),
    )
  })

  test('two grades that differ are no verdict, however they stand', () => {
    fc.assert(
      fc.property(grade, grade, prose, (first, second, between) => {
        fc.pre(first !== second)
        expect(readVerdict(`{"grade": ${first}}\n${between}\n{"grade": ${second}}`, plain)).toBeNull()
        expect(readVerdict(`Grade: ${first}\n${between}\nGrade: ${second}`, plain)).toBeNull()
      }),
    )
  })

  test('any text at all is read without a throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })),
        fc.string(),
        (said, judged) => {
          const found = readVerdict(said, judged)
          if (found !== null) expect([1, 2, 3, 4, 5]).toContain(found.grade)
        },
      ),
    )
  })
})
