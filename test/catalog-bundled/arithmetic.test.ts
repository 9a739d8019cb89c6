import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertUnit } from '../../catalog/servers/arithmetic/convert-unit.ts'
import { evaluateExpression } from '../../catalog/servers/arithmetic/evaluate-expression.ts'
import {
  combineFractions,
  parseFraction,
  writeFraction,
  writeMixed,
} from '../../catalog/servers/arithmetic/fractions.ts'
import { loanPayment, loanSchedule } from '../../catalog/servers/arithmetic/interest.ts'
import { determinant, solveLinearSystem } from '../../catalog/servers/arithmetic/linear-algebra.ts'
import { fitLine } from '../../catalog/servers/arithmetic/linear-regression.ts'
import { solveQuadratic } from '../../catalog/servers/arithmetic/quadratic.ts'
import { fromRoman, toRoman } from '../../catalog/servers/arithmetic/roman-numerals.ts'
import { splitBill } from '../../catalog/servers/arithmetic/split-bill.ts'
import { summarize } from '../../catalog/servers/arithmetic/statistics.ts'
import { dimensions } from '../../catalog/servers/arithmetic/units.ts'
import { convertBase, primeFactors } from '../../catalog/servers/arithmetic/whole-numbers.ts'
import { roundTo, tidy } from '../../catalog/servers/shared/rounding.ts'

describe('evaluateExpression', () => {
  test.each([
    { why: 'products bind tighter than sums', expression: '2 + 3 * 4', value: 14 },
    { why: 'subtraction goes left to right', expression: '10 - 4 - 3', value: 3 },
    { why: 'powers go right to left', expression: '2 ^ 3 ^ 2', value: 512 },
    { why: 'a sign comes after a power', expression: '-2 ^ 2', value: -4 },
    { why: 'an exponent may have a sign', expression: '2 ^ -1', value: 0.5 },
    { why: 'two stars are a power', expression: '3 ** 2', value: 9 },
    { why: 'percent divides by a hundred', expression: '200 * 15%', value: 30 },
    { why: 'factorial follows its number', expression: '5! / 3!', value: 20 },
    { why: 'binary noise is removed', expression: '0.1 + 0.2', value: 0.3 },
    { why: 'a sine of pi is zero', expression: 'sin(pi)', value: 0 },
    { why: 'degrees are turned into radians', expression: 'sin(deg(30))', value: 0.5 },
    { why: 'a remainder has the sign of the divisor', expression: 'mod(-7, 5)', value: 3 },
    { why: 'functions take several arguments', expression: 'max(1, avg(2, 4, 6), 3)', value: 4 },
    { why: 'rounding goes by written digits', expression: 'round(1.005, 2)', value: 1.01 },
    { why: 'exponents of ten are numbers', expression: '1.5e3 + .5', value: 1500.5 },
    { why: 'pasted signs are understood', expression: '6 ÷ 2 × 3 − 1', value: 8 },
  ])('$expression is $value since $why', ({ expression, value }) => {
    expect(evaluateExpression(expression)).toBe(value)
  })

  test.each([
    { why: 'a bracket is open', expression: '(1 + 2', tells: 'position 1' },
    { why: 'an operator is last', expression: '1 +', tells: 'position 4' },
    { why: 'a sign is missing', expression: '2 x', tells: 'position 3' },
    { why: 'a root is not real', expression: 'sqrt(-1)', tells: 'not a finite number' },
    { why: 'an argument is missing', expression: 'atan2(1)', tells: 'takes 2' },
    { why: 'a currency is written', expression: '$5', tells: 'no currency signs' },
    { why: 'names are inherited from objects', expression: 'toString', tells: 'unknown' },
  ])('$expression is refused since $why', ({ expression, tells }) => {
    expect(() => evaluateExpression(expression)).toThrow(tells)
  })

  test('agrees with JavaScript on random sums, and survives any text', () => {
    const operand = fc.integer({ min: -999, max: 999 })
    const tail = fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), operand), { maxLength: 6 })
    fc.assert(
      fc.property(operand, tail, (first, rest) => {
        const written = [String(first), ...rest.map(([sign, value]) => `${sign} (${value})`)].join(' ')
        const terms = [first]
        for (const [sign, value] of rest) {
          if (sign === '*') terms.push(terms.pop()! * value)
          else terms.push(sign === '+' ? value : -value)
        }
        const expected = terms.reduce((sum, value) => sum + value, 0)
        expect(evaluateExpression(written)).toBe(tidy(expected))
      }),
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          expect(Number.isFinite(evaluateExpression(text))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ name: 'InputError' })
        }
      }),
    )
  })
})

