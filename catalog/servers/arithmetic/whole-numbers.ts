import { InputError } from '../shared/input-error.ts'
import { greatestCommonDivisor } from './fractions.ts'

/** A prime and how often it divides. */
export type PrimePower = { readonly prime: number; readonly exponent: number }

/**
 * Prime factors, ascending; none for 1.
 *
 * @param value - integer 1..10^12, so that trial division takes a million steps at most
 */
export function primeFactors(value: number): readonly PrimePower[] {
  const factors: PrimePower[] = []
  let rest = value
  for (let prime = 2; prime * prime <= rest; prime += prime === 2 ? 1 : 2) {
    let exponent = 0
    while (rest % prime === 0) {
      rest /= prime
      exponent += 1
    }
    if (exponent > 0) factors.push({ prime, exponent })
  }
  if (rest > 1) factors.push({ prime: rest, exponent: 1 })
  return factors
}

/** Greatest common divisor and least common multiple, exact. */
export function divisorAndMultiple(numbers: readonly number[]): {
  readonly gcd: bigint
  readonly lcm: bigint
} {
  const values = numbers.map((value) => BigInt(Math.abs(value)))
  const gcd = values.reduce((left, right) => greatestCommonDivisor(left, right))
  const lcm = values.reduce((left, right) =>
    left === 0n || right === 0n ? 0n : (left / greatestCommonDivisor(left, right)) * right,
  )
  return { gcd, lcm }
}

/** How many ways there are to choose `chosen` of `total` things: in order, and regardless of order. Exact. */
export function countChoices(total: number, chosen: number) {
  if (chosen > total) {
    throw new InputError(`"chosen" (${chosen}) is more than "total" (${total}). Send a smaller "chosen".`)
  }
  let ordered = 1n
  let orders = 1n
  for (let index = 0; index < chosen; index += 1) {
    ordered *= BigInt(total - index)
    orders *= BigInt(index + 1)
  }
  return { permutations: ordered, combinations: ordered / orders }
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Rewrites a whole number from one base to another, exactly. Bases 2..36; prefixes 0x, 0b, 0o and _ are allowed. */
export function convertBase(text: string, fromBase: number, toBase: number): string {
  const prefix = { 2: '0b', 8: '0o', 16: '0x' }[fromBase]
  const negative = text.trim().startsWith('-')
  const plain = text.trim().toLowerCase().replace(/^[-+]/, '').replace(/[_\s]/g, '')
  const body = prefix !== undefined && plain.startsWith(prefix) ? plain.slice(2) : plain
  if (body === '') throw new InputError('"value" has no digits. Send for example "ff".')
  let value = 0n
  for (const sign of body) {
    const digit = digits.indexOf(sign)
    if (digit < 0 || digit >= fromBase) {
      throw new InputError(
        `"value": "${sign}" is no digit in base ${fromBase}. Send digits ${digits.slice(0, fromBase)}, or another "fromBase".`,
      )
    }
    value = value * BigInt(fromBase) + BigInt(digit)
  }
  return (negative && value !== 0n ? '-' : '') + value.toString(toBase)
}
