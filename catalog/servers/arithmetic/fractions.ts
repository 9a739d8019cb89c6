import { InputError } from '../shared/input-error.ts'

/** A fraction in lowest terms; the denominator is positive. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** Reads `3/4`, `-2`, `1 1/2` or `0.125`. @throws InputError */
export function parseFraction(text: string, field: string): Fraction {
  const parts = /^\s*(-)?\s*(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)\s*$/.exec(text)
  if (parts) {
    const denominator = BigInt(parts[4]!)
    if (denominator === 0n)
      throw new InputError(`"${field}": the denominator of "${text}" is 0. Send another one.`)
    const numerator = BigInt(parts[2] ?? 0) * denominator + BigInt(parts[3]!)
    return reduced(parts[1] ? -numerator : numerator, denominator)
  }
  const decimal = /^\s*(-?)(\d+)(?:\.(\d+))?\s*$/.exec(text)
  if (decimal) {
    const digits = decimal[3] ?? ''
    const value = BigInt(decimal[2]! + digits)
    return reduced(decimal[1] === '-' ? -value : value, 10n ** BigInt(digits.length))
  }
  throw new InputError(`"${field}": "${text}" is no fraction. Send "3/4", "1 1/2", "-2" or "0.125".`)
}

/** Exact arithmetic. @throws InputError on division by zero */
export function combineFractions(left: Fraction, operator: '+' | '-' | '*' | '/', right: Fraction): Fraction {
  const { numerator: a, denominator: b } = left
  const { numerator: c, denominator: d } = right
  if (operator === '+') return reduced(a * d + c * b, b * d)
  if (operator === '-') return reduced(a * d - c * b, b * d)
  if (operator === '*') return reduced(a * c, b * d)
  if (c === 0n)
    throw new InputError('"right" is 0, and nothing can be divided by zero. Send another fraction.')
  return reduced(a * d, b * c)
}

/** `3/4`, `-7/2` or a whole number. */
export const writeFraction = ({ numerator, denominator }: Fraction): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`

/** `3 1/2` instead of `7/2`. */
export function writeMixed(fraction: Fraction): string {
  const size = fraction.numerator < 0n ? -fraction.numerator : fraction.numerator
  const whole = size / fraction.denominator
  const rest = size % fraction.denominator
  if (whole === 0n || rest === 0n) return writeFraction(fraction)
  return `${fraction.numerator < 0n ? '-' : ''}${whole} ${rest}/${fraction.denominator}`
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator, denominator)
  return divisor === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

/** Always >= 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}