describe('convertUnit', () => {
  test.each([
    { value: 1, from: 'inch', to: 'cm', expected: 2.54 },
    { value: 100, from: 'C', to: 'F', expected: 212 },
    { value: -40, from: 'fahrenheit', to: 'celsius', expected: -40 },
    { value: 0, from: 'K', to: '°C', expected: -273.15 },
    { value: 1, from: 'Miles per hour', to: 'km/h', expected: 1.609344 },
    { value: 1, from: 'GB', to: 'MiB', expected: 953.674316406 },
    { value: 1, from: 'square feet', to: 'm²', expected: 0.09290304 },
    { value: 1, from: 'kWh', to: 'kJ', expected: 3600 },
    { value: 1, from: 'atm', to: 'psi', expected: 14.6959487755 },
    { value: 1, from: 'us gallon', to: 'l', expected: 3.785411784 },
    { value: 8, from: 'fl oz', to: 'cups', expected: 1 },
    { value: 1500, from: 'mW', to: 'W', expected: 1.5 },
    { value: 90, from: 'deg', to: 'turn', expected: 0.25 },
  ])('$value $from is $expected $to', ({ value, from, to, expected }) => {
    expect(convertUnit(value, from, to).value).toBe(expected)
  })

  test('there and back gives the same quantity, in every dimension', () => {
    const pairs = [...dimensions.values()].flatMap((units) =>
      units.flatMap((from) => units.map((to) => [from.symbol, to.symbol] as const)),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        ([from, to], value) => {
          const there = convertUnit(value, from, to).value
          const back = convertUnit(there, to, from).value
          // Temperatures lose digits beside their zero points, other units only in the twelfth digit.
          expect(Math.abs(back - value)).toBeLessThanOrEqual(1e-10 * Math.max(1000, value))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('every unit has the size its definition gives it', () => {
    for (const units of dimensions.values()) {
      const base = units[0]!.symbol
      for (const { symbol } of units) {
        expect(sizes.has(symbol), `no size known for ${symbol}`).toBe(true)
        const whole = convertUnit(1e6, symbol, base).value - convertUnit(0, symbol, base).value
        expect(whole / 1e6 / sizes.get(symbol)!, symbol).toBeCloseTo(1, 8)
      }
    }
  })

  test('every name and symbol finds its own unit', () => {
    for (const units of dimensions.values()) {
      for (const { symbol, names } of units) {
        for (const name of [symbol, ...names])
          expect(convertUnit(1, name, symbol)).toMatchObject({ value: 1, from: symbol })
      }
    }
  })
})

test('fractions agree with exact integer arithmetic and stay in lowest terms', () => {
  const fraction = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 500 }))
  fc.assert(
    fc.property(fraction, fraction, ([a, b], [c, d]) => {
      const sum = combineFractions(
        parseFraction(`${a}/${b}`, 'left'),
        '+',
        parseFraction(`${c}/${d}`, 'right'),
      )
      expect(sum.numerator * BigInt(b * d)).toBe(sum.denominator * BigInt(a * d + c * b))
      const back = combineFractions(sum, '-', parseFraction(`${c}/${d}`, 'right'))
      expect(writeFraction(back)).toBe(writeFraction(parseFraction(`${a}/${b}`, 'left')))
    }),
  )
  expect(writeMixed(parseFraction('-7/2', 'left'))).toBe('-3 1/2')
  expect(writeFraction(parseFraction('0.125', 'left'))).toBe('1/8')
})

test('prime factors are prime and multiply to the number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
      const factors = primeFactors(value)
      expect(factors.reduce((product, { prime, exponent }) => product * prime ** exponent, 1)).toBe(value)
      for (const { prime } of factors) expect(primeFactors(prime)).toEqual([{ prime, exponent: 1 }])
    }),
  )
})

