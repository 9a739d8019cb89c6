import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writtenNumbers } from '../../../src/probing/judges/number.ts'

const read = (text: string) => writtenNumbers(text).map(({ readings }) => readings[0])

describe('numbers in a text', () => {
  test.each([
    { text: 'The total is 42.', numbers: [42], why: 'a full stop ends a sentence' },
    { text: '1,199.10 a month, 231,676.38 in all', numbers: [1199.1, 231676.38], why: 'commas group' },
    { text: "CHF 1'234.50 and 1’000", numbers: [1234.5, 1000], why: 'apostrophes group' },
    { text: '1\u202f234,5 und 0,75', numbers: [1234.5, 0.75], why: 'a comma that cannot group is decimal' },
    { text: '1.234,56 EUR', numbers: [1234.56], why: 'points group where a comma follows' },
    { text: '1,2,3', numbers: [1.2], why: 'a list without blanks is not told from decimals' },
    { text: '1, 2, 3', numbers: [1, 2, 3], why: 'a list' },
    { text: '-5 and −7 and -$3.50 and $-2', numbers: [-5, -7, -3.5, -2], why: 'signs, with a currency' },
    { text: 'from 5-6 days, A-12', numbers: [5, 6], why: 'hyphens between are no signs; A-12 is a name' },
    {
      text: '1.5e3, 2E-2, 1.5 × 10^3, 3x10^-2, 6.02·10²³',
      numbers: [1500, 0.02, 1500, 0.03, 6.02e23],
      why: 'exponents',
    },
    { text: '3/4 cup, 1 1/2 cups, 2½ and ⅓', numbers: [0.75, 1.5, 2.5, 1 / 3], why: 'fractions' },
    { text: '2026-03-12, 12/03/2026, 14:30, 1.2.3, 10.0.0.1', numbers: [], why: 'dates, times, versions' },
    { text: 'H2O, mp3, utf8, x_1', numbers: [], why: 'digits inside words' },
    { text: '5km, 30F, 3rd', numbers: [5, 30, 3], why: 'units may follow at once' },
    { text: '2.5 million people, 3 thousand', numbers: [2.5e6, 3000], why: 'scale words' },
    { text: '.5 or 0.5', numbers: [0.5, 0.5], why: 'a leading point' },
    { text: '3 x 100 = 300', numbers: [3, 100, 300], why: 'a product is no exponent' },
    { text: '+4', numbers: [4], why: 'a plus' },
    { text: '2 - 3 = -1', numbers: [2, 3, -1], why: 'a minus between blanks belongs to nobody' },
    { text: 'zwölf', numbers: [], why: 'words are not read' },
    { text: '', numbers: [], why: 'nothing there' },
  ])('$text: $why', ({ text, numbers }) => {
    const found = read(text)
    expect(found).toHaveLength(numbers.length)
    for (const [index, value] of numbers.entries()) expect(found[index]).toBeCloseTo(value, 9)
  })

  test('percent has two readings', () => {
    expect(writtenNumbers('25 %')[0]?.readings).toEqual([25, 0.25])
    expect(writtenNumbers('about 7 percent')[0]?.readings).toEqual([7, 0.07])
  })

  test('what JavaScript writes is read back, whatever stands around it', () => {
    const around = fc.constantFrom('', ' ', 'is ', ' = ', ': ', '(', '**')
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), around, (value, before) => {
        const written = writtenNumbers(`${before}${value}`)
        expect(written).toHaveLength(1)
        const noise = Math.max(Math.abs(value) * 1e-12, Number.MIN_VALUE * 4)
        expect(Math.abs(written[0]!.readings[0]! - value)).toBeLessThanOrEqual(noise)
      }),
    )
  })

  test('any text is read without an error, and long runs of what numbers are made of', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void writtenNumbers(text)))
    for (const unit of ['1', '1,111', '1 ', '1/', '-', '1.', '٣', '1-1'])
      expect(Array.isArray(writtenNumbers(unit.repeat(20_000)))).toBe(true)
  })
})
