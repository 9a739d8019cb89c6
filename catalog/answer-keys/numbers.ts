import { known, type AnswerKey } from './answer-key.ts'

const divisors = (a: number, b: number): number => {
  for (let divisor = Math.min(a, b); divisor > 1; divisor -= 1)
    if (a % divisor === 0 && b % divisor === 0) return divisor
  return 1
}

/** Pascal's triangle: entry k of row n is the number of choices of k from n. */
function pascal(n: number): readonly bigint[] {
  let row: bigint[] = [1n]
  for (let index = 0; index < n; index += 1)
    row = [...row, 0n].map((entry, at) => entry + (row[at - 1] ?? 0n))
  return row
}

/** Roman numerals, digit by digit. */
const roman = [
  ['', 'M', 'MM', 'MMM'],
  ['', 'C', 'CC', 'CCC', 'CD', 'D', 'DC', 'DCC', 'DCCC', 'CM'],
  ['', 'X', 'XX', 'XXX', 'XL', 'L', 'LX', 'LXX', 'LXXX', 'XC'],
  ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'],
]

/** Exact numbers. */
export const numberKeys: readonly AnswerKey[] = [
  {
    tool: 'evaluate_expression',
    draw(random) {
      const [a, b, c, d, q] = Array.from({ length: 5 }, () => random.whole(2, 99)) as [
        number,
        number,
        number,
        number,
        number,
      ]
      const [expression, value] = random.pick<readonly [string, number]>([
        [`(${a} + ${b}) * ${c} - ${d * q} / ${d}`, (a + b) * c - q],
        [`${a} - ${b} * (${c} - ${d})`, a - b * (c - d)],
        [`${a}^2 + ${b} - ${c}`, a * a + b - c],
        [`${a * 100} * ${b}% - ${c}`, a * b - c],
        [`sqrt(${a * a}) * ${b} + 4!`, a * b + 24],
      ])
      return known(`What is ${expression}?`, { expression }, { value })
    },
  },
  {
    tool: 'calculate_fraction',
    draw(random) {
      const [a, b, c, d] = [
        random.whole(1, 30),
        random.whole(2, 24),
        random.whole(1, 30),
        random.whole(2, 24),
      ]
      const operator = random.pick(['+', '-', '*', '/'])
      const top =
        operator === '+' ? a * d + c * b : operator === '-' ? a * d - c * b : operator === '*' ? a * c : a * d
      const bottom = operator === '/' ? b * c : b * d
      const by = top === 0 ? bottom : divisors(Math.abs(top), bottom)
      const fraction = bottom / by === 1 ? `${top / by}` : `${top / by}/${bottom / by}`
      const given = { left: `${a}/${b}`, operator, right: `${c}/${d}` }
      return known(`What is ${a}/${b} ${operator} ${c}/${d} as a simplified fraction?`, given, {
        fraction,
        decimal: top / bottom,
      })
    },
  },
  {
    tool: 'factorize',
    draw(random) {
      const factors = random
        .some([2, 3, 5, 7, 11, 13, 97, 101, 997], random.whole(1, 3))
        .map((prime) => ({ prime, exponent: random.whole(1, prime < 20 ? 3 : 1) }))
      const value = factors.reduce((product, { prime, exponent }) => product * prime ** exponent, 1)
      const isPrime = factors.length === 1 && factors[0]!.exponent === 1
      return known(`Break ${value} into its prime factors. Is it prime?`, { value }, { isPrime, factors })
    },
  },
  {
    tool: 'common_divisor_and_multiple',
    draw(random) {
      const numbers = Array.from({ length: random.whole(2, 3) }, () => random.whole(2, 60))
      const gcd = numbers.reduce(divisors)
      let lcm = Math.max(...numbers)
      while (numbers.some((number) => lcm % number !== 0)) lcm += Math.max(...numbers)
      const text = `What are the greatest common divisor and the least common multiple of ${numbers.join(', ')}?`
      return known(text, { numbers }, { gcd: `${gcd}`, lcm: `${lcm}` })
    },
  },
  {
    tool: 'count_choices',
    draw(random) {
      const total = random.whole(1, 40)
      const chosen = random.whole(0, Math.min(total, 12))
      const combinations = pascal(total)[chosen]!
      const orders = Array.from({ length: chosen }, (_, index) => BigInt(index + 1)).reduce(
        (product, factor) => product * factor,
        1n,
      )
      const text = `In how many ways can ${chosen} of ${total} things be chosen, with and without regard to their order?`
      return known(
        text,
        { total, chosen },
        { permutations: `${combinations * orders}`, combinations: `${combinations}` },
      )
    },
  },
  {
    tool: 'convert_base',
    draw(random) {
      const number = random.whole(0, 1_000_000)
      const [fromBase, toBase] = [random.pick([2, 8, 10, 16, 36]), random.pick([2, 3, 7, 8, 10, 16, 20])]
      const value = number.toString(fromBase)
      return known(
        `Write ${value} (base ${fromBase}) in base ${toBase}.`,
        { value, fromBase, toBase },
        { value: number.toString(toBase) },
      )
    },
  },
  {
    tool: 'convert_roman_numeral',
    draw(random) {
      const number = random.whole(1, 3999)
      const written = [...String(number).padStart(4, '0')]
        .map((digit, place) => roman[place]![Number(digit)]!)
        .join('')
      const value = random.pick([String(number), written])
      return known(
        `Convert ${value} ${value === written ? 'to a number' : 'to a Roman numeral'}.`,
        { value },
        { number, roman: written },
      )
    },
  },
]