test('bases and Roman numerals come back as they went', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 2, max: 36 }), (value, base) => {
      expect(convertBase(convertBase(String(value), 10, base), base, 10)).toBe(String(value))
    }),
  )
  for (let value = 1; value <= 3999; value += 1) expect(fromRoman(toRoman(value))).toBe(value)
  for (const wrong of ['IIII', 'IC', 'VX', '', 'MMMM']) expect(() => fromRoman(wrong)).toThrow('Roman')
})

test('a determinant changes sign when rows change places, and vanishes for equal rows', () => {
  const row = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(row, row, row, (a, b, c) => {
      const halves = [a, b, c].map((values) => values.map((value) => value + 0.5))
      expect(determinant([b, a, c]) + determinant([a, b, c])).toBe(0)
      expect(determinant([a, a, c])).toBe(0)
      const rule = a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) - a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!)
      // The rule may give -0, which is no other number.
      expect(determinant([a, b, c])).toBe(rule + a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!) + 0)
      expect(determinant(halves) + determinant([halves[1]!, halves[0]!, halves[2]!])).toBeCloseTo(0, 6)
    }),
  )
})

test('the solution of linear equations fulfils them', () => {
  const row = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(row, row, row, row, (a, b, c, solution) => {
      fc.pre(determinant([a, b, c]) !== 0)
      const constants = [a, b, c].map((line) =>
        line.reduce((sum, value, index) => sum + value * solution[index]!, 0),
      )
      solveLinearSystem([a, b, c], constants).forEach((value, index) => {
        expect(value).toBeCloseTo(solution[index]!, 8)
      })
    }),
  )
})

test('quadratic roots are found again from their product form', () => {
  const root = fc.integer({ min: -100, max: 100 })
  fc.assert(
    fc.property(root, root, fc.integer({ min: 1, max: 9 }), (first, second, a) => {
      const { roots } = solveQuadratic(a, -a * (first + second), a * first * second)
      const expected = [...new Set([first, second])].sort((x, y) => x - y)
      expect(roots.map(({ real }) => real)).toEqual(expected.map((value) => value + 0))
    }),
  )
  expect(solveQuadratic(1, 2, 5).roots).toEqual([
    { real: -1, imaginary: -2 },
    { real: -1, imaginary: 2 },
  ])
})

test('a line through points on a line is that line', () => {
  const whole = fc.integer({ min: -50, max: 50 })
  fc.assert(
    fc.property(
      whole,
      whole,
      fc.uniqueArray(whole, { minLength: 2, maxLength: 20 }),
      (slope, intercept, x) => {
        const line = fitLine(
          x,
          x.map((value) => slope * value + intercept),
        )
        expect(line.slope).toBeCloseTo(slope, 8)
        expect(line.intercept).toBeCloseTo(intercept, 8)
        expect(line.rSquared).toBeCloseTo(1, 8)
      },
    ),
  )
})

test('summaries keep their order: minimum, quartiles, maximum', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (numbers) => {
      const { min, lowerQuartile, median, upperQuartile, max, mean, count, sum } = summarize(numbers)
      expect([min, lowerQuartile, median, upperQuartile, max]).toEqual(
        [min, lowerQuartile, median, upperQuartile, max].sort((a, b) => a - b),
      )
      expect(mean * count).toBeCloseTo(sum, 6)
    }),
  )
})

