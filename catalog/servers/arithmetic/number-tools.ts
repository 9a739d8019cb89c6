import * as z from 'zod'
import { lineField, wholeField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { combineFractions, parseFraction, writeFraction, writeMixed } from './fractions.ts'
import { fromRoman, toRoman } from './roman-numerals.ts'
import { convertBase, countChoices, divisorAndMultiple, primeFactors } from './whole-numbers.ts'

const safeWhole = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)

/** Calculating with single numbers. */
export const numberTools = [
  defineTool({
    name: 'evaluate_expression',
    title: 'Evaluate expression',
    description:
      'Calculate the value of an arithmetic expression exactly as written, with + - * / ^, parentheses, percent (10% is 0.1), ' +
      'factorial, functions such as sqrt, round, log10 and sin (in radians), and named variables. ' +
      'Use it for any sum instead of doing it in your head.',
    input: z.strictObject({
      expression: z.string().min(1).max(1000).describe('For example "2 * (3 + 4)^2" or "price * (1 + 19%)".'),
      variables: z
        .record(z.string(), z.number())
        .default({})
        .describe('Values of the names in the expression.'),
    }),
    output: z.object({ value: z.number() }),
    example: { expression: 'price * (1 + 19%)', variables: { price: 250 } },
    handle({ expression, variables }) {
      const value = evaluateExpression(expression, variables)
      return { result: { value }, text: `${expression} = ${value}` }
    },
  }),
  defineTool({
    name: 'calculate_fraction',
    title: 'Calculate with fractions',
    description:
      'Add, subtract, multiply or divide two fractions exactly and simplify the result. Use it for recipes, ' +
      'school exercises and wherever decimals would lose exactness.',
    input: z.strictObject({
      left: lineField('First fraction: "3/4", "1 1/2", "-2" or "0.125".'),
      operator: z.enum(['+', '-', '*', '/']),
      right: lineField('Second fraction, written the same way.'),
    }),
    output: z.object({
      fraction: z.string().describe('In lowest terms.'),
      mixed: z.string().describe('With the whole part in front.'),
      decimal: z.number(),
    }),
    example: { left: '1 1/2', operator: '+', right: '3/4' },
    handle({ left, operator, right }) {
      const value = combineFractions(parseFraction(left, 'left'), operator, parseFraction(right, 'right'))
      const decimal = Number(value.numerator) / Number(value.denominator)
      const result = { fraction: writeFraction(value), mixed: writeMixed(value), decimal }
      return { result, text: `${left} ${operator} ${right} = ${result.mixed}` }
    },
  }),
  defineTool({
    name: 'factorize',
    title: 'Prime factors',
    description: 'Break a whole number into its prime factors, and tell whether it is prime.',
    input: z.strictObject({ value: wholeField(1, 1_000_000_000_000, 'The number.') }),
    output: z.object({
      isPrime: z.boolean(),
      factors: z.array(z.object({ prime: z.int(), exponent: z.int() })),
    }),
    example: { value: 360 },
    handle({ value }) {
      const factors = [...primeFactors(value)]
      const isPrime = factors.length === 1 && factors[0]!.exponent === 1
      const product = factors.map(({ prime, exponent }) => (exponent === 1 ? prime : `${prime}^${exponent}`))
      const text = isPrime ? `${value} is prime` : `${value} = ${product.join(' * ') || '1'}`
      return { result: { isPrime, factors }, text }
    },
  }),
  defineTool({
    name: 'common_divisor_and_multiple',
    title: 'Greatest common divisor, least common multiple',
    description:
      'Find the greatest common divisor and the least common multiple of whole numbers, for example to simplify ' +
      'ratios or to find when repeating events coincide.',
    input: z.strictObject({ numbers: z.array(safeWhole).min(1).max(100).describe('Whole numbers.') }),
    output: z.object({
      gcd: z.string().describe('Digits; a text because it may exceed what JSON numbers hold exactly.'),
      lcm: z.string().describe('Digits.'),
    }),
    example: { numbers: [12, 18] },
    handle({ numbers }) {
      const { gcd, lcm } = divisorAndMultiple(numbers)
      const result = { gcd: String(gcd), lcm: String(lcm) }
      return { result, text: `GCD ${result.gcd}, LCM ${result.lcm}` }
    },
  }),
  defineTool({
    name: 'count_choices',
    title: 'Permutations and combinations',
    description:
      'Count the ways to choose some of several things: permutations (order matters) and combinations ' +
      '(order does not matter). Use it for odds, lotteries and seating questions.',
    input: z.strictObject({
      total: wholeField(0, 500, 'How many things there are.'),
      chosen: wholeField(0, 500, 'How many are chosen.'),
    }),
    output: z.object({ permutations: z.string(), combinations: z.string() }),
    example: { total: 49, chosen: 6 },
    handle({ total, chosen }) {
      const ways = countChoices(total, chosen)
      const result = { permutations: String(ways.permutations), combinations: String(ways.combinations) }
      return {
        result,
        text: `${chosen} of ${total}: ${result.combinations} combinations, ${result.permutations} permutations`,
      }
    },
  }),
  defineTool({
    name: 'convert_base',
    title: 'Convert number base',
    description:
      'Rewrite a whole number of any length from one base to another, 2 to 36: binary, octal, decimal, hexadecimal.',
    input: z.strictObject({
      value: lineField('Digits in the old base, for example "ff", "0xff" or "-1010".'),
      fromBase: wholeField(2, 36, 'Base of "value".'),
      toBase: wholeField(2, 36, 'Base wanted.'),
    }),
    output: z.object({ value: z.string() }),
    example: { value: 'ff', fromBase: 16, toBase: 2 },
    handle({ value, fromBase, toBase }) {
      const converted = convertBase(value, fromBase, toBase)
      return {
        result: { value: converted },
        text: `${value} in base ${fromBase} is ${converted} in base ${toBase}`,
      }
    },
  }),
  defineTool({
    name: 'convert_roman_numeral',
    title: 'Roman numerals',
    description: 'Turn a number into a Roman numeral or a Roman numeral into a number, 1 to 3999.',
    input: z.strictObject({ value: lineField('Digits such as "2026" or a numeral such as "MMXXVI".') }),
    output: z.object({ number: z.int(), roman: z.string() }),
    example: { value: 'MMXXVI' },
    handle({ value }) {
      const digits = /^\s*\d+\s*$/.test(value) ? Number(value) : null
      const number = digits !== null && digits >= 1 && digits <= 3999 ? digits : fromRoman(value)
      const roman = toRoman(number)
      return { result: { number, roman }, text: `${number} is ${roman}` }
    },
  }),
]