test('a loan is paid off with its last payment, and shares of a bill add up to the cent', () => {
  const amount = fc.integer({ min: 100, max: 50_000_000 }).map((cents) => cents / 100)
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 120 }),
      (principal, rate, months) => {
        const schedule = loanSchedule(principal, rate / 10, months)
        expect(schedule.at(-1)?.balance).toBe(0)
        expect(
          roundTo(
            schedule.reduce((sum, { repayment }) => sum + repayment, 0),
            2,
          ),
        ).toBe(roundTo(principal, 2))
        expect(loanPayment(principal, rate / 10, months).totalInterest).toBeGreaterThanOrEqual(0)
      },
    ),
  )
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 30 }),
      (bill, people, tip) => {
        const { total, shares } = splitBill(bill, people, tip)
        expect(shares.reduce((sum, share) => sum + Math.round(share * 100), 0)).toBe(Math.round(total * 100))
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.015)
      },
    ),
  )
})

test.each([
  { value: 1.005, decimals: 2, expected: 1.01 },
  { value: -2.5, decimals: 0, expected: -3 },
  { value: 1e21, decimals: 2, expected: 1e21 },
  { value: -0.001, decimals: 2, expected: 0 },
])('$value rounds to $expected at $decimals decimals', ({ value, decimals, expected }) => {
  expect(roundTo(value, decimals)).toBe(expected)
})

/** What one of each unit is in the first unit of its dimension, from the definitions (BIPM, NIST SP 811), in decimals. */
const sizes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    m: 1,
    km: 1000,
    cm: 0.01,
    mm: 0.001,
    um: 1e-6,
    nm: 1e-9,
    in: 0.0254,
    ft: 0.3048,
    yd: 0.9144,
    mi: 1609.344,
    nmi: 1852,
    kg: 1,
    g: 0.001,
    mg: 1e-6,
    ug: 1e-9,
    t: 1000,
    lb: 0.45359237,
    oz: 0.028349523125,
    st: 6.35029318,
    'short ton': 907.18474,
    m3: 1,
    l: 0.001,
    ml: 1e-6,
    cl: 1e-5,
    dl: 1e-4,
    gal: 0.003785411784,
    qt: 0.000946352946,
    pt: 0.000473176473,
    cup: 0.0002365882365,
    'fl oz': 0.0000295735295625,
    tbsp: 0.00001478676478125,
    tsp: 0.00000492892159375,
    'uk gal': 0.00454609,
    'uk pt': 0.00056826125,
    ft3: 0.028316846592,
    in3: 0.000016387064,
    m2: 1,
    km2: 1e6,
    cm2: 1e-4,
    ha: 10_000,
    acre: 4046.8564224,
    ft2: 0.09290304,
    in2: 0.00064516,
    yd2: 0.83612736,
    mi2: 2_589_988.110336,
    'm/s': 1,
    'km/h': 0.2777777777778,
    mph: 0.44704,
    kn: 0.5144444444444,
    'ft/s': 0.3048,
    s: 1,
    ms: 0.001,
    us: 1e-6,
    min: 60,
    h: 3600,
    d: 86_400,
    wk: 604_800,
    K: 1,
    C: 1,
    F: 0.5555555555556,
    B: 1,
    bit: 0.125,
    kB: 1e3,
    MB: 1e6,
    GB: 1e9,
    TB: 1e12,
    KiB: 1024,
    MiB: 1_048_576,
    GiB: 1_073_741_824,
    TiB: 1_099_511_627_776,
    Mbit: 125_000,
    Gbit: 125_000_000,
    J: 1,
    kJ: 1000,
    cal: 4.184,
    kcal: 4184,
    Cal: 4184,
    Wh: 3600,
    kWh: 3_600_000,
    BTU: 1055.05585262,
    W: 1,
    mW: 0.001,
    kW: 1000,
    MW: 1e6,
    hp: 745.69987158227,
    PS: 735.49875,
    Pa: 1,
    kPa: 1000,
    MPa: 1e6,
    hPa: 100,
    bar: 100_000,
    atm: 101_325,
    psi: 6894.757293168,
    mmHg: 133.322387415,
    rad: 1,
    deg: 0.0174532925199433,
    turn: 6.28318530717959,
    grad: 0.015707963267949,
  }),
)
